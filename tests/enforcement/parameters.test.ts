import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { scan, TOP } from '../../src/core/index.ts';
import { parametersSchema } from '../../src/enforcement/index.ts';
import { readParameters } from '../../src/enforcement/parameters.ts';

const value = fc.oneof(
  fc.constantFrom('', 'a', 'a.#', '$..', 'a[', '$[?(1)]', 'context', 'resolution', 'Context'),
  fc.constantFrom('x'.repeat(256), 'x'.repeat(257)),
  fc.constantFrom(true, false, 0, 1.5, null),
  fc.constantFrom<unknown>([], ['a'], {}, { a: 1 }),
);
const written = fc.dictionary(fc.constantFrom(...Object.keys(parametersSchema.shape)), value);

/** What the schema has to say, as problems of a request: the first of each member. Of a wrong type, it also says how long it is. */
function problemsBySchema(parameters: object) {
  const { error } = parametersSchema.safeParse(parameters);
  return _.uniqBy(error?.issues ?? [], ({ path }) => path[0]).map(({ path, code, message }) => ({
    pointer: `/parameters/${path.join('/')}`,
    detail: code === 'custom' ? `It ${message}.` : `${message}.`,
  }));
}

function requiredForContext(name: string) {
  return { pointer: `/parameters/${name}`, detail: 'Required if calculationType is context.' };
}

test('parameters are read as the schema says', () => {
  const property = fc.property(written, (parameters) => {
    const doc = scan(Buffer.from(JSON.stringify(parameters)), 10);
    const result = readParameters({ doc, node: TOP });
    const missing = ['assetId', 'protectedObject'].filter((name) => !(name in parameters));
    const expected = [
      ...problemsBySchema(parameters),
      ...(parameters['calculationType'] === 'context' ? missing.map(requiredForContext) : []),
    ];
    const { calculationType = 'resolution', filter, FILTER, maskString, assetType } = parameters;
    const read = { calculationType, filter: filter ?? FILTER, maskString, assetType };
    expect(result).toMatchObject(expected.length > 0 ? { problems: expected } : { parameters: read });
  });
  fc.assert(property, { numRuns: 1000 });
});

test('a number that JavaScript cannot hold is a number', () => {
  const doc = scan(Buffer.from('{"maskString":12345678901234567890}'), 10);
  expect(readParameters({ doc, node: TOP })).toEqual({
    problems: [
      {
        pointer: '/parameters/maskString',
        detail: 'Invalid input: expected string, received number.',
      },
    ],
  });
});

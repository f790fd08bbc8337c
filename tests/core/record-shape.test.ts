import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MAX_NAMES } from '../../src/core/json/key-interner.ts';
import { scan } from '../../src/core/json/scan.ts';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
import { enforcementProblem } from '../reference/generate.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

/** More, and others, by hand: `RUNS=100000 SEED=7 npx jest tests/core/record-shape`. */
const RUNS = Number(process.env['RUNS'] ?? 250);
const SEED = Number(process.env['SEED'] ?? 5);

/** A string; or a name with a scalar as its value, and that. */
const STRING_OR_MEMBER =
  /"(?:[^"\\]|\\.)*"(?:\s*:\s*(?<scalar>"(?:[^"\\]|\\.)*"|-?\d[^,\]}\s]*|true|false|null))?/gu;

/** What takes the place of a member's scalar; the scalar stays if it is nothing. */
const inPlaceOfScalar = fc.constantFrom(
  undefined,
  '"other"',
  '""',
  '7',
  'true',
  'null',
  '{}',
  '[]',
  '["other"]',
  '{"ssn":"other","a":[9]}',
);

/** The same payload with some scalars replaced, in turn. */
function withOthers(
  problem: EnforcementProblem,
  others: readonly (string | undefined)[],
): EnforcementProblem {
  let met = 0;
  const jsonText = problem.jsonText.replaceAll(STRING_OR_MEMBER, (match, scalar: string | undefined) => {
    const other = scalar === undefined ? undefined : others[met++ % others.length];
    return scalar === undefined || other === undefined ? match : match.slice(0, -scalar.length) + other;
  });
  return { ...problem, jsonText };
}

test('records are enforced as the reference does after others of the same shape, of nearly the same, and again', async () => {
  const changed = fc.array(inPlaceOfScalar, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(enforcementProblem, changed, changed, async (problem, some, more) => {
      const payloads = [problem, problem, problem, withOthers(problem, some), withOthers(problem, more)];
      for (const one of [...payloads, ...payloads]) {
        const expected = comparable(referenceEnforce(one));
        // oxlint-disable-next-line no-await-in-loop -- each has to come after the one before
        expect(comparable(await coreEnforce(one))).toEqual(expected);
      }
    }),
    { numRuns: Math.ceil(RUNS / 4), seed: SEED },
  );
});

const scalar = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('"text"', '"closed"', '"\\u00e9t\\u00e9"', '""') },
  { weight: 6, arbitrary: fc.constantFrom('12', '-1.50e3', 'true', 'false') },
  { weight: 1, arbitrary: fc.constantFrom('null', '{}', '[]', '["deep"]', '{"a":"deep"}') },
);

const mostly = (usual: string, other: string) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });

/** Records of which most have the same names and kinds. */
const similarRecord = fc
  .tuple(
    fc.array(scalar, { minLength: 9, maxLength: 9 }),
    mostly('"b"', '"y"'),
    mostly('"a"', '"\\u0061"'),
    mostly('', ',"n":1'),
  )
  .map(
    ([[a, b, c, d, e, f, g, h, i], second, inner, more]) =>
      `{"a":${a},${second}:${b},"o":{"a":${c},"b":${d}},"l":[{${inner}:${e},"b":${f}},{"a":${g}}],"t":["x",${h}],"z":${i}${more}}`,
  );

const entry = fc
  .record({
    path: fc.constantFrom(
      'a',
      'b',
      'z',
      'o.a',
      'o.b',
      'o',
      'l.#.a',
      'l.#.b',
      'l.1.a',
      'l',
      't',
      't.#',
      'n',
      'o.m',
      '*',
    ),
    action: fc.constantFrom(
      'MASK',
      'MASK',
      'MASK',
      'last(2)',
      'withheld',
      'null()',
      'value({"k":1})',
      'remove()',
    ),
    isDry: fc.constantFrom(false, false, false, true),
  })
  .map(({ path, action, isDry }) => ({
    path,
    resourceType: 'columns',
    attributes: { column: [path] },
    actions: [{ action }],
    policies: [{ name: path, metadata: isDry ? { DRY_RUN: 'a' } : {} }],
  }));

const privilege = fc
  .tuple(fc.constantFrom('a', 'b', 'o.a', 'l.#.a'), fc.constantFrom('b', 'z', 'o.b'))
  .map(([column, attribute]) => ({
    resourceType: 'columns',
    actions: [
      {
        action: 'MASK',
        'asset-attributes-filter': {
          AND: [
            { attribute: 'column', operator: 'IN', values: [column] },
            { attribute, operator: 'IN', values: ['closed'] },
          ],
        },
      },
    ],
  }));

test('records that are nearly alike are enforced as the reference does, whatever rules meet in them', async () => {
  const lists = fc.array(similarRecord, { minLength: 3, maxLength: 10 });
  const entries = fc.array(entry, { minLength: 4, maxLength: 12 });
  const privileges = fc.array(privilege, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lists, entries, privileges, async (records, access, allowed) => {
      const problem = {
        config: { attrName: 'column', maskString: '***', maskShort: false, filter: false },
        parameters: {},
        vendor: { entityId: 'jane' },
        jsonText: `[${records.join(',')}]`,
        decision: { response: [{ access, privileges: { allowed, denied: [] } }] },
      };
      expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

/** A problem whose rules mask some properties, and each scalar of the records in which `k` is `x`. */
function maskingIn(json: string, ...columns: readonly string[]): EnforcementProblem {
  const filter = { AND: [{ attribute: 'k', operator: 'EQUALS', values: ['x'] }] };
  const everything = {
    resourceType: 'columns',
    actions: [{ action: 'MASK', 'asset-attributes-filter': filter }],
  };
  const access = columns.map((column) => ({
    path: column,
    resourceType: 'columns',
    attributes: { column: [column] },
    actions: [{ action: 'MASK' }],
  }));
  return {
    config: { attrName: 'column', maskString: '***', maskShort: false, filter: false },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText: json,
    decision: { response: [{ access, privileges: { allowed: [everything], denied: [] } }] },
  };
}

test.each([
  ['{"k":"x","a":null}', '{"k":"x","a":"1"}'],
  ['{"k":"x","a":"1"}', '{"k":"x","a":null}'],
  ['{"k":"x","a":[["1"],"2"]}', '{"k":"x","a":[["1","2"]]}'],
  ['{"k":"x","a":[["1","2"]]}', '{"k":"x","a":[["1"],"2"]}'],
  ['{"k":"x","a":[{"b":"1"},"2"]}', '{"k":"x","a":["2",{"b":"1"}]}'],
  ['{"k":"x","a":{"b":"1"}}', '{"k":"x","a":["b","1"]}'],
])('after records like %s, %s is enforced as the reference does', async (usual, other) => {
  const usually = Array.from({ length: 8 }, () => usual);
  const problem = maskingIn(`[${[...usually, other, usual].join(',')}]`);
  expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
});

test('records have another shape once names are numbered anew', async () => {
  const names = Array.from({ length: 2 * MAX_NAMES }, (_, at) => `"name${at}":0`);
  for (const record of ['{"a":"1","b":"2"}', '{"b":"1","a":"2"}']) {
    // More names than are numbered: what comes next begins anew.
    scan(Buffer.from(`{${names.join(',')}}`), 2);
    const problem = maskingIn(`[${Array.from({ length: 8 }, () => record).join(',')}]`, 'a');
    // oxlint-disable-next-line no-await-in-loop -- each has to come after the one before
    expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
  }
});

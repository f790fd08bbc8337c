import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { claimValues, identifierAt, parseClaimPath, readTokenClaims } from '../../../src/core/jwt/index.ts';

/** JSON that a token can have at a claim, as text, with its texts if it can be compared. */
interface Shape {
  readonly json: string;
  readonly texts: readonly string[] | undefined;
  readonly isList: boolean;
}

const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '1', '1.0', '1e0', '1.10', '9007199254740993', '1e400', '-12.50E-7'),
  fc.bigInt().map(String),
);
const shape = (json: string, texts: readonly string[] | undefined): Shape => ({ json, texts, isList: false });

const scalar: fc.Arbitrary<Shape> = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => shape(JSON.stringify(text), [text])),
  fc
    .constantFrom('', 'é', 'e\u0301', '\ud83d', '\\', '"', '__proto__')
    .map((text) => shape(escaped(text), [text])),
  numbers.map((number) => shape(number, [number])),
  fc.constantFrom('true', 'false').map((word) => shape(word, [word])),
  fc.constant(shape('null', [])),
);
const unclear = fc.constantFrom('{}', '{"a":"x"}', '[[]]', '["x",{}]').map((json) => shape(json, undefined));
const list = fc.array(scalar, { maxLength: 4 }).map((parts) => ({
  json: `[${parts.map(({ json }) => json).join(' , ')}]`,
  texts: parts.flatMap(({ texts }) => texts ?? []),
  isList: true,
}));
const anyShape = fc.oneof(scalar, list, unclear);

/** Every character as an escape. */
function escaped(text: string): string {
  const units = text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${units.join('')}"`;
}

function token(claims: string): string {
  return ['{}', claims, ''].map((part) => Buffer.from(part).toString('base64url')).join('.');
}

function valuesIn(claims: string, path: string): readonly string[] | undefined {
  const doc = readTokenClaims(token(claims));
  const parsed = parseClaimPath(path);
  if (doc === undefined || parsed === undefined) throw new Error('not readable');
  return claimValues(doc, parsed)?.map(({ text }) => text);
}

describe('a claim', () => {
  test('has the values that the token says, whatever its shape, and wherever it is', () => {
    fc.assert(
      fc.property(anyShape, fc.boolean(), ({ json, texts }, spellsOut) => {
        const name = spellsOut ? escaped('claim') : '"claim"';
        expect(valuesIn(`{"x":1,${name}:${json}}`, '$.claim')).toEqual(texts);
        expect(valuesIn(`{"a":[0,{"b c":{${name}:${json}}}]}`, "$.a[1]['b c'].claim")).toEqual(texts);
      }),
      { numRuns: 2000 },
    );
  });

  test('is an identifier only if it is one text that is not empty, or one whole number', () => {
    const path = parseClaimPath('$.claim') ?? [];
    fc.assert(
      fc.property(anyShape, ({ json, texts }) => {
        const claims = readTokenClaims(token(`{"claim":${json}}`));
        const statement = claims && identifierAt(claims, path);
        const [text, ...others] = texts ?? [];
        const holdsNull = /(?:^|[[ ])null(?:$|[\] ])/u.test(json);
        const isText = json.includes('"');
        const isClear =
          others.length === 0 &&
          !holdsNull &&
          (isText ? text !== '' : /^-?(?:0|[1-9]\d*)$/u.test(text ?? ''));
        expect(statement).toEqual(isClear && text !== undefined ? { text } : 'unclear');
      }),
      { numRuns: 2000 },
    );
  });

  test('that is not there is absent', () => {
    const claims = readTokenClaims(token('{"a":{"b":[]}}'));
    for (const path of ['$.c', '$.a.c', '$.a.b[0]', '$.a[0]', '$.a.b.c', '$.__proto__', '$.a.b.length']) {
      expect(claims && identifierAt(claims, parseClaimPath(path) ?? [])).toBe('absent');
    }
  });

  test.each([
    ['$[*]', ['1', 'x', 'y']],
    ['$.l[*]', ['x', 'y']],
    ['$.l[1]', ['y']],
    ['$.l', ['x', 'y']],
    ['$["n"]', ['1']],
  ])('is selected by %s', (path, values) => {
    expect(valuesIn('{"n":1,"l":["x","y"]}', path)).toEqual(values);
  });
});

describe('a token is not readable', () => {
  test.each([
    ['with a name that occurs twice', token('{"a":1,"a":1}')],
    ['with a name that occurs twice in other spellings', token('{"a":1,"\\u0061":1}')],
    ['with such a name in an object in a list', token('{"a":[{"b":1,"c":{"d":1,"d":1}}]}')],
    ['whose claims are a list', token('[]')],
    ['whose claims are text', token('"a"')],
    ['whose claims are not JSON', token('{')],
    ['whose claims are not UTF-8', `e30.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.`],
    ['whose claims nest too deeply', token(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`)],
    ['of two parts', token('{}').split('.').slice(0, 2).join('.')],
    ['of four parts', `${token('{}')}.e30`],
    ['with padding', 'e30.e30=.'],
    ['with another alphabet', `e30.${Buffer.from('{"a":"???"}').toString('base64')}.`],
    ['with bits that nobody reads', 'e30.e31.'],
    ['without claims', 'e30..'],
  ])('%s', (_, text) => {
    expect(readTokenClaims(text)).toBeUndefined();
  });
});

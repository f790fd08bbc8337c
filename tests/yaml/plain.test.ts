import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readSource, readYaml } from '../../src/yaml/index.ts';
import { coreScalar, policyScalar, readPlainYaml } from '../../src/yaml/plain.ts';

/** Texts that are plain, that look so, and that only a parser reads. */
const SCALARS = [
  'a',
  'a b',
  'a, b',
  'x]',
  'last(4)',
  'edges(3, x)',
  '$.a',
  '/etc/x',
  './x',
  '../x',
  'http://h:1/p',
  'a:b',
  'a#b',
  '0',
  '1',
  '-1',
  '007',
  '1.10',
  '.5',
  '1e3',
  '0x1F',
  '0o7',
  '1_000',
  '127.0.0.1',
  '+1',
  '1.',
  '.inf',
  '.nan',
  '-',
  'true',
  'false',
  'True',
  'FALSE',
  'null',
  'Null',
  '~',
  'yes',
  'no',
  '',
  '<<',
  '=',
  '123456789012345678',
  "'a'",
  "'it''s'",
  "'a: b'",
  "'#'",
  "''",
  '"a"',
  '"a\\n"',
  '"a # b"',
  "'a' b",
  "'open",
  '"open',
  'a # b',
  'a #b',
  '# b',
  'a: b',
  'a:',
  ': a',
  '*a',
  '&a b',
  '!t a',
  '@a',
  '`a',
  '%a',
  '|',
  '>',
  '|-',
  '? a',
  '- a',
  '[]',
  '{}',
  '[a, b]',
  '[a, [b]]',
  '[a,]',
  '[a b, c]',
  '[1, true]',
  '{ a: b }',
  '{a: b, c: [d]}',
  '{ a }',
  '{ a:b }',
  '{ a: }',
  "{ 'a.#': b }",
  '[a: b]',
  '[\'x\', "y"]',
  '[a] b',
  '[a',
  '{ a: b',
  '{ a: b, a: c }',
  '[a # b]',
  '[a]# b',
  '[a] # b',
  'ä',
  'a\tb',
  'a\u00a0b',
  'a\r',
  '${entityId}',
  '[${claims.a}]',
  '[http://h]',
  '[a:b]',
  '{ a: http://h }',
];
const KEYS = [
  'a',
  'b',
  'policies',
  'a.b',
  'a-b',
  "'a.#.b'",
  '"a"',
  'a b',
  '1',
  'true',
  '__proto__',
  '',
  '<<',
  '? a',
  '- a',
  'a#',
];
const line = fc
  .record({
    indent: fc.constantFrom(0, 0, 0, 2, 2, 4, 6, 1, 3),
    dash: fc.constantFrom('', '', '- ', '-   ', '-'),
    key: fc.option(fc.constantFrom(...KEYS), { nil: undefined }),
    colon: fc.constantFrom(': ', ': ', ':', ':   ', ' : '),
    value: fc.constantFrom(...SCALARS, '', '', '', 'a', 'a'),
    end: fc.constantFrom('', '', '', ' ', ' # note', '# note'),
  })
  .map(
    ({ indent, dash, key, colon, value, end }) =>
      `${' '.repeat(indent)}${dash}${key === undefined ? '' : key + colon}${value}${end}`,
  );
const anyLine = fc.oneof(
  { weight: 12, arbitrary: line },
  fc.constantFrom('', '   ', '# note', '    # ä', '---', '...', '\t', '%YAML 1.2'),
);
const text = fc.array(anyLine, { minLength: 1, maxLength: 7 }).map((lines) => lines.join('\n'));

/** Maps and lists as most files have them: with every key on a line for itself, indented by what holds it. */
const simpleValue = fc.constantFrom(
  'a',
  'a b',
  '1',
  'true',
  "'x: y'",
  '[a, b]',
  '{ a: b, c: [d] }',
  'last(4)',
  '"q"',
);
const simpleKey = fc.constantFrom('a', 'b', 'c', 'd', "'e.#'");
const block: fc.Arbitrary<readonly string[]> = fc.letrec<{ map: readonly string[]; list: readonly string[] }>(
  (tie) => ({
    map: fc
      .uniqueArray(
        fc.tuple(
          simpleKey,
          fc.oneof({ maxDepth: 3 }, simpleValue, tie('map'), tie('list')),
          fc.constantFrom('', '', ' # x'),
        ),
        { minLength: 1, maxLength: 3, selector: ([key]) => key },
      )
      .map((entries) =>
        entries.flatMap(([key, value, note]) =>
          typeof value === 'string'
            ? [`${key}: ${value}${note}`]
            : [`${key}:${note}`, ...value.map((one) => `  ${one}`)],
        ),
      ),
    list: fc
      .array(fc.oneof({ maxDepth: 3 }, simpleValue, tie('map')), { minLength: 1, maxLength: 3 })
      .map((items) =>
        items.flatMap((item) =>
          typeof item === 'string'
            ? [`- ${item}`]
            : item.map((one, at) => (at === 0 ? `- ${one}` : `  ${one}`)),
        ),
      ),
  }),
).map;

/** @returns whether it is read so, if it is read at all */
function isReadAsParsed(written: string): boolean {
  const plain = readPlainYaml(written, coreScalar);
  const asPolicies = readPlainYaml(written, policyScalar);
  const parsed = readYaml(written);
  const source = readSource(written);
  const isSound = parsed.sound && parsed.problems.length === 0 && isDeepStrictEqual(plain, parsed.values);
  const isSame = 'data' in source && isDeepStrictEqual(asPolicies, source.data);
  return (plain === undefined || isSound) && (asPolicies === undefined || isSame);
}

describe('a plain YAML text is read as the parser reads it', () => {
  test('whatever its lines are', () => {
    expect(fc.check(fc.property(text, isReadAsParsed), { numRuns: 3000 })).toMatchObject({ failed: false });
  });

  test('if it is a map as most are', () => {
    const property = fc.property(block, (lines) => {
      expect(isReadAsParsed(lines.join('\n'))).toBe(true);
      expect(readPlainYaml(lines.join('\n'), coreScalar)).toBeDefined();
    });
    fc.assert(property, { numRuns: 500 });
  });

  test.each(SCALARS)('if a value is %j', (scalar) => {
    for (const one of [
      `a: ${scalar}`,
      `a:\n  - ${scalar}\n  - b`,
      `a: [${scalar}]`,
      `a: { b: ${scalar} }`,
      `- ${scalar}`,
    ])
      expect(isReadAsParsed(one)).toBe(true);
  });

  test.each(['examples/policies/demo.yaml', 'examples/policies/demo_test.yaml'])('in %s', (file) => {
    expect(isReadAsParsed(readFileSync(file, 'utf8'))).toBe(true);
  });

  test('and the policies of the demonstration are plain', () => {
    expect(readPlainYaml(readFileSync('examples/policies/demo.yaml', 'utf8'), policyScalar)).toBeDefined();
  });

  test.each([
    ['nests too deeply in brackets', `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['nests too deeply', Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['has a key twice', 'a: b\na: c'],
    ['is empty', '# nothing'],
  ])('a text is left to the parser if it %s', (_reason, written) => {
    expect(readPlainYaml(written, coreScalar)).toBeUndefined();
  });
});

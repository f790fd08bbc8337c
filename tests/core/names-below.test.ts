import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce } from '../reference/enforce.ts';
import { PathList } from '../../src/core/plan/path-list.ts';
import { CombinedNames } from '../../src/core/plan/combined-names.ts';
import { NewPlaces, TargetsByPath } from '../../src/core/plan/targets.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { SETTINGS } from '../../bench/hostile/enforcing.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 400);

/** Few, so that prefixes and names meet, and repeat along a path. */
const NAMES = ['a', 'b', 'r', 'ssn'];
const PATHS = [...NAMES, 'a.b', 'b.a', 'a.a', 'r.a', 'r.ssn', 'a.r', 'a.#.b', 's*', '*.a'];

const payload = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<unknown>(1, 'x', null) },
    { weight: 3, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('array') },
  ),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3, depthIdentifier: 'payload' }),
  array: fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'payload' }),
  container: fc.oneof(tie('object'), tie('array')),
})).container;

const named = (attribute: string) =>
  fc.record({
    attribute: fc.constant(attribute),
    operator: fc.constantFrom('EQUALS', 'EQUALS', 'IN', 'NOT_EQUALS', 'STARTS_WITH', 'CONTAINS'),
    values: fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 2 }),
  });
const value = fc.record({
  attribute: fc.constantFrom('a', 'ssn', 'r.a'),
  operator: fc.constantFrom('EQUALS', 'NOT_EQUALS'),
  values: fc.constantFrom(['1'], ['x']),
});
const names = fc.oneof(
  { weight: 4, arbitrary: named('column') },
  { weight: 1, arbitrary: fc.record({ OR: fc.tuple(named('column'), named('column')) }) },
);
/** Names below a prefix, in any order, also with a condition on a value, or another leaf on names. */
const below = (some: typeof names | ReturnType<typeof named>) =>
  fc
    .tuple(named('table'), some, fc.option(fc.oneof(value, named('column'), named('table'))), fc.boolean())
    .map(([prefix, name, other, isFirst]) => {
      const more = other === null ? [] : [other];
      return { AND: isFirst ? [prefix, ...more, name] : [name, ...more, prefix] };
    });
const masking = fc.tuple(below(names), fc.constantFrom('MASK', 'last(1)', '2::first(1)'));
/** Of an alternative beside another name, the pages do not say what it creates. */
const creating = fc.tuple(below(named('column')), fc.constantFrom('literal', '1::value(7)'));
const entry = fc
  .tuple(fc.oneof({ weight: 2, arbitrary: masking }, { weight: 1, arbitrary: creating }), fc.boolean())
  .map(([[condition, action], isDryRun]) => ({
    resourceType: 'columns',
    actions: [{ action, 'asset-attributes-filter': condition }],
    policies: [{ name: 'p', metadata: isDryRun ? { DRY_RUN: ['true'] } : {} }],
  }));

test('names below prefixes are found as in the naive reference, wherever both are', async () => {
  await fc.assert(
    fc.asyncProperty(
      payload,
      fc.array(entry, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(undefined, undefined, 'r', 'a', 'a.r'),
      fc.constantFrom(undefined, undefined, 'r'),
      async (json, privileges, root, rootWord) => {
        const problem = {
          config: { attrName: 'column', object: 'table', rootWord },
          parameters: root === undefined ? {} : { root },
          vendor: { entityId: 'jane' },
          jsonText: JSON.stringify(json),
          decision: { response: [{ privileges: { allowed: privileges, denied: [] } }] },
        };
        expect(comparable(await coreEnforce(problem))).toEqual(comparable(referenceEnforce(problem)));
      },
    ),
    { numRuns: RUNS },
  );
});

const T = { attribute: 'table', operator: 'IN', values: ['t', 'u.v'] };
const C = { attribute: 'column', operator: 'EQUALS', values: ['c'] };
const STATUS = { attribute: 'status', operator: 'EQUALS', values: ['1'] };

/** How many rules of a decision may be about any property, and how many paths the others are about. */
function sorted(condition: object, creates: boolean): { readonly open: number; readonly paths: number } {
  const privileges = {
    allowed: [
      { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': condition }] },
    ],
    denied: [],
  };
  const { rules } = decisionFrom(Buffer.from(JSON.stringify({ response: [{ privileges }] })), {
    ...SETTINGS,
    protectedObject: undefined,
  });
  const targets = new TargetsByPath(
    new NewPlaces(new PathList({ isJsonNamed: true, rootWord: undefined })),
    creates ? new CombinedNames({ maskString: '***', maskShort: false }) : undefined,
  );
  targets.add(rules.properties);
  return { open: targets.open.length, paths: targets.at.length };
}

test.each([
  ['certain names below certain prefixes', { AND: [T, C] }, false, { open: 0, paths: 2 }],
  ['the same under a condition on a value', { AND: [STATUS, C, T] }, false, { open: 0, paths: 2 }],
  ['certain names that may be created', { AND: [T, C] }, true, { open: 0, paths: 6 }],
  ['all other prefixes', { AND: [{ ...T, operator: 'NOT_IN' }, C] }, false, { open: 1, paths: 0 }],
  ['two prefixes at once', { AND: [T, { ...T, values: ['w'] }, C] }, false, { open: 1, paths: 0 }],
  ['the payload as a prefix', { AND: [{ ...T, values: ['json.a'] }, C] }, false, { open: 1, paths: 0 }],
])(
  'a condition on %s is decided for certain paths, or for each property',
  (_, condition, creates, expected) => {
    expect(sorted(condition, creates)).toMatchObject(expected);
  },
);

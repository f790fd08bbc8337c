import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { referenceEnforce, type EnforcementProblem } from '../reference/enforce.ts';
import { comparable } from './comparable.ts';
import { coreEnforce } from './core.ts';

const RUNS = Number(process.env['RUNS'] ?? 500);

interface Leaf {
  readonly attribute: string;
  readonly operator: string;
  readonly values: readonly string[];
}
type Tree = Leaf | { readonly AND: readonly Tree[] } | { readonly OR: readonly Tree[] };

function problemOf(
  payload: unknown,
  where: { readonly root?: string; readonly rootWord?: string },
  tree: Tree,
  isDry = false,
): EnforcementProblem {
  const { root, rootWord } = where;
  const entry = {
    resourceType: 'columns',
    actions: [{ action: 'MASK', 'asset-attributes-filter': tree }],
    policies: [{ name: 'p', metadata: isDry ? { DRY_RUN: 'id' } : {} }],
  };
  return {
    config: { attrName: 'column', object: 'table', rootWord },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText: JSON.stringify(payload),
    decision: { response: [{ access: [], privileges: { allowed: [entry], denied: [] } }] },
  };
}

const column = (operator: string, ...values: readonly string[]): Leaf => ({
  attribute: 'column',
  operator,
  values,
});
const all = (...AND: readonly Tree[]): Tree => ({ AND });

/** What the core and the reference say, to be compared. */
async function answersTo(problem: EnforcementProblem): Promise<readonly [core: unknown, reference: unknown]> {
  return [comparable(await coreEnforce(problem)), comparable(referenceEnforce(problem))];
}

/** What the core answers, and below it the lines of dry runs. */
async function masked(problem: EnforcementProblem): Promise<string> {
  const answer = await coreEnforce(problem);
  return answer.status === 200 ? [answer.text, ...answer.dryRun].join('\n') : `${answer.status}`;
}

test.each(['json.*', '$.json.*', '$.json[*]'])('%s names no root', async (path) => {
  const payload = { m: 'x', r: [{ ssn: '1' }] };
  const entry = { resourceType: 'columns', attributes: { column: [path] }, actions: [{ action: 'MASK' }] };
  const named = problemOf(payload, { root: 'r' }, column('EQUALS', path));
  const listed = { ...named, decision: { response: [{ access: [entry] }] } };
  expect([await masked(named), await masked(listed)]).toEqual([named.jsonText, named.jsonText]);
});

test.each([
  ['an object', { r: { ssn: '1', b: '2' } }, '{"r":{"ssn":"1","b":"2"}}'],
  ['an array', { r: [{ ssn: '1', b: '2' }] }, '{"r":[{"ssn":"1","b":"2"}]}'],
])('a wildcard next to a negated name does not name a root that is %s', async (_what, payload, expected) => {
  const tree = all(column('EQUALS', 'r*'), column('NOT_EQUALS', 'r.b'));
  expect(await masked(problemOf(payload, { root: 'r' }, tree))).toBe(expected);
});

test('a name without wildcards next to a negated one names a root', async () => {
  const tree = all(column('EQUALS', 'r'), column('NOT_EQUALS', 'r.b'));
  expect(await masked(problemOf({ r: { ssn: '1', b: '2' } }, { root: 'r' }, tree))).toBe('{"r":null}');
});

test('# in a condition is the property of that name if the object has one', async () => {
  const tree = all(column('EQUALS', '#'), column('NOT_EQUALS', 'b'));
  expect(await masked(problemOf({ '#': '1', ssn: '2' }, {}, tree))).toBe('{"#":"***","ssn":"2"}');
  expect(await masked(problemOf({ ssn: '3', c: '4' }, {}, tree))).toBe('null');
});

test('a name with # names elements that are null, next to a negated name as well', async () => {
  const tree = all(column('EQUALS', '#'), column('NOT_EQUALS', 'a'));
  expect(await masked(problemOf([null, { id: 1 }], {}, tree, true))).toMatch(/unknown was skipped/u);
});

test.each([{ id: 1, a: 'x' }, [{ id: 1, a: 'x' }], { r: { id: 1, a: 'x' } }])(
  'names of which one is # and the other a wildcard have a line in dry run for what they name: %j',
  async (payload) => {
    const tree = all(column('EQUALS', '#'), column('EQUALS', '*'));
    const [core, reference] = await answersTo(problemOf(payload, { rootWord: 'r' }, tree, true));
    expect(core).toEqual(reference);
  },
);

const name = fc.constantFrom(
  '#',
  '*',
  'r',
  'r*',
  'r.#',
  'a',
  'a.#',
  '#.a',
  'r.a',
  'r.#.a',
  'a.b',
  'r.0',
  '?',
  'r.*',
  '*.a',
  'json',
  '$.r',
  '$.r[*]',
  '$..a',
  'a.#.b',
);
const OPERATORS = ['EQUALS', 'EQUALS', 'NOT_EQUALS', 'STARTS_WITH', 'CONTAINS', 'NOT_CONTAINS', 'ENDS_WITH'];
const leaf = fc.record({
  attribute: fc.constantFrom('column', 'column', 'column', 'table'),
  operator: fc.constantFrom(...OPERATORS),
  values: fc.array(name, { minLength: 1, maxLength: 2 }),
});
const tree: fc.Arbitrary<Tree> = fc.oneof(
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((AND) => ({ AND })),
  fc.tuple(leaf, fc.array(leaf, { minLength: 1, maxLength: 2 })).map(([one, OR]) => ({ AND: [one, { OR }] })),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom('x', 1, null, {}, []),
  fc.dictionary(fc.constantFrom('a', 'b', '#', 'r'), fc.constantFrom('x', 1, { b: 'y' }, ['z', { b: 'y' }]), {
    maxKeys: 3,
  }),
  fc.array(fc.constantFrom('x', { a: 'y' }, { '#': 'y', b: 'x' }, ['z']), { maxLength: 2 }),
);
const payload = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', '#', 'r', 'json'), value, { minKeys: 1, maxKeys: 3 }),
);

test('names in conditions mean what the reference says, whatever # and wildcards they have', async () => {
  const where = fc.constantFrom<{ root?: string; rootWord?: string }>(
    {},
    {},
    { root: 'r' },
    { rootWord: 'r' },
    { root: '*' },
    { rootWord: '#' },
  );
  await fc.assert(
    fc.asyncProperty(payload, where, tree, fc.boolean(), async (json, at, condition, isDry) => {
      const [core, reference] = await answersTo(problemOf(json, at, condition, isDry));
      expect(core).toEqual(reference);
    }),
    { numRuns: RUNS },
  );
});

test.each(["$['r','x']", "$['x','r']", "$['r']", '$.r', 'json.r'])(
  'a union that lists the root names it: %s',
  async (path) => {
    const byCondition = problemOf({ r: { ssn: '1' } }, { root: 'r' }, column('EQUALS', path));
    const entry = { resourceType: 'columns', attributes: { column: [path] }, actions: [{ action: 'MASK' }] };
    const listed = { ...byCondition, decision: { response: [{ access: [entry] }] } };
    expect(await Promise.all([masked(byCondition), masked(listed)])).toEqual(['{"r":null}', '{"r":null}']);
    expect(referenceEnforce(listed)).toMatchObject({ text: '{"r":null}' });
  },
);

test.each(['$.r[0:1]', '$.r[0,5]'])(
  'a slice or union of indexes names the roots at them: %s',
  async (path) => {
    const entry = { resourceType: 'columns', attributes: { column: [path] }, actions: [{ action: 'MASK' }] };
    const problem = problemOf({ r: [{ ssn: '1' }, { ssn: '2' }] }, { root: 'r.#' }, column('EQUALS', 'none'));
    const listed = { ...problem, decision: { response: [{ access: [entry] }] } };
    expect(await masked(listed)).toBe('{"r":[null,{"ssn":"2"}]}');
    expect(referenceEnforce(listed)).toMatchObject({ text: '{"r":[null,{"ssn":"2"}]}' });
  },
);

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import type { ExplainedCondition, Explanation, ExplanationLimits } from '../../src/core/index.ts';
import { Budget, BYTES_PER_ENTRY } from '../../src/core/explain/budget.ts';
import type { EnforcementAnswer, EnforcementProblem } from '../reference/enforce.ts';
import { enforcementCases } from '../reference/cases.ts';
import { enforcementProblem } from '../reference/generate.ts';
import type { Json } from '../reference/model.ts';
import { parseJson } from '../reference/parse.ts';
import { coreEnforce, coreExplain } from './core.ts';
import { planted } from './secrets.ts';

/** More, and others, by hand: `RUNS=100000 SEED=7 npx jest tests/core/explain`. */
const RUNS = Number(process.env['RUNS'] ?? 600);
const SEED = Number(process.env['SEED'] ?? 11);
const LIMITS: ExplanationLimits = { maxExplained: 10_000, maxBytes: 16_000_000 };
const NONE: ExplainedCondition = { OR: [], holds: false };

describe('the room of an explanation', () => {
  test('is taken by long pointers', () => {
    const budget = new Budget({ maxExplained: 1000, maxBytes: 10_000 });
    expect(budget.takeEntry('changes', '/a')).toBe(true);
    expect(budget.takeEntry('changes', `/${'x'.repeat(2000)}`)).toBe(false);
    expect(budget.takeEntry('records', '/a')).toBe(false);
    expect(budget.isExceeded).toBe(true);
  });

  test('is taken by each part of a condition, however often it is shown', () => {
    const leaf = { attribute: 'k', operator: 'EQUALS', holds: true, read: 'present' } as const;
    const condition = { AND: [{ OR: Array.from({ length: 30 }, () => leaf), holds: true }], holds: true };
    const budget = new Budget({ maxExplained: 1000, maxBytes: 12_000 });
    expect([1, 2, 3].map(() => budget.takeRule(condition))).toEqual([true, true, false]);
  });

  test('may be taken to the last byte, and is exceeded behind it', () => {
    const budget = new Budget({ maxExplained: 1000, maxBytes: 3 * BYTES_PER_ENTRY });
    const taken = [1, 2, 3].map(() => budget.takeRule(undefined));
    expect({ taken, isExceeded: budget.isExceeded }).toEqual({
      taken: [true, true, true],
      isExceeded: false,
    });
    expect(budget.takeRule(undefined)).toBe(false);
    expect(budget.isExceeded).toBe(true);
  });

  test.each<[string, ExplainedCondition | undefined]>([
    ['no condition', undefined],
    [
      'a long attribute',
      { attribute: '\u0001'.repeat(1000), operator: 'EQUALS', holds: false, read: 'absent' },
    ],
    [
      'a long operator',
      { attribute: 'k', operator: '\u0001'.repeat(1000), holds: false, read: 'unreadable' },
    ],
    ['conditions in conditions', nested(100)],
  ])('is taken by at least what a rule takes as JSON: %s', (_name, condition) => {
    const written = JSON.stringify({ rule: 9_999_999, because: 'condition', condition });
    const budget = new Budget({ maxExplained: 1, maxBytes: Buffer.byteLength(written) - 1 });
    expect(budget.takeRule(condition)).toBe(false);
  });

  test('is taken by at least what the list of rules takes as JSON', () => {
    const texts = ['\u0001'.repeat(1000), 'ä'.repeat(1000)];
    const budget = new Budget({ maxExplained: 1, maxBytes: Buffer.byteLength(JSON.stringify(texts)) });
    expect(() => budget.list(texts)).toThrow('bytes');
  });

  test('is found by looking at each part of a condition once, however often it is in it', () => {
    let looked = 0;
    const twice = (inner: ExplainedCondition): ExplainedCondition => ({
      holds: false,
      get OR() {
        looked++;
        return [inner, inner];
      },
    });
    const budget = new Budget({ maxExplained: 1000, maxBytes: 1_000_000 });
    expect(budget.takeRule(_.range(15).reduce(twice, NONE))).toBe(false);
    expect(looked).toBe(15);
  });
});

/** A condition in a condition, and so on. */
function nested(levels: number): ExplainedCondition {
  return _.range(levels).reduce<ExplainedCondition>((inner) => ({ OR: [inner], holds: false }), NONE);
}

describe('an explanation goes with the payload that is enforced', () => {
  test.each(enforcementCases())('$name', async ({ problem }) => {
    await expect(expectExplained(problem)).resolves.toBeUndefined();
  });

  test('whatever the payload and the decision', async () => {
    await fc.assert(fc.asyncProperty(enforcementProblem, expectExplained), {
      numRuns: RUNS,
      seed: SEED,
    });
  });
});

describe('an explanation holds no value that the answer hides', () => {
  test('whatever the payload and the decision', async () => {
    let hidden = 0;
    let decided = 0;
    const property = fc.asyncProperty(enforcementProblem.map(planted), async ({ problem, secrets }) => {
      const answer = await coreExplain(problem, LIMITS);
      if (answer.status !== 200) return;
      const text = JSON.stringify(answer.explained);
      const unseen = secrets.filter((secret) => !answer.text.includes(secret));
      expect(unseen.filter((secret) => text.includes(secret))).toEqual([]);
      hidden += unseen.length;
      decided += conditionsIn(answer.explained).filter((leaf) => leaf.holds).length;
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect(hidden).toBeGreaterThan(RUNS);
    expect(decided).toBeGreaterThan(RUNS / 10);
  });
});

test('an explanation is truncated only if there is more, whatever the payload and the decision', async () => {
  let bounded = 0;
  const property = fc.asyncProperty(enforcementProblem, async (problem) => {
    const { explained } = await coreExplain(problem, LIMITS);
    if (explained === undefined) return;
    const most = Math.max(explained.changes.length, explained.records.length);
    const exact = await coreExplain(problem, { ...LIMITS, maxExplained: most });
    expect(exact.explained).toMatchObject(_.omit(explained, 'timings'));
    expect(exact.explained?.truncated).toBeUndefined();
    if (most === 0) return;
    const fewer = await coreExplain(problem, { ...LIMITS, maxExplained: most - 1 });
    expect(fewer.explained?.truncated).toBe(true);
    bounded++;
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(bounded).toBeGreaterThan(RUNS / 10);
});

test.each([
  ['the name of a policy', { policies: [{ name: 'P'.repeat(10_000) }] }],
  [
    'the names of several policies',
    { policies: Array.from({ length: 5 }, (_name, at) => ({ name: `${at}`.repeat(2000) })) },
  ],
  ['an action', { action: 'x'.repeat(10_000) }],
])(
  'an explanation whose list of rules would take more than it may is refused: %s, for each rule',
  async (_name, parts) => {
    const { policies = [], action = 'MASK' } = { policies: undefined, action: undefined, ...parts };
    const answerOf = (count: number) =>
      coreExplain(
        {
          config: {},
          parameters: {},
          vendor: {},
          jsonText: '[{"a":1}]',
          decision: {
            response: [
              {
                access: [
                  {
                    path: 'q',
                    resourceType: 'columns',
                    policies,
                    actions: Array.from({ length: count }, () => ({ action })),
                  },
                ],
                privileges: { allowed: [], denied: [] },
              },
            ],
          },
        },
        { maxExplained: 10, maxBytes: 1_000_000 },
      );
    expect((await answerOf(10)).explained?.rules).toHaveLength(10);
    expect((await answerOf(300)).status).toBe(422);
  },
);

/** The same answer without lines of dry runs, as nobody gets what is only explained. */
function unlogged(answer: EnforcementAnswer): EnforcementAnswer {
  return answer.status === 200 ? { ...answer, dryRun: [] } : answer;
}

async function expectExplained(problem: EnforcementProblem): Promise<void> {
  const enforced = await coreEnforce(problem);
  const { explained, counts, ...answer } = await coreExplain(problem, LIMITS);
  expect(answer).toEqual(unlogged(enforced));
  if (explained === undefined || counts === undefined) return;
  expect(_.countBy(explained.changes, 'effect')).toMatchObject(
    _.pickBy({
      masked: counts.masked,
      set: counts.set,
      created: counts.created,
      removed: counts.removedProperties,
    }),
  );
  expect(explained.records.filter(({ kept }) => !kept)).toHaveLength(counts.removed);
  const payload = parseJson(problem.jsonText);
  const pointers = [...explained.changes.filter(isPresent), ...explained.records].map(
    ({ pointer }) => pointer,
  );
  expect(pointers.filter((pointer) => !isAt(payload, pointer))).toEqual([]);
  expectSoundReasons(explained);
}

/** What was applied has a condition that holds, and what lost by its condition has one that does not. */
function expectSoundReasons({ changes, records, rules }: Explanation): void {
  for (const { rule, condition, lost, effect } of changes) {
    expect(condition?.holds ?? true).toBe(true);
    if (rule === undefined) expect(effect).toBe('unchanged');
    else expect(rules[rule]).toMatchObject({ id: rule, dryRun: false });
    for (const loss of lost) {
      expect(loss.condition?.holds ?? false).toBe(false);
      expect(loss.rule).not.toBe(rule);
      if (loss.because === 'priority') expect(loss.rule).toBeGreaterThan(rule ?? -1);
    }
  }
  for (const { because } of records)
    for (const { condition, holds } of because) if (holds) expect(condition?.holds ?? true).toBe(true);
}

/** An absent property may stay absent because a rule that creates nothing comes first. */
function isPresent({ effect }: Explanation['changes'][number]): boolean {
  return effect !== 'created' && effect !== 'unchanged';
}

/** Whether a pointer leads to any value; a name may occur twice. */
function isAt(payload: Json, pointer: string): boolean {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((values, step) => values.flatMap((value) => below(value, step)), [payload]).length > 0;
}

function below(value: Json, step: string): readonly Json[] {
  if (value.kind === 'array')
    return value.items.flatMap((item, index) => (String(index) === step ? item.value : []));
  if (value.kind !== 'object') return [];
  return value.members.filter(({ name }) => name === step).map((member) => member.value);
}

interface Leaf {
  readonly holds: boolean;
}

function conditionsIn(explained: Explanation | undefined): readonly Leaf[] {
  const { changes = [], records = [] } = explained ?? {};
  const trees = [
    ...changes.map(({ condition }) => condition),
    ...changes.flatMap(({ lost }) => lost.map(({ condition }) => condition)),
    ...records.flatMap(({ because }) => because.map(({ condition }) => condition)),
  ];
  return trees.flatMap((tree) => (tree ? leavesOf(tree) : []));
}

function leavesOf(tree: ExplainedCondition): readonly Leaf[] {
  if ('read' in tree) return [tree];
  return ('AND' in tree ? tree.AND : tree.OR).flatMap(leavesOf);
}

import { expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledDecision, Compiler } from '../../src/enforcement/plans.ts';
import { Plans } from '../../src/enforcement/index.ts';
import type { EnforcementProblem } from '../reference/enforce.ts';
import { collectGarbage } from '../support/garbage.ts';
import { coreEnforce } from './core.ts';

type Plan = CompiledDecision['plan'];

/** Plans that refer weakly to all that they compiled, in order. */
class ObservedPlans implements Compiler {
  readonly compiled: WeakRef<Plan>[] = [];
  private readonly plans = new Plans();

  compile(...asked: Parameters<Compiler['compile']>): CompiledDecision {
    const compiled = this.plans.compile(...asked);
    this.compiled.push(new WeakRef(compiled.plan));
    return compiled;
  }
}

function problemOf(jsonText: string, ...allowed: readonly object[]): EnforcementProblem {
  const privileges = { allowed: allowed.map((one) => ({ resourceType: 'columns', actions: [one] })) };
  return {
    config: { attrName: 'column' },
    parameters: {},
    vendor: {},
    jsonText,
    decision: { response: [{ access: [], privileges }] },
  };
}

function leaf(attribute: string, operator: string, ...values: readonly string[]): object {
  return { attribute, operator, values };
}

/** A decision that leads a payload of thousands of records to as many states, each of which takes several kilobytes. */
function manyStates(kind: number): EnforcementProblem {
  const names = Array.from({ length: 2000 }, (_, index) => `${index}.a${kind}`);
  const records = Array.from({ length: 2000 }, () => '{"a":1}').join(',');
  return problemOf(`[${records}]`, {
    action: 'MASK',
    'asset-attributes-filter': leaf('column', 'NOT_IN', ...names),
  });
}

/** A decision of many rules about a payload with one of their properties. */
function manyRules(user: number): EnforcementProblem {
  const rules = Array.from({ length: 200 }, (_, index) => ({
    action: 'MASK',
    'asset-attributes-filter': {
      AND: [leaf('column', 'EQUALS', `p${index}`), leaf(`a${index}`, 'EQUALS', `user ${user}`)],
    },
  }));
  return problemOf(`[{"p${user}":1,"a${user}":"x"}]`, ...rules);
}

async function enforceAll(plans: ObservedPlans, problems: readonly EnforcementProblem[]): Promise<void> {
  for (const problem of problems) {
    // oxlint-disable-next-line no-await-in-loop -- one decision comes after the other
    await coreEnforce(problem, plans);
    // oxlint-disable-next-line no-await-in-loop -- what a weak reference was made of stays until the next turn
    await nextTurn();
  }
}

/** How many of the plans are alive. */
function aliveAmong({ compiled }: ObservedPlans): number {
  collectGarbage();
  return new Set(compiled.flatMap((plan) => plan.deref() ?? [])).size;
}

test('plans that payloads led to thousands of states are forgotten when others need their room', async () => {
  const plans = new ObservedPlans();
  const problems = Array.from({ length: 8 }, (_, kind) => manyStates(kind));
  await enforceAll(plans, [...problems, ...problems]);
  const alive = aliveAmong(plans);
  expect(alive).toBeGreaterThan(0);
  expect(alive).toBeLessThan(6);
});

test('paths that many decisions share do not keep all of their plans alive', async () => {
  const plans = new ObservedPlans();
  await enforceAll(
    plans,
    Array.from({ length: 40 }, (_, user) => manyRules(user)),
  );
  const alive = aliveAmong(plans);
  expect(alive).toBeGreaterThan(0);
  expect(alive).toBeLessThan(20);
});

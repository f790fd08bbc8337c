import { afterEach, describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import { closeAll } from '../pdp/transport/setup.ts';
import { enforcing } from '../support/caller.ts';
import { startEnforcement } from '../support/service.ts';
import { doublesOf, isUnderstood, misspellingsOf, mutationsOf } from './mutations.ts';
import { RICH_CASES, type RichCase } from './rich-decision.ts';
import { RICH_DOCUMENTS } from './rich-documents.ts';

afterEach(closeAll);

/** What comes of a decision: the status, and the values of the payload that are in the answer. */
interface Outcome {
  readonly status: number;
  readonly shown: readonly unknown[];
}

describe.each([...RICH_CASES, ...RICH_DOCUMENTS])(
  'a decision of $name with a value of a wrong kind or under a misspelt name, wherever it stands,',
  (rich) => {
    test('is refused with 502, or shows no more of the payload than it did', async () => {
      const outcomeOf = await enforcer(rich);
      const plain = await outcomeOf(rich.decision);
      const mutations = [
        ...mutationsOf(rich.decision),
        ...(rich.doubles === true ? doublesOf(rich.decision) : []),
        ...misspellingsOf(rich.decision),
      ];
      const outcomes = await inTurns(mutations, ({ mutated }) => outcomeOf(mutated));
      const open = mutations.filter(
        (mutation, i) => !(rich.isUnderstood ?? isUnderstood)(mutation) && !isClosed(outcomes[i], plain),
      );
      expect(plain.status).toBe(200);
      expect(open.map(({ place, kind }) => `${place}: ${kind}`)).toEqual([]);
      const statuses = outcomes.map(({ status }) => status);
      expect(_.difference(statuses, [200, 403, 502])).toEqual([]);
      expect(statuses).toContain(502);
    });
  },
);

/** Has decisions enforced on the payload of a case by a service. */
async function enforcer({
  payload,
  parameters,
  config = { attrName: 'column', object: 'table' },
}: RichCase): Promise<(decision: unknown) => Promise<Outcome>> {
  const { url, pdp } = await startEnforcement({}, config, 'error');
  const body = enforcing(JSON.stringify(payload), { parameters, vendor: { entityId: 'jane' } });
  const values = leavesOf(payload);
  return async (decision) => {
    pdp.answer({ body: typeof decision === 'string' ? decision : JSON.stringify(decision) });
    const answer = await fetch(`${url}/enforce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const shown = leavesOf(await answer.json());
    return { status: answer.status, shown: answer.ok ? _.intersection(values, shown) : [] };
  };
}

function isClosed(outcome: Outcome | undefined, plain: Outcome): boolean {
  return outcome !== undefined && _.difference(outcome.shown, plain.shown).length === 0;
}

function leavesOf(value: unknown): readonly unknown[] {
  return _.isObject(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

/** One after the other: the stub of the PDP answers one decision at a time. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  await items.reduce(async (before, item) => {
    await before;
    results.push(await work(item));
  }, Promise.resolve());
  return results;
}

import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { referenceEnforce, type EnforcementAnswer } from '../reference/enforce.ts';
import { enforcementProblem } from '../reference/generate.ts';
import type { Json } from '../reference/model.ts';
import { parseJson } from '../reference/parse.ts';
import { printJson } from '../reference/print.ts';
import { coreEnforce } from './core.ts';

/** More by hand: `RUNS=100000 npx jest tests/masking/reference`. */
const RUNS = Number(process.env['RUNS'] ?? 3000);

test('the core answers what the naive reference answers, whatever the payload and the decision', async () => {
  await fc.assert(
    fc.asyncProperty(enforcementProblem, async (problem) => {
      const expected = referenceEnforce(problem);
      const answer = await coreEnforce(problem);
      expect(comparable(answer)).toEqual(comparable(expected));
    }),
    { numRuns: RUNS },
  );
}, 120_000);

/** Left open: spaces between tokens, the order of a record's lines, and where among the others a member is created. */
function comparable(answer: EnforcementAnswer): unknown {
  if (answer.status !== 200) return answer;
  return { text: printJson(withSortedMembers(parseJson(answer.text))), dryRun: answer.dryRun.toSorted() };
}

function withSortedMembers(json: Json): Json {
  if (json.kind === 'array')
    return { ...json, items: json.items.map(({ value }) => ({ value: withSortedMembers(value) })) };
  if (json.kind !== 'object') return json;
  const members = json.members.map((member) => ({ ...member, value: withSortedMembers(member.value) }));
  return { ...json, members: _.sortBy(members, ({ name }) => name) };
}

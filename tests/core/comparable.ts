import _ from 'lodash';
import type { EnforcementAnswer } from '../reference/enforce.ts';
import { stringOf, type Json } from '../reference/model.ts';
import { parseJson } from '../reference/parse.ts';
import { printJson } from '../reference/print.ts';

/**
 * What of an answer is settled. Left open: spaces between tokens, how strings are escaped, the order of a record's lines,
 * and where among the others a member is created.
 */
export function comparable(answer: EnforcementAnswer): unknown {
  if (answer.status !== 200) return answer;
  return { text: printJson(withSortedMembers(parseJson(answer.text))), dryRun: answer.dryRun.toSorted() };
}

function withSortedMembers(json: Json): Json {
  if (json.kind === 'string') return stringOf(json.value);
  if (json.kind === 'array')
    return { ...json, items: json.items.map(({ value }) => ({ value: withSortedMembers(value) })) };
  if (json.kind !== 'object') return json;
  const members = json.members.map((member) => ({ ...member, value: withSortedMembers(member.value) }));
  return { ...json, members: _.sortBy(members, ({ name }) => name) };
}

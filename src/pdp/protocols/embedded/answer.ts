import _ from 'lodash';
import type { CalculationType, HeaderFields } from '../../port.ts';
import { AnswerLength } from './answer-length.ts';
import type { AccessEntry, Decision } from './decision.ts';
import { evaluate } from './evaluate.ts';
import { identifyCaller, type Identify } from './identify.ts';
import type { PolicyFile } from '../../policies/index.ts';
import type { Question } from './question.ts';

/**
 * Answers one question to the PDP.
 *
 * @param answer how long the answer gets
 * @param identify finds out who asks
 * @throws PdpRefusal 400 if the question is not understood, 401 if it is not known who asks, 403 if they may not ask, 503 if
 *   other answers take the room
 */
export async function decide(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  headers: HeaderFields,
  answer = new AnswerLength(),
  identify: Identify = identifyCaller,
): Promise<Decision> {
  const caller = await identify(file, question, headers);
  const { response, ...decision } = evaluate(file, calculationType, question, caller);
  const [{ access, privileges }] = response;
  // One by one: most of an answer that is much too long is not even measured.
  for (const entry of access) answer.add(lengthByAsset(entry));
  return { ...decision, response: [{ access: access.flatMap(entriesByAsset), privileges }] };
}

/** How long the entries of each asset are together as JSON, at least. */
function lengthByAsset(entry: AccessEntry): number {
  const { path } = entry;
  if (typeof path === 'string') return 0;
  return path.length * JSON.stringify({ ...entry, path: '' }).length + _.sumBy(path, 'length');
}

/** Other services get an entry for each asset. */
function entriesByAsset(entry: AccessEntry): readonly AccessEntry[] {
  return typeof entry.path === 'string' ? [entry] : entry.path.map((path) => ({ ...entry, path }));
}

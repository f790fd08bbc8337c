import type { JsonValue } from '../../../core/index.ts';
import {
  answerObject,
  type JsonObject,
  type JsonPointer,
  notUnderstood,
  objectIn,
} from '../../decisions/index.ts';
import { decisionIn } from './decision.ts';
import { type AskedOfAll, refuseOthers } from './obligations.ts';

/** What an evaluation was about, and what came of it. */
export interface Evaluated<T> {
  readonly of: T;
  readonly isAllowed: boolean;
  /** Of the evaluation in the answer. */
  readonly place: JsonPointer;
}

/**
 * Reads the answers to a batch of evaluations.
 *
 * @param asked what each of them was about, in order
 * @param ofAll what the evaluation of the whole question asks for; undefined if it was not asked for
 * @throws ServiceError `decision-not-understood`, also if a permit or the whole answer has other rules in outputs of Cerbos;
 *   `access-denied` if it has other obligations: nobody would fulfil them
 */
export function readEvaluations<T>(
  answer: JsonValue | undefined,
  asked: readonly T[],
  ofAll: AskedOfAll | undefined,
): readonly Evaluated<T>[] {
  const whole = answerObject(answer);
  refuseBeside(whole, ofAll);
  const { evaluations } = whole;
  if (!Array.isArray(evaluations)) throw notUnderstood('no list of evaluations', ['evaluations']);
  if (evaluations.length !== asked.length)
    throw notUnderstood('not as many evaluations as were asked for', ['evaluations']);
  return asked.map((of, i) => {
    const place = ['evaluations', i];
    const evaluation = objectIn(evaluations[i], place);
    const isAllowed = decisionIn(evaluation, place);
    if (isAllowed) refuseOthers(evaluation, place, ofAll);
    return { of, isAllowed, place };
  });
}

/** What the answer says of all evaluations at once must not be lost either. */
function refuseBeside(whole: JsonObject, ofAll: AskedOfAll | undefined): void {
  const { decision } = whole;
  if (decision !== undefined && decision !== true)
    throw notUnderstood('a decision beside the evaluations that is not true', ['decision']);
  refuseOthers(whole, [], ofAll, ['evaluations']);
}

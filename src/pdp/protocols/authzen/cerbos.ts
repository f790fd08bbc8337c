import type { JsonValue } from '../../../core/index.ts';
import type { Question } from '../../../enforcement/index.ts';
import {
  type Found,
  isObject,
  type JsonObject,
  mustHaveOnly,
  notUnderstood,
  type JsonPointer,
  readRules,
} from '../../decisions/index.ts';

const RESPONSE = 'cerbos.response';

/**
 * The rules in the outputs of Cerbos policies. Cerbos sends outputs if the question has `cerbos.includeMeta: true` in its
 * context. Outputs that are no rules document are for others.
 *
 * @returns a list for each rules document
 * @throws ServiceError `decision-not-understood`, also if Cerbos could not evaluate an output: it might be a mask
 */
export function readCerbosOutputs(
  context: JsonObject,
  question: Question,
  place: JsonPointer,
): readonly (readonly Found[])[] {
  const response = context[RESPONSE];
  if (response === undefined || response === null) return [];
  const at = [...place, RESPONSE];
  const { results } = objectAt(response, at);
  return listAt(results, [...at, 'results']).flatMap((result, i) => {
    const inResult = [...at, 'results', i];
    const { outputs } = objectAt(result, inResult);
    return listAt(outputs, [...inResult, 'outputs']).flatMap((output, j) => {
      const inOutput = [...inResult, 'outputs', j];
      return readOutput(objectAt(output, inOutput), question, inOutput);
    });
  });
}

function readOutput(
  output: JsonObject,
  question: Question,
  place: JsonPointer,
): readonly (readonly Found[])[] {
  const { val, src, error } = output;
  if (error !== undefined)
    throw notUnderstood('an output that Cerbos could not evaluate', [...place, 'error']);
  if (!isObject(val) || !('rules' in val)) return [];
  mustHaveOnly(val, ['rules'], [...place, 'val']);
  const name = typeof src === 'string' && src !== '' ? src : undefined;
  return [readRules(val['rules'], question, [...place, 'val', 'rules'], name)];
}

function objectAt(value: JsonValue | undefined, place: JsonPointer): JsonObject {
  if (isObject(value)) return value;
  throw notUnderstood('no object', place);
}

function listAt(value: JsonValue | undefined, place: JsonPointer): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw notUnderstood('no list', place);
}

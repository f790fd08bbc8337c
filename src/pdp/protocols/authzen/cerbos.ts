import type { JsonValue } from '../../../core/index.ts';
import type { Question } from '../../../enforcement/index.ts';
import { nearest } from '../../../nearest.ts';
import {
  type Found,
  isObject,
  type JsonObject,
  jsonText,
  mustHaveOnly,
  notUnderstood,
  type JsonPointer,
  readRules,
} from '../../decisions/index.ts';

const RESPONSE = 'cerbos.response';

/** An output that is a rules document. */
interface Document {
  readonly rules: JsonValue;
  /** Of the policy that it comes from. */
  readonly name: string | undefined;
  /** Of the rules in the answer. */
  readonly place: JsonPointer;
}

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
  return documentsIn(context, place).map(({ rules, name, place: at }) =>
    readRules(rules, question, at, name),
  );
}

/** The texts of the rules in outputs. */
export function outputTexts(context: JsonObject, place: JsonPointer): ReadonlySet<string> {
  return new Set(documentsIn(context, place).map(({ rules }) => jsonText(rules)));
}

/**
 * Refuses the rules in outputs of one of several evaluations, except an empty list and rules that the evaluation of the
 * whole question has too.
 *
 * @param ofAll the texts of those
 * @throws ServiceError `decision-not-understood` if there are any other: nobody would apply them
 */
export function refuseOutputs(context: JsonObject, place: JsonPointer, ofAll: ReadonlySet<string>): void {
  const other = documentsIn(context, place).find(
    ({ rules }) => !isEmpty(rules) && !ofAll.has(jsonText(rules)),
  );
  if (other !== undefined) throw notUnderstood('rules for one of several evaluations', other.place);
}

function isEmpty(rules: JsonValue): boolean {
  return Array.isArray(rules) && rules.length === 0;
}

function documentsIn(context: JsonObject, place: JsonPointer): readonly Document[] {
  const response = context[RESPONSE];
  if (response === undefined || response === null) return [];
  const at = [...place, RESPONSE];
  const { results } = objectAt(response, at);
  return listAt(results, [...at, 'results']).flatMap((result, i) => {
    const inResult = [...at, 'results', i];
    const { outputs } = objectAt(result, inResult);
    return listAt(outputs, [...inResult, 'outputs']).flatMap((output, j) => {
      const inOutput = [...inResult, 'outputs', j];
      return documentIn(objectAt(output, inOutput), inOutput);
    });
  });
}

function documentIn({ val, src, error }: JsonObject, place: JsonPointer): readonly Document[] {
  if (error !== undefined)
    throw notUnderstood('an output that Cerbos could not evaluate', [...place, 'error']);
  if (!isObject(val)) return [];
  if (!('rules' in val)) {
    refuseMisspelt(val, [...place, 'val']);
    return [];
  }
  mustHaveOnly(val, ['rules'], [...place, 'val']);
  const name = typeof src === 'string' && src !== '' ? src : undefined;
  return [{ rules: val['rules'] ?? null, name, place: [...place, 'val', 'rules'] }];
}

/** Refuses rules whose name is misspelt: their masks would be lost. Another name, such as `roles`, has no objects. */
function refuseMisspelt(val: JsonObject, place: JsonPointer): void {
  const misspelt = Object.entries(val).find(
    ([name, value]) => hasObjects(value) && nearest(name, ['rules']) !== undefined,
  );
  if (misspelt !== undefined) throw notUnderstood('a name that is nearly rules', [...place, misspelt[0]]);
}

function hasObjects(value: JsonValue): boolean {
  return Array.isArray(value) ? value.some(isObject) : isObject(value);
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

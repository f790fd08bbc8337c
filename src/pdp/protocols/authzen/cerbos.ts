import _ from 'lodash';
import type { JsonValue } from '../../../core/index.ts';
import {
  type Found,
  isObject,
  isRulesText,
  type JsonObject,
  jsonText,
  mustHaveOnly,
  notUnderstood,
  objectsIn,
  type JsonPointer,
  readRules,
  refuseLost,
  refuseRulesIn,
  type RulesReading,
} from '../../decisions/index.ts';

/** Where Cerbos puts its own answer in the context. */
export const CERBOS_RESPONSE = 'cerbos.response';

const IN_CONTEXT = [CERBOS_RESPONSE] as const;
const IN_RESPONSE = ['results'] as const;
const IN_RESULT = ['outputs'] as const;
const IN_OUTPUT = ['val'] as const;

const RULES = 'rules';

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
  reading: RulesReading,
  place: JsonPointer,
): readonly (readonly Found[])[] {
  return documentsIn(context, place).map(({ rules, name, place: at }) => readRules(rules, reading, at, name));
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
  refuseLost(context, { read: IN_CONTEXT, meant: IN_CONTEXT }, place);
  const { [CERBOS_RESPONSE]: response } = context;
  if (response === undefined || response === null) return [];
  const at = [...place, CERBOS_RESPONSE];
  const results = memberOf(objectAt(response, at), IN_RESPONSE, at);
  return listAt(results, [...at, 'results']).flatMap((result, i) => {
    const inResult = [...at, 'results', i];
    const outputs = memberOf(objectAt(result, inResult), IN_RESULT, inResult);
    return listAt(outputs, [...inResult, 'outputs']).flatMap((output, j) => {
      const inOutput = [...inResult, 'outputs', j];
      return documentIn(objectAt(output, inOutput), inOutput);
    });
  });
}

/** The one member of an object that leads to rules; none may be lost elsewhere in it, or because its name is misspelt. */
function memberOf(
  object: JsonObject,
  names: readonly [name: string],
  place: JsonPointer,
): JsonValue | undefined {
  refuseLost(object, { read: names, meant: names }, place);
  const { [names[0]]: member, ...others } = object;
  refuseRulesIn(others, place);
  return member;
}

function documentIn(output: JsonObject, place: JsonPointer): readonly Document[] {
  const { src, error } = output;
  const val = memberOf(output, IN_OUTPUT, place);
  if (error !== undefined)
    throw notUnderstood('an output that Cerbos could not evaluate', [...place, 'error']);
  if (!isObject(val) || !('rules' in val)) {
    refuseLostRules(val, [...place, 'val']);
    return [];
  }
  mustHaveOnly(val, ['rules'], [...place, 'val']);
  const name = typeof src === 'string' && src !== '' ? src : undefined;
  return [{ rules: val['rules'] ?? null, name, place: [...place, 'val', 'rules'] }];
}

/**
 * Refuses rules that are not in a rules document of their own: their masks would be lost. Objects below other names, such as
 * `roles`, are for others.
 */
function refuseLostRules(val: JsonValue | undefined, place: JsonPointer): void {
  refuseRulesIn(val, place);
  const whole: JsonObject = { val: val ?? null };
  for (const { object: part, place: at } of objectsIn(whole, place.slice(0, -1))) {
    const lost = Object.entries(part).find(
      ([name, value]) =>
        textsIn(value).some(isRulesText) ||
        (name.toLowerCase() === RULES && _.some(_.flattenDeep([value]), isObject)),
    );
    if (lost !== undefined) throw notUnderstood('rules that are no rules document', [...at(), lost[0]]);
  }
}

/** A text, or those of a list. */
function textsIn(value: JsonValue): readonly string[] {
  return _.flattenDeep([value]).filter((one) => typeof one === 'string');
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

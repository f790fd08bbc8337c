import type { JsonValue } from '../../../core/index.ts';
import type { Question } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import {
  answerObject,
  denied,
  type Found,
  isObject,
  type JsonObject,
  jsonText,
  Misspelt,
  mustHaveOnly,
  notUnderstood,
  objectIn,
  objectsIn,
  type JsonPointer,
  readingOf,
  readRules,
  refuseDenials,
  refuseLost,
  refuseRulesIn,
  type RulesReading,
  saysSomething,
} from '../../decisions/index.ts';
import { problemWithListedPath } from '../../policies/index.ts';
import { CERBOS_RESPONSE, outputTexts, readCerbosOutputs, refuseOutputs } from './cerbos.ts';
import { decisionIn } from './decision.ts';
import { fulfilledTogether } from './together.ts';

/** How obligations for this service say so. */
const VENDOR = 'authz-jsonmasking';
const CONTEXT = 'context';
const OBLIGATIONS = 'obligations';
/** What is not read where it must not be lost. */
const NO_OBLIGATIONS: readonly string[] = [OBLIGATIONS];
const AROUND_CONTEXT: readonly string[] = [CONTEXT, 'evaluations'];
const PROPERTIES = 'properties';
const READ_OF_OBLIGATION = ['id', 'type', PROPERTIES];
const OF_OBLIGATION: readonly string[] = [PROPERTIES, OBLIGATIONS, 'rules', 'filter', 'redact_fields'];
const NOT_OF_ALL = 'It is an obligation of one of several evaluations.';
const NOT_ASKED = 'To fulfil those of the whole question, configure authzen.obligations: true.';
/** The form of types that are repeated to the caller. */
const TYPE = /^[\w.:/-]{1,64}$/;

/**
 * Reads the answer to one evaluation.
 *
 * @returns what its obligations and outputs ask for; undefined if it has none that are for this service
 * @throws ServiceError `access-denied` if the decision is false, or if there is an obligation that cannot be fulfilled;
 *   `decision-not-understood` if the rest cannot be read
 */
export function readObligations(answer: JsonValue, question: Question): readonly Found[] | undefined {
  const answered = answerObject(answer);
  if (!decisionIn(answered, [])) throw denied('The PDP denies access.');
  const context = contextOf(answered, [], []);
  const place = [CONTEXT, OBLIGATIONS];
  const reading = readingOf(question);
  const fromObligations = obligationsIn(context, [CONTEXT]).map((obligation, i) =>
    fulfilled(obligation, reading, [...place, i]),
  );
  const fromOutputs = readCerbosOutputs(context, reading, [CONTEXT]);
  if (fromObligations.length + fromOutputs.length === 0) return undefined;
  // Outputs are of policies that may each say for themselves which records stay.
  return fulfilledTogether([...fromObligations, fromOutputs.flat()], place);
}

/** What the evaluation of the whole question asks for, as texts: it is done for all records. */
export interface AskedOfAll {
  readonly obligations: ReadonlySet<string>;
  readonly outputs: ReadonlySet<string>;
}

/** Of the answer to one evaluation that was read. */
export function askedOfAll(answer: JsonValue): AskedOfAll {
  const context = contextOf(answerObject(answer), [], []);
  return {
    obligations: new Set(obligationsIn(context, [CONTEXT]).map(jsonText)),
    outputs: outputTexts(context, [CONTEXT]),
  };
}

/**
 * Refuses what one of several evaluations asks for. What the evaluation of the whole question asks for too is done for
 * all records already.
 *
 * @param ofAll that; undefined if the evaluation was not asked for
 * @param others what else is read of it
 * @throws ServiceError `access-denied` if there is any other obligation, `decision-not-understood` if there are other
 *   rules in outputs of Cerbos
 */
export function refuseOthers(
  evaluation: JsonObject,
  place: JsonPointer,
  ofAll: AskedOfAll | undefined,
  others: readonly string[] = [],
): void {
  const context = contextOf(evaluation, place, others);
  const at = [...place, CONTEXT];
  const other = obligationsIn(context, at).find((one) => ofAll?.obligations.has(jsonText(one)) !== true);
  if (other !== undefined) throw unfulfillable(other, ofAll ? NOT_OF_ALL : NOT_ASKED);
  refuseOutputs(context, at, ofAll?.outputs ?? new Set());
}

/** @param others what else is read of the answer */
function contextOf(answered: JsonObject, place: JsonPointer, others: readonly string[]): JsonObject {
  const { context } = answered;
  const read = ['decision', CONTEXT, ...others];
  refuseLost(answered, { read, meant: AROUND_CONTEXT }, place);
  refuseDenials(answered, place, new Set(read));
  refuseStrayObligations(answered, place, read);
  if (context === undefined || context === null) return {};
  const found = objectIn(context, [...place, CONTEXT]);
  refuseStrayObligations(found, [...place, CONTEXT], [OBLIGATIONS, CERBOS_RESPONSE]);
  return found;
}

/**
 * Refuses obligations and rules where none are read, however deep: nobody would fulfil them.
 *
 * @param read the names of members that others read
 * @throws ServiceError `decision-not-understood`
 */
function refuseStrayObligations(object: JsonObject, place: JsonPointer, read: readonly string[]): void {
  const misspelt = new Misspelt();
  const others = Object.fromEntries(Object.entries(object).filter(([name]) => !read.includes(name)));
  for (const { object: part, place: at } of objectsIn(others, place))
    for (const [name, value] of Object.entries(part))
      if (mayOblige(value)) misspelt.refuse(name, NO_OBLIGATIONS, at);
  refuseRulesIn(others, place);
}

/** Whether a value may be an obligation, or have some. PDPs may count them. */
function mayOblige(value: JsonValue): boolean {
  return saysSomething(value) || (typeof value === 'string' && value !== '');
}

function obligationsIn({ obligations }: JsonObject, place: JsonPointer): readonly JsonValue[] {
  if (obligations === undefined || obligations === null) return [];
  if (!Array.isArray(obligations)) throw notUnderstood('no list', [...place, OBLIGATIONS]);
  return obligations;
}

/** An obligation that is not understood is a denial: an enforcement point that cannot fulfil it must not permit. */
function fulfilled(obligation: JsonValue, reading: RulesReading, place: JsonPointer): readonly Found[] {
  try {
    const rules = rulesIn(obligation, reading, place);
    if (rules !== undefined) return rules;
  } catch (error) {
    if (error instanceof ServiceError) throw unfulfillable(obligation, error.message, error.quoted);
    throw error;
  }
  throw unfulfillable(obligation);
}

function rulesIn(
  obligation: JsonValue,
  reading: RulesReading,
  place: JsonPointer,
): readonly Found[] | undefined {
  if (!isObject(obligation)) return undefined;
  refuseLost(obligation, { read: READ_OF_OBLIGATION, meant: OF_OBLIGATION }, place);
  const { properties, ...others } = obligation;
  refuseRulesIn(others, place);
  const { type } = others;
  const at = [...place, PROPERTIES];
  if (!isObject(properties)) return undefined;
  if (type === 'filter') return filterRules(properties, reading, at);
  if (type !== 'custom' || properties['vendor'] !== VENDOR) return undefined;
  mustHaveOnly(properties, ['vendor', 'rules'], at);
  return readRules(properties['rules'], reading, [...at, 'rules']);
}

function filterRules(
  properties: JsonObject,
  reading: RulesReading,
  place: JsonPointer,
): readonly Found[] | undefined {
  mustHaveOnly(properties, ['filter'], place);
  const { filter } = properties;
  const at = [...place, 'filter'];
  if (!isObject(filter)) return undefined;
  const { redact_fields: fields } = filter;
  if (fields === undefined) {
    mustHaveOnly(filter, ['rules'], at);
    return readRules(filter['rules'], reading, [...at, 'rules']);
  }
  mustHaveOnly(filter, ['redact_fields'], at);
  const list = [...at, 'redact_fields'];
  if (!Array.isArray(fields)) throw notUnderstood('no list', list);
  if (fields.length === 0) return [];
  fields.forEach((field, i) => mustBePath(field, [...list, i]));
  // One rule covers the whole list.
  return readRules([{ properties: fields, action: 'MASK' }], reading, list).map((found) =>
    movedTo(list, found),
  );
}

function mustBePath(field: JsonValue, place: JsonPointer): void {
  if (typeof field !== 'string') throw notUnderstood('no text', place);
  const problem = problemWithListedPath(field);
  if (problem !== undefined) throw notUnderstood(`a member that ${problem},`, place);
}

function movedTo(place: JsonPointer, found: Found): Found {
  if (!('rule' in found)) return found;
  const { rule } = found;
  return { rule: { ...rule, source: { ...rule.source, place } } };
}

/** @param quoted names of the answer in `why` */
function unfulfillable(obligation: JsonValue, why = '', quoted: readonly string[] = []): ServiceError {
  const type = isObject(obligation) ? obligation['type'] : undefined;
  const named = typeof type === 'string' && TYPE.test(type) ? type : undefined;
  const known = named === undefined ? 'without a type that can be named' : `of type ${named}`;
  const message = `The PDP attached an obligation ${known} that this service cannot fulfil. ${why}`.trimEnd();
  return denied(message, { quoted: named === undefined ? quoted : [named, ...quoted] });
}

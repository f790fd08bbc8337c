import * as z from 'zod';
import { DECIMAL } from '../../../src/core/conditions/decimal.ts';
import { INSTANT } from '../../../src/core/conditions/instant.ts';
import { SPACES } from '../../../src/core/paths/pattern.ts';
import { OPERATOR_NAMES, operatorPattern, relationOf } from '../../../src/pdp/policies/operators.ts';
import { INTEGER } from '../../../src/pdp/policies/value-type.ts';
import type { Json } from './config-schema.ts';

/** What holds only if something else does. Not with a `then`: the object could be taken for a promise. */
function unless(condition: Json, expected: Json): Json {
  return { if: condition, else: expected };
}

function whenever(condition: Json, expected: Json): Json {
  return unless({ not: condition }, expected);
}

function has(member: string, schema: Json = {}): Json {
  return { required: [member], properties: { [member]: schema } };
}

function without(member: string): Json {
  return { properties: { [member]: false } };
}

const WITHOUT_VALUE: Json = { properties: { value: { pattern: `^[${SPACES}]*$` } } };

/** An action, as a name or as a literal, whose text has this form: beside an empty value, it is the name. */
function actionLike(pattern: string): Json {
  return {
    if: { type: 'object' },
    else: { pattern },
    allOf: [
      unless(WITHOUT_VALUE, { properties: { value: { pattern } } }),
      whenever(WITHOUT_VALUE, { properties: { name: { pattern } } }),
    ],
  };
}

const FILTER_TEXT = `[${SPACES}]*filter[${SPACES}]*`;
/** In any letter case, Go also takes \u017F for an s, which the service does not. */
const MASK_TEXT = `[${SPACES}]*ma(?-i:[sS])k[${SPACES}]*`;
const FILTER = has('action', actionLike(`(?i)^${FILTER_TEXT}$`));
const DENIED = has('effect', { const: 'denied' });

/** What `src/pdp/policies/consistency.ts` refuses. */
const OF_POLICIES: readonly Json[] = [
  unless(FILTER, { required: ['properties'] }),
  whenever(FILTER, without('properties')),
  whenever(has('object'), has('properties', { type: 'array' })),
  whenever(FILTER, without('priority')),
  whenever(DENIED, without('priority')),
  whenever(DENIED, { properties: { action: actionLike(`(?i)^(?:${MASK_TEXT}|${FILTER_TEXT})$`) } }),
  whenever(has('when'), without('assets')),
  whenever(has('assets'), { properties: { effect: { const: 'allowed' }, properties: { type: 'array' } } }),
];

const ON_TEXT = operatorPattern(OPERATOR_NAMES.filter((name) => relationOf(name) === 'text'));
const WITHOUT_ORDER = operatorPattern(OPERATOR_NAMES.filter((name) => relationOf(name) !== 'order'));

/** A text that is about the caller has a type only when it is filled in. */
function textLike({ source, flags }: RegExp): string {
  const own = flags.includes('i') ? `(?i:${source})` : source;
  return String.raw`^\$\{|${own}`;
}

/** Helm rounds larger numbers, which have to be texts for that. */
const EXACT: Json = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** What the values of a type may be, as JSON and as text. Those of the others are texts. */
const VALUES: Readonly<Record<string, readonly [types: readonly string[], form: Json]>> = {
  INTEGER: [['string', 'integer'], { pattern: textLike(INTEGER), ...EXACT }],
  NUMBER: [['string', 'number'], { pattern: textLike(DECIMAL), ...EXACT }],
  BOOLEAN: [['string', 'boolean'], { pattern: textLike(/^(?:true|false)$/iu) }],
  DATE: [['string'], { pattern: textLike(INSTANT) }],
  DATETIME: [['string'], { pattern: textLike(INSTANT) }],
};

/** The same for one value and for each of a list. */
function valuesLike(types: readonly string[], form: Json): Json {
  return { properties: { values: { type: ['array', ...types], ...form, items: { type: types, ...form } } } };
}

function ofType(type: string, types: readonly string[], form: Json): Json {
  const compared = { ...has('type', { const: type }), not: has('operator', { pattern: ON_TEXT }) };
  return whenever(compared, valuesLike(types, form));
}

/** What `src/pdp/policies/condition-schema.ts` refuses. */
const OF_COMPARISONS: readonly Json[] = [
  ...Object.entries(VALUES).map(([type, [types, form]]) => ofType(type, types, form)),
  unless(has('type', { enum: Object.keys(VALUES) }), valuesLike(['string'], {})),
  whenever(has('operator', { pattern: ON_TEXT }), valuesLike(['string'], { minLength: 1 })),
  whenever(has('type', { const: 'BOOLEAN' }), { properties: { operator: { pattern: WITHOUT_ORDER } } }),
];

const RULES = z
  .record(z.string(), z.unknown())
  .and(z.object({ rules: z.enum(['policy', 'comparison']).optional() }));

/**
 * Replaces the name of the rules of a map by the rules, which the schema of policies has as code.
 *
 * @param schema the JSON schema of the map, which is changed
 */
export function addRules(schema: Record<string, unknown>): void {
  const { rules } = RULES.parse(schema);
  if (rules === undefined) return;
  delete schema['rules'];
  schema['allOf'] = rules === 'policy' ? OF_POLICIES : OF_COMPARISONS;
}

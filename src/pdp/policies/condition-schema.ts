import * as z from 'zod';
import { CLAIM_PATH_PATTERN, VALUE_TYPES, parseClaimPath, type ValueType } from '../../core/index.ts';
import { OPERATOR_NAMES, operatorPattern, parseOperator, relationOf, type Operator } from './operators.ts';
import type { Comparison, Condition, ConditionValue } from './policy.ts';
import { formOf, isComparable } from './value-type.ts';
import { nearestOf } from '../../nearest.ts';
import { propertyPath } from './path-text.ts';
import {
  always,
  areRight,
  closed,
  flagText,
  inOneForm,
  listOf,
  listOrOne,
  oneOf,
  PLAIN_PATTERN,
  text,
} from './vocabulary.ts';

const operator = text
  .transform((spelling, context): Operator => {
    const known = parseOperator(spelling);
    if (known !== undefined) return known;
    context.addIssue(`must be one of ${OPERATOR_NAMES.join(', ')}${nearestOf(spelling, OPERATOR_NAMES)}`);
    return z.NEVER;
  })
  // For the JSON schema of the chart.
  .meta({ pattern: operatorPattern(OPERATOR_NAMES) });

/** Booleans may be listed as they are. `${…}` is replaced by something about the caller, and has to be the whole value. */
const conditionValue = inOneForm<ConditionValue>((written) => {
  if (typeof written === 'boolean') return flagText;
  return typeof written === 'string' && written.includes('${') ? callerReference : valueText;
});

const ENTITY_ID = '${entityId}';
/** `${claims…}`: a claim, by what follows the `$` of its JSONPath. */
const CLAIM_PATTERN = CLAIM_PATH_PATTERN.replace(String.raw`^\$`, String.raw`^\$\{claims`).replace(
  /\$$/u,
  '\\}$',
);

/** For the JSON schema of the chart, which does not tell the two apart. */
export const VALUE_PATTERN = [PLAIN_PATTERN, String.raw`^\$\{entityId\}$`, CLAIM_PATTERN].join('|');

const valueText = z.string('must be text').meta({ pattern: VALUE_PATTERN });

const callerReference = z.string().transform((reference, context): ConditionValue => {
  const path = /^\$\{claims(?<path>.+)\}$/s.exec(reference)?.groups?.['path'];
  const claim = path === undefined ? undefined : parseClaimPath(`$${path}`);
  if (claim !== undefined) return { claim };
  if (reference === ENTITY_ID) return { caller: 'entityId' };
  context.addIssue(
    "must be text, ${entityId}, or a claim such as ${claims.region} or ${claims['https:region']}",
  );
  return z.NEVER;
});

function comparisonOf(value: z.ZodType<ConditionValue>): z.ZodType<Comparison> {
  return (
    closed(
      {
        attribute: propertyPath,
        operator,
        type: oneOf(VALUE_TYPES).default('STRING'),
        values: listOrOne(value),
        match: oneOf(['ANY', 'ALL']).optional(),
      },
      'a map with the key all or any, which has a list, or ',
    )
      .superRefine((written, context) => {
        if (areRight(context, 'operator', 'type', 'values')) checkType(written, context);
      }, always)
      // How the JSON schema of the chart finds the rules between its members.
      .meta({ rules: 'comparison' })
  );
}

function checkType(written: Comparison, context: z.RefinementCtx): void {
  // The check also runs on what was found wrong before: then the values may be anything.
  const values = Array.isArray(written.values) ? written.values : [];
  for (const { place, message } of typeProblems({ ...written, values }))
    context.addIssue({ code: 'custom', path: [...place], message });
}

interface TypeProblem {
  /** In the comparison. */
  readonly place: readonly (string | number)[];
  readonly message: string;
}

/** Which parts of a comparison do not go with its type. */
export function typeProblems({
  type,
  operator: compared,
  values,
}: Pick<Comparison, 'type' | 'operator' | 'values'>): readonly TypeProblem[] {
  const problems: TypeProblem[] = [];
  if (type === 'BOOLEAN' && relationOf(compared) === 'order')
    problems.push({ place: ['operator'], message: 'has no meaning for BOOLEAN, which has no order' });
  for (const [i, one] of values.entries()) {
    const message = typeof one === 'string' ? problemWith(one, type, compared) : undefined;
    if (message !== undefined) problems.push({ place: ['values', i], message });
  }
  return problems;
}

function problemWith(value: string, type: ValueType, compared: Operator): string | undefined {
  if (value === '' && relationOf(compared) === 'text')
    return 'must not be empty: every text has an empty part';
  return isComparable(type, compared, value) ? undefined : `must be ${formOf(type)}`;
}

/** How many levels of `all` and `any` may lie in each other. What is accepted here never fails a request. */
export const MAX_LEVELS = 64;

const tooDeep = z.never(`must not nest all and any more than ${MAX_LEVELS} levels deep`);

/**
 * When a policy holds: a comparison with the record, or a tree of them.
 *
 * @param value what a comparison may list as its values
 */
export function conditionOf(value: z.ZodType<ConditionValue>): z.ZodType<Condition> {
  const comparison = comparisonOf(value);
  const tree: z.ZodType<Condition> = inOneForm<Condition>((written) => {
    if (has(written, 'all')) return all;
    if (has(written, 'any')) return any;
    return misspeltKey(written) === undefined ? comparison : misspelt;
  });
  const parts = listOf(tree);
  const all = closed({ all: parts });
  const any = closed({ any: parts });
  return inOneForm<Condition>((written) => (nestsTooDeeply(written) ? tooDeep : tree));
}

const misspelt = z.unknown().transform((written, context): Condition => {
  const key = misspeltKey(written) ?? '';
  const message = `is not a known key${hintFor(key)}`;
  context.addIssue({ code: 'custom', path: [key], message });
  return z.NEVER;
});

/** What to write in place of the keys that other policy languages have. */
const OF_OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['and', '; write all'],
  ['or', '; write any'],
  ['not', '; use an operator that negates, such as NOT_IN'],
]);

function hintFor(key: string): string {
  return OF_OTHER_LANGUAGES.get(key.toLowerCase()) ?? nearestOf(key, ['all', 'any']);
}

/** The only key of a map, if it is meant as `all` or `any`, or negates. */
function misspeltKey(written: unknown): string | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const [[key, value] = [], ...others] = Object.entries(written);
  if (key === undefined || others.length > 0) return undefined;
  const isMeant = OF_OTHER_LANGUAGES.has(key.toLowerCase()) || Array.isArray(value);
  return isMeant && hintFor(key) !== '' ? key : undefined;
}

/** The condition of a policy file, which may compare with what is known about the caller. */
export const condition = conditionOf(conditionValue);

function nestsTooDeeply(written: unknown): boolean {
  let level: readonly unknown[] = [written];
  for (let depth = 0; depth <= MAX_LEVELS; depth++) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return false;
  }
  return true;
}

/** The conditions in a written `all` or `any`. */
function partsOf(written: unknown): readonly unknown[] {
  const parts = has(written, 'all') ? written['all'] : has(written, 'any') ? written['any'] : [];
  return Array.isArray(parts) ? parts : [];
}

function has<K extends string>(value: unknown, key: K): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

import * as z from 'zod';
import { NumberText } from '../../core/index.ts';
import { explain } from './explain.ts';
import { nearestOf } from '../../nearest.ts';

/** What zod reports about a value that it does not accept. */
interface Rejected {
  readonly code?: string | undefined;
  readonly input?: unknown;
}

/** The message for a value that is missing or of the wrong kind. */
export function expecting(what: string): (rejected: Rejected) => string {
  return ({ input }) => {
    if (input === undefined) return `is missing: it must be ${what}`;
    return input === null ? `is empty: it must be ${what}` : `must be ${what}`;
  };
}

/** Of what is not text, only true and false can be meant as such. */
function expectingText(rejected: Rejected): string {
  return expecting('text')(rejected) + (typeof rejected.input === 'boolean' ? '; put it in quotes' : '');
}

const anyText = z.string({ error: expectingText });

/** Text; a number is text too, as it was written. */
export const text = anyText.min(1, { error: 'must not be empty', abort: true });

/** A text without `${`, for the JSON schemas of charts. */
export const PLAIN_PATTERN = String.raw`^(?:[^$]|\$+[^${'$'}{])*\$*$`;

/** Text in which nothing is filled in. `${…}` would be taken literally there, and match nothing. */
export const plainText = plain(text);

/** The same, or the empty text. */
export const plainTextOrEmpty = plain(anyText);

function plain(written: z.ZodString): z.ZodString {
  return written
    .refine((one) => !one.includes('${'), 'must not have ${, because nothing is filled in here')
    .meta({ pattern: PLAIN_PATTERN });
}

export const flag = z.boolean({ error: expecting('true or false') });

/** True or false, as text: a condition compares texts. */
export const flagText = z.boolean().transform(String);

const countText = z
  .string({ error: expecting('a whole number') })
  .regex(/^\d{1,15}$/, 'must be a whole number, not negative');

/** A whole number, not negative. */
export const count = countText.transform(Number);

/** The same, up to a number. */
export function countUpTo(maximum: number) {
  return countText
    .refine((written) => Number(written) <= maximum, `must be at most ${maximum}`)
    .meta({ maximum })
    .transform(Number);
}

/** A list with at least one element. */
export function listOf<T extends z.ZodType>(element: T) {
  return z.array(element, { error: expecting('a list') }).min(1, 'must have at least one element');
}

/** A list with at least one element; a scalar counts as a list of one. */
export function listOrOne<T>(element: z.ZodType<T>) {
  const one = element.transform((only) => [only]);
  const list = listOf(element);
  return inOneForm<T[]>((value) => (isScalar(value) ? one : list));
}

/** Text, a boolean or a number, which may be an object that keeps its digits. */
function isScalar(value: unknown): boolean {
  return value instanceof NumberText || (value !== undefined && typeof value !== 'object');
}

/** A map whose keys are the file's own to choose. */
export function mapOf<T extends z.ZodType>(value: T) {
  return z.record(z.string(), value, { error: expecting('a map') });
}

/** One of a few words. */
export function oneOf<const T extends readonly string[]>(words: T) {
  const message = expecting(`one of ${words.join(', ')}`);
  return z.enum(words, {
    error: (rejected: Rejected) => message(rejected) + nearestOf(rejected.input, words),
  });
}

/**
 * A map with these keys and no others. The message for unknown keys is the list of the known ones: see `explain`.
 *
 * @param alternative what may be there instead, in words that fit before "a map"
 */
export function closed<T extends z.ZodRawShape>(shape: T, alternative = '') {
  const known = Object.keys(shape);
  const missing = expecting(`${alternative}a map with the keys ${known.join(', ')}`);
  return z.strictObject(shape, {
    error: (rejected: Rejected) =>
      rejected.code === 'unrecognized_keys' ? known.join(' ') : missing(rejected),
  });
}

/** The choice of each schema of several forms, from which the chart's JSON schema is generated. */
export const choices = new WeakMap<object, (value: unknown) => z.ZodType>();

/** For so many values, zod makes no code: that takes longer than to parse them without it. */
const SELDOM = 100;

/**
 * A value that can be written in several forms: `choose` recognizes the form by the value. It chooses among schemas that are there,
 * because to make one and to use it for the first time takes longer than to parse a policy.
 */
export function inOneForm<T>(choose: (value: unknown) => z.ZodType<T>) {
  let times = 0;
  const schema = z.unknown().transform((value, context): T => {
    times += 1;
    const result = choose(value).safeParse(value, { jitless: times < SELDOM });
    if (result.success) return result.data;
    for (const { place, shown, message } of explain(result.error.issues)) {
      context.addIssue({ code: 'custom', path: [...place], message, params: { shown } });
    }
    return z.NEVER;
  });
  choices.set(schema, choose);
  return schema;
}

/**
 * Runs a check even if other problems were found, so that all are reported at once; the check must ask {@link
 * areRight}.
 */
export const always = { when: () => true };

/** Whether neither the whole nor any of these members was found wrong so far. */
export function areRight(context: z.RefinementCtx<object>, ...members: readonly string[]): boolean {
  return !context.issues.some(({ code, path: [member] = [] }) =>
    member === undefined ? code !== 'unrecognized_keys' : members.includes(String(member)),
  );
}

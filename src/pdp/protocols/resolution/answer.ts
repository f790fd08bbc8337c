import * as z from 'zod';
import {
  DuplicateNameError,
  JsonDepthError,
  JsonSyntaxError,
  NumberText,
  TOP,
  bufferOf,
  scan,
  strictValueAt,
  type JsonValue,
} from '../../../core/index.ts';
import { ServiceError } from '../../../errors.ts';
import { notUnderstood, type Place } from './error.ts';

/** How deep a decision may nest: condition trees are written by people. */
const MAX_DECISION_DEPTH = 200;

/** A string, number or boolean as text. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.instanceof(NumberText)]).transform(String);
/** What names a property or an asset: an asset's identifier may be a number. */
const identifier = z.union([z.string(), z.number(), z.instanceof(NumberText)]).transform(String);
const absent = z.null().transform(() => undefined);
const optional = <T extends z.ZodType>(schema: T) => z.union([schema, absent]).optional();

/** One or several; a single one stands for a list of one. */
const list = <T extends z.ZodType>(item: T) => z.union([z.array(item), item.transform((one) => [one])]);

const policySchema = z.object({
  name: optional(z.string()),
  policyName: optional(z.string()),
  metadata: optional(
    z.union([
      z.record(z.string(), z.unknown()),
      z.array(z.object({ key: z.string(), value: z.unknown().optional() })),
    ]),
  ),
});
const policies = optional(z.array(policySchema));

const actionSchema = z.object({
  action: optional(z.string()),
  value: optional(scalar),
  'asset-attributes-filter': z.unknown().optional(),
  policies,
  accessPolicies: policies,
});

/** What an entry asks that names no action (specification 2.5). */
const DEFAULT_ACTIONS: z.output<typeof actionSchema>[] = [{ action: 'MASK' }];

const entrySchema = z.object({
  resourceType: z.string(),
  actions: z
    .union([z.array(actionSchema), absent.transform(() => [])])
    .default([])
    .transform((actions) => (actions.length > 0 ? actions : DEFAULT_ACTIONS)),
  policies,
  accessPolicies: policies,
});

const accessSchema = entrySchema.extend({
  path: optional(list(identifier)),
  attributes: optional(z.record(z.string(), z.unknown())),
});

const relevantSchema = z.looseObject({ resourceType: z.string() });
const relevantList = z.union([z.array(relevantSchema), absent.transform(() => [])]).default([]);

const answerSchema = z.looseObject({
  maskShort: optional(z.boolean()),
  response: z.array(
    z.looseObject({
      access: relevantList,
      privileges: optional(z.looseObject({ allowed: relevantList, denied: relevantList })),
    }),
  ),
});

const leafSchema = z.strictObject({
  attribute: z.string().min(1),
  type: optional(z.string()),
  operator: z.string(),
  values: list(scalar).refine((values) => values.length > 0),
  match: optional(z.string()),
});

/** Attribute values of an asset: a string stands for a list of one. */
export const attributeValues = list(z.string());

export type PolicyAnswer = z.output<typeof policySchema>;
export type ActionAnswer = z.output<typeof actionSchema>;
export type EntryAnswer = z.output<typeof entrySchema>;
export type AccessAnswer = z.output<typeof accessSchema>;
export type LeafAnswer = z.output<typeof leafSchema>;

/** An entry of a decision, not yet read further than its resource type, and its place. */
interface Unread {
  readonly resourceType: string;
  readonly value: unknown;
  readonly place: Place;
}

/** What a PDP answers, taken apart into its lists of entries (enforcement §5). */
export interface Answer {
  /** The embedded PDP says how its policies treat short values (masks.md). */
  readonly maskShort: boolean | undefined;
  readonly access: readonly Unread[];
  readonly allowed: readonly Unread[];
  readonly denied: readonly Unread[];
}

/**
 * Reads the PDP's answer.
 *
 * @param bytes JSON, UTF-8
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswer(bytes: Uint8Array): Answer {
  const { value, place } = unwrapped(parse(bytes));
  return readAnswerValue(value, place);
}

/**
 * Reads an answer that is a value already.
 *
 * @param place of the value in what the PDP sent
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswerValue(value: unknown, place: Place): Answer {
  const { response, maskShort } = read(answerSchema, value, place);
  return {
    maskShort,
    access: response.flatMap(({ access }, i) => unread(access, [...place, 'response', i, 'access'])),
    allowed: response.flatMap(({ privileges }, i) =>
      unread(privileges?.allowed, [...place, 'response', i, 'privileges', 'allowed']),
    ),
    denied: response.flatMap(({ privileges }, i) =>
      unread(privileges?.denied, [...place, 'response', i, 'privileges', 'denied']),
    ),
  };
}

function unread(entries: readonly { resourceType: string }[] = [], place: Place): readonly Unread[] {
  return entries.map((entry, i) => ({
    resourceType: entry.resourceType,
    value: entry,
    place: place.concat(i),
  }));
}

export function readAccess({ value, place }: Unread): AccessAnswer {
  return read(accessSchema, value, place);
}

export function readPrivilege({ value, place }: Unread): EntryAnswer {
  return read(entrySchema, value, place);
}

export function readLeaf(value: unknown, place: Place): LeafAnswer {
  return read(leafSchema, value, place);
}

/** Reads a part of the decision by its schema; the error names the place of the first problem. */
export function read<T extends z.ZodType>(schema: T, value: unknown, place: Place): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const path = error.issues[0]?.path ?? [];
  const steps = path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  throw notUnderstood('a part is missing or of the wrong type', [...place, ...steps]);
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    return strictValueAt(scan(bufferOf(bytes), MAX_DECISION_DEPTH), TOP);
  } catch (error) {
    if (error instanceof DuplicateNameError) throw notUnderstood(error.message, error.path);
    if (!(error instanceof JsonSyntaxError || error instanceof JsonDepthError)) throw error;
    throw new ServiceError(
      'decision-not-understood',
      'The decision of the PDP is not understood: it is not JSON.',
      {
        cause: error,
      },
    );
  }
}

/** The same object may come wrapped in `{ "data": … }`; what has both is not understood. */
function unwrapped(value: JsonValue): { readonly value: unknown; readonly place: Place } {
  const { success, data } = wrapperSchema.safeParse(value);
  if (!success) return { value, place: [] };
  if ('response' in data) throw notUnderstood('a response next to data', []);
  return { value: data.data, place: ['data'] };
}

const wrapperSchema = z.looseObject({ data: z.unknown().refine((data) => data !== undefined) });

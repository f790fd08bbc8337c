import lodash from 'lodash';
import * as z from 'zod';
import { MAX_PROBLEMS, type FieldProblem } from '../errors.ts';
import {
  isEmpty,
  Kind,
  NO_KEY_ID,
  PathSyntaxError,
  jsonPointer,
  keyIdOf,
  kindOf,
  namesOf,
  parseAttributePath,
  parsePath,
  stringAt,
  shallowValueAt,
  valueOf,
  type AttributePath,
  type JsonDocument,
  type JsonPart,
  type JsonValue,
  type KeyId,
  type Node,
  type Path,
} from '../core/index.ts';
import { nearest } from '../nearest.ts';
import { shortened } from '../shortened.ts';
import { expectationOf } from './expectation.ts';

/** How a decision is calculated: from policies over the payload, or over named assets. */
const CALCULATION_TYPES = ['resolution', 'context'] as const;
export type CalculationType = (typeof CALCULATION_TYPES)[number];

/** A text that can be parsed as a path. */
function pathBy(parse: (text: string) => unknown) {
  return z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof PathSyntaxError)) throw error;
      context.addIssue(`is not a path: ${error.message}`);
    }
  });
}

/** A longer name is not a misspelt one, in characters. */
const MAX_NAME = 64;
/** The longest mask string of a request, in UTF-16 units: it may replace every value. */
const MAX_MASK_STRING = 256;

/** The members of `parameters` as a caller or a route writes them. */
export const parametersSchema = z.object({
  root: pathBy(parsePath).optional(),
  assetType: z.string().min(1).optional(),
  calculationType: z.enum(CALCULATION_TYPES).optional(),
  maskString: z.string().max(MAX_MASK_STRING).optional(),
  filter: z.boolean().optional(),
  FILTER: z.boolean().optional(),
  assetId: pathBy(parseAttributePath).optional(),
  protectedObject: z.string().min(1).optional(),
});

/** The parameters of one request; a member is undefined if the caller did not send it. */
export interface Parameters {
  readonly root: Path | undefined;
  readonly assetType: string | undefined;
  readonly calculationType: CalculationType;
  readonly maskString: string | undefined;
  readonly filter: boolean | undefined;
  readonly assetId: AttributePath | undefined;
  readonly protectedObject: string | undefined;
}

export type ParametersResult =
  { readonly parameters: Parameters } | { readonly problems: readonly FieldProblem[] };

/**
 * Reads `parameters`.
 *
 * @param part an object; anything else counts as an empty one
 * @returns the parameters, or every problem with them
 */
export function readParameters(part: JsonPart | undefined): ParametersResult {
  if (part === undefined || kindOf(part.doc, part.node) !== Kind.object || isEmpty(part.doc, part.node))
    return NONE;
  const { value, problems: misnamed } = membersOf(part);
  const { success, data, error } = parametersSchema.safeParse(value);
  const problems = [
    ...misnamed,
    ...lodash.uniqBy((error?.issues ?? []).map(problemFrom), 'pointer'),
    ...missingForContext(value),
  ];
  return success && problems.length === 0 ? { parameters: parametersOf(data) } : { problems };
}

function parametersOf(data: z.infer<typeof parametersSchema>): Parameters {
  return {
    root: data.root === undefined ? undefined : parsePath(data.root),
    assetType: data.assetType,
    calculationType: data.calculationType ?? 'resolution',
    maskString: data.maskString,
    filter: data.filter ?? data.FILTER,
    assetId: data.assetId === undefined ? undefined : parseAttributePath(data.assetId),
    protectedObject: data.protectedObject,
  };
}

/** Many requests have no parameters: they need no schema, whose first use takes some milliseconds. */
const NONE: ParametersResult = { parameters: parametersOf({}) };

/** What is read of an object, and what is wrong with its names. */
interface ReadMembers {
  readonly value: Readonly<Record<string, JsonValue>>;
  readonly problems: readonly FieldProblem[];
}

const KNOWN = Object.keys(parametersSchema.shape);

/** @param texts of names that occurred before, by what they are numbered with */
function nameAt(doc: JsonDocument, place: Node, texts: Map<KeyId, string>): string {
  const id = keyIdOf(doc, place);
  const known = texts.get(id);
  if (known !== undefined) return known;
  const name = stringAt(doc, place);
  if (id !== NO_KEY_ID) texts.set(id, name);
  return name;
}

/**
 * The parameters of an object. A misspelt name must not mean that the parameter is left out, and of one that occurs twice nothing
 * decides which counts. What is in an object or array does not matter: none is expected.
 */
function membersOf({ doc, node }: JsonPart): ReadMembers {
  const value: Record<string, JsonValue> = {};
  const repeated = new Set<string>();
  const unknown = new Set<string>();
  const texts = new Map<KeyId, string>();
  for (const place of namesOf(doc, node)) {
    const name = nameAt(doc, place, texts);
    if (Object.hasOwn(value, name) || unknown.has(name)) repeated.add(name);
    else if (KNOWN.includes(name)) value[name] = shallowValueAt(doc, valueOf(place));
    else unknown.add(name);
    // No more are listed.
    if (repeated.size + unknown.size > MAX_PROBLEMS) break;
  }
  const problems = [
    ...Array.from(repeated, (name) => ({ pointer: pointerTo(name), detail: 'It may occur only once.' })),
    ...Array.from(unknown, (name) => ({ pointer: pointerTo(name), detail: unknownDetail(name, KNOWN) })),
  ];
  return { value, problems };
}

/** What is wrong with a member whose name is not known, for {@link FieldProblem}. */
export function unknownDetail(name: string, known: readonly string[]): string {
  const meant = meantBy(name, known);
  return meant === undefined ? 'Unknown.' : `Unknown. Did you mean ${meant}?`;
}

/** Whether a name is nearly one of others. */
export function isMisspelt(name: string, known: readonly string[]): boolean {
  return meantBy(name, known) !== undefined;
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  return name.length > MAX_NAME ? undefined : nearest(name, known);
}

function pointerTo(...steps: readonly PropertyKey[]): string {
  return jsonPointer(['parameters', ...steps.map(shortenedStep)]);
}

function shortenedStep(step: PropertyKey): PropertyKey {
  return typeof step === 'string' ? shortened(step) : step;
}

function missingForContext(value: ReadMembers['value']): FieldProblem[] {
  if (value['calculationType'] !== 'context') return [];
  return ['assetId', 'protectedObject']
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({
      pointer: pointerTo(name),
      detail: 'Required if calculationType is context.',
    }));
}

/** Messages of our own continue a sentence, as the configuration needs them. */
function problemFrom(issue: z.core.$ZodIssue): FieldProblem {
  const expectation = expectationOf(issue);
  const detail = expectation === undefined ? `It ${issue.message}.` : `It has to be ${expectation}.`;
  return { pointer: pointerTo(...issue.path), detail };
}

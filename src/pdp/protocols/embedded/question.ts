import _ from 'lodash';
import * as z from 'zod';
import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  NumberText,
  TOP,
  bufferOf,
  kindOf,
  jsonPointer,
  scan,
  type JsonDocument,
  type JsonValue,
  type Node,
} from '../../../core/index.ts';
import type { FieldProblem } from '../../../errors.ts';
import { DEEPEST, type Question as EnforcementQuestion } from '../../../enforcement/index.ts';
import { listOfRecords, listOfTexts, objectOf, readParts, SCALAR, type Form } from './members.ts';
import { PdpRefusal } from './refusal.ts';

const TEXT = 'It has to be a string that is not empty.';
const FLAG = 'It has to be true or false.';
const LIST = 'It has to be a list.';
const OBJECT = 'It has to be an object.';

/** How long what says who asks may be, in characters: each policy may repeat the name of a user in its conditions. */
export const MAX_IDENTITY = 4096;

export const text = z.string(TEXT).min(1, TEXT);
/** An asset is named by a value of the payload, which may be the empty text. */
export const assetId = z.string('It has to be a string.');
/** How many asset types or data mappers a question may name: each policy looks for its own among them. */
const MAX_NAMES = 10_000;
const TOO_MANY = `It may have at most ${MAX_NAMES} elements.`;
const TOO_LONG = `It may have at most ${MAX_IDENTITY} characters.`;
export const identity = text.max(MAX_IDENTITY, TOO_LONG);

/** An object with these members, and not a number: one that keeps all its digits is an object of JavaScript as well. */
export function members<const Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape, OBJECT);
  return z.preprocess((value) => (value instanceof NumberText ? 0 : value), object);
}

const uniqueTypes = (types: readonly { readonly name: string }[]) => _.uniqBy(types, 'name');

/** How the caller enters a scope, and which data mappers are chosen. */
const entering = {
  clientId: text.optional(),
  /** The other spelling of `clientId`. */
  clientID: text.optional(),
  clientSecret: z.string('It has to be a string.').max(MAX_IDENTITY, TOO_LONG).optional(),
  environment: members({
    resourceFullPath: z
      .array(text, LIST)
      .max(MAX_NAMES, TOO_MANY)
      .transform((names) => _.uniq(names))
      .optional(),
  }).optional(),
};
const ENTERING = {
  clientId: SCALAR,
  clientID: SCALAR,
  clientSecret: SCALAR,
  environment: objectOf({ resourceFullPath: listOfTexts(MAX_NAMES) }),
} as const;

/** The members of `vendor` that count where the user and the asset types are named elsewhere. */
export const enteringSchema = members(entering);
export const ENTERING_FORM: Form = objectOf(ENTERING);

/** The members of a PDP request that count here (docs/pdp-contract.md#the-question); all others are ignored. */
const questionSchema = z.object({
  ...entering,
  entityTypeId: identity.optional(),
  entityId: identity.optional(),
  includeAssetAttributes: z.boolean(FLAG).optional(),
  includeAccessPolicy: z.boolean(FLAG).optional(),
  resourceTypes: z
    .array(members({ name: text }), LIST)
    .max(MAX_NAMES, TOO_MANY)
    .transform(uniqueTypes)
    .optional(),
  assetList: z.array(members({ template: text, path: assetId }), LIST).optional(),
});

const QUESTION_FORM = objectOf({
  ...ENTERING,
  entityTypeId: SCALAR,
  entityId: SCALAR,
  includeAssetAttributes: SCALAR,
  includeAccessPolicy: SCALAR,
  resourceTypes: listOfRecords(['name'], MAX_NAMES),
  assetList: listOfRecords(['template', 'path'], Infinity),
} satisfies Record<keyof Question, Form>);

/** The body of a question to the PDP. */
export type Question = z.infer<typeof questionSchema>;

/** Whether an asset type is asked for. If the question names none, all are. */
export function asksFor({ resourceTypes }: Question, assetType: string): boolean {
  return resourceTypes === undefined || typesIn(resourceTypes).has(assetType);
}

type ResourceTypes = NonNullable<Question['resourceTypes']>;

/** The names of asset types, by the list of a question. Each policy looks for its own among them. */
const namesOfTypes = new WeakMap<ResourceTypes, ReadonlySet<string>>();

function typesIn(list: ResourceTypes): ReadonlySet<string> {
  const names = namesOfTypes.get(list) ?? new Set(list.map(({ name }) => name));
  namesOfTypes.set(list, names);
  return names;
}

/** As deep as a request's parts may nest at most (`maxDepth`), and the body around them. */
const MAX_DEPTH = DEEPEST + 1;

/**
 * Reads the body of a question: JSON in UTF-8.
 *
 * @throws PdpRefusal 400 with every member that is wrong; it quotes no values
 */
export function readQuestion(body: Uint8Array): Question {
  return questionAt(scanned(body), TOP);
}

/**
 * Reads the parts that count of a request in another protocol: JSON in UTF-8.
 *
 * @throws PdpRefusal 400 if it is not JSON, or if a member that counts occurs twice in one object
 */
export function readBodyParts(body: Uint8Array, form: Form): JsonValue {
  const { value, repeated } = readParts(scanned(body), TOP, form);
  if (repeated.length > 0) throw new PdpRefusal(400, 'A name occurs more than once in one object.');
  return value;
}

/**
 * The question of enforcement, with what it always needs: names of properties, policies and its own asset types.
 *
 * @throws PdpRefusal 400 with every member that is wrong; it quotes no values
 */
export function questionFrom({ vendor, assets, settings }: EnforcementQuestion): Question {
  const asked = questionAt(vendor.doc, vendor.node);
  const needed = assets === undefined ? [settings.assetType] : [settings.assetType, assets.type];
  const lacking = needed.filter((type) => asked.resourceTypes?.some(({ name }) => name === type) !== true);
  return {
    ...asked,
    includeAssetAttributes: true,
    includeAccessPolicy: true,
    resourceTypes: [...(asked.resourceTypes ?? []), ...lacking.map((name) => ({ name }))],
    ...(assets && { assetList: assets.ids.map((path) => ({ template: assets.type, path })) }),
  };
}

function questionAt(doc: JsonDocument, object: Node): Question {
  if (kindOf(doc, object) !== Kind.object) throw new PdpRefusal(400, 'The body is not a JSON object.');
  const { value, repeated } = readParts(doc, object, QUESTION_FORM);
  if (repeated.length > 0) throw refused('occurs more than once', repeated.map(repetition));
  const result = questionSchema.safeParse(value);
  if (result.success) return result.data;
  throw refused('is not of the right type', _.uniqBy(result.error.issues.map(problemFrom), 'pointer'));
}

/** @throws PdpRefusal 400 if the body is not JSON in UTF-8 */
function scanned(body: Uint8Array): JsonDocument {
  try {
    return scan(bufferOf(body), MAX_DEPTH);
  } catch (error) {
    if (error instanceof JsonDepthError) throw new PdpRefusal(400, 'The body nests too deeply.');
    if (error instanceof JsonSyntaxError) throw new PdpRefusal(400, 'The body is not valid JSON.');
    throw error;
  }
}

function repetition(pointer: string): FieldProblem {
  return { pointer, detail: 'It may occur only once.' };
}

function problemFrom({ path, message }: z.core.$ZodIssue): FieldProblem {
  return { pointer: jsonPointer(path), detail: message };
}

function refused(what: string, problems: readonly FieldProblem[]): PdpRefusal {
  const [first] = problems;
  const member = first?.pointer.slice(1).replaceAll('/', '.') ?? '';
  return new PdpRefusal(400, `\`${member}\` ${what}.`, problems);
}

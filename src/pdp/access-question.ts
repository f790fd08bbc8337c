import {
  Kind,
  NameIndex,
  SUBJECT,
  TOP,
  TextRuns,
  endOf,
  isString,
  kindOf,
  namesOf,
  rawAt,
  scalarTextAt,
  selectClaims,
  startOf,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../core/index.ts';
import type { Question } from '../enforcement/index.ts';
import { ServiceError } from '../errors.ts';

/** What the configuration adds to a question in the terms of AuthZEN. */
export interface AccessQuestionSettings {
  /** The name of the action, unless the caller names one. */
  readonly pdpAction: string;
  /** Members of `context`, unless the caller has some of that name. */
  readonly pdpContext: Readonly<Record<string, unknown>>;
}

/** A question in the terms of AuthZEN: each member is the text of a JSON object. */
export interface AccessQuestion {
  readonly subject: string;
  readonly action: string;
  readonly resource: string;
  readonly context: string;
}

const MEMBERS = ['subject', 'action', 'resource', 'context'] as const;
type Member = (typeof MEMBERS)[number];
/** The members of a subject in the words of the resolution protocol. */
const IDENTITY = ['entityId', 'entityTypeId'];
/** What may be there once only. */
const SINGLE = NameIndex.of([...MEMBERS, ...IDENTITY]);
const DEFAULT_SUBJECT_TYPE = 'user';
/** The member of the context for what the caller sends besides. */
const VENDOR = 'vendor';

/**
 * Builds the question: the caller's own members byte for byte, and what they lack filled in. All other members of the
 * caller's PDP request parameters go into `context.vendor`.
 *
 * @throws ServiceError `request-invalid` if a member is no object, is there twice, or if nobody is named as the subject
 */
export function accessQuestion(question: Question, settings: AccessQuestionSettings): AccessQuestion {
  const { doc, node: vendor } = question.vendor;
  const given = membersOf(doc, vendor);
  const own = (name: Member): string | undefined => objectText(doc, given.get(name), `/vendor/${name}`);
  const subject = own('subject');
  const used = new Set<string>([...MEMBERS, ...(subject === undefined ? IDENTITY : [])]);
  const others = new TextRuns(doc);
  for (const name of namesOf(doc, vendor)) {
    if (used.has(SINGLE.get(doc, name) ?? '')) others.end();
    else others.add(name, valueOf(name));
  }
  return {
    subject: subject ?? subjectFrom(question, given),
    action: own('action') ?? JSON.stringify({ name: settings.pdpAction }),
    resource: own('resource') ?? JSON.stringify(resourceFrom(question)),
    context: contextFrom(doc, given.get('context'), membersIn(others), settings.pdpContext),
  };
}

/** The resource that a question is about if the caller names none. */
function resourceFrom({ settings: { assetType, protectedObject } }: Question): unknown {
  return { type: protectedObject ?? assetType, id: assetType };
}

/** The caller's members that matter here, by name; none may be there twice. */
function membersOf(doc: JsonDocument, vendor: Node): ReadonlyMap<string, Node> {
  const members = new Map<string, Node>();
  for (const node of namesOf(doc, vendor)) {
    const name = SINGLE.get(doc, node);
    if (name === undefined) continue;
    if (members.has(name)) throw invalid(`/vendor/${name}`, 'It may be there once only.');
    members.set(name, valueOf(node));
  }
  return members;
}

function objectText(doc: JsonDocument, node: Node | undefined, pointer: string): string | undefined {
  if (node === undefined) return undefined;
  if (kindOf(doc, node) !== Kind.object) throw invalid(pointer, 'It has to be an object.');
  return rawAt(doc, node);
}

/** The user that the caller names, otherwise the one of the verified token with its claims as they are written. */
function subjectFrom({ vendor: { doc }, claims }: Question, given: ReadonlyMap<string, Node>): string {
  const type = textMember(doc, given, 'entityTypeId') ?? DEFAULT_SUBJECT_TYPE;
  const id = textMember(doc, given, 'entityId');
  if (id !== undefined) return JSON.stringify({ type, id });
  const sub = claims && subjectIn(claims);
  if (claims === undefined || sub === undefined)
    throw invalid('/vendor/subject', 'vendor/subject or vendor/entityId is required.');
  return objectOf([
    member('type', JSON.stringify(type)),
    member('id', JSON.stringify(sub)),
    member('properties', rawAt(claims, TOP)),
  ]);
}

/** The user of a token: a string that is not empty (RFC 7519 §4.1.2). */
function subjectIn(claims: JsonDocument): string | undefined {
  const [node] = selectClaims(claims, SUBJECT);
  if (node === undefined || !isString(kindOf(claims, node))) return undefined;
  return stringAt(claims, node) || undefined;
}

function textMember(doc: JsonDocument, given: ReadonlyMap<string, Node>, name: string): string | undefined {
  const node = given.get(name);
  if (node === undefined || kindOf(doc, node) === Kind.null) return undefined;
  const text = scalarTextAt(doc, node);
  if (text === undefined) throw invalid(`/vendor/${name}`, 'It has to be a string.');
  return text === '' ? undefined : text;
}

/** @param others members for `vendor`, each as it is written */
function contextFrom(
  doc: JsonDocument,
  given: Node | undefined,
  others: readonly string[],
  configured: AccessQuestionSettings['pdpContext'],
): string {
  objectText(doc, given, '/vendor/context');
  const own = new TextRuns(doc);
  const added = new Map<string, string>();
  for (const [name, value] of Object.entries(configured)) {
    // A key without a value is not given.
    if (value !== undefined) added.set(name, JSON.stringify(value));
  }
  if (others.length > 0) added.set(VENDOR, objectOf(others));
  const known = NameIndex.of(added.keys());
  for (const name of given === undefined ? [] : namesOf(doc, given)) {
    own.add(name, valueOf(name));
    const text = known.get(doc, name) ?? '';
    if (text === VENDOR)
      throw invalid(
        '/vendor/context/vendor',
        'The other members of vendor are sent there; leave one of both out.',
      );
    added.delete(text);
  }
  return objectOf([...membersIn(own), ...Array.from(added, ([name, json]) => member(name, json))]);
}

function membersIn(runs: TextRuns): readonly string[] {
  return runs.texts().map((text) => text.toString());
}

/** An object with these members, each a name and a value. */
export function objectOf(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

/** @param json the text of the value */
export function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

/** A member of an object as it is written. */
export function memberAt(doc: JsonDocument, name: Node): string {
  return doc.bytes.toString('utf8', startOf(doc, name), endOf(doc, valueOf(name)));
}

function invalid(pointer: string, detail: string): ServiceError {
  return new ServiceError('request-invalid', `The question to the PDP cannot be built: ${detail}`, {
    errors: [{ pointer, detail }],
  });
}

import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  bufferOf,
  elementsOf,
  isContainer,
  isEmpty,
  isString,
  kindOf,
  scan,
  type JsonDocument,
  type Node,
  type ShortenedText,
} from '../../../core/index.ts';
import { NEXT_TO_DATA, type Answer } from './answer-value.ts';
import { AnswerText, type Entry, type KnownEntry } from './entry.ts';
import { DEEPEST_DECISION } from '../deepest.ts';
import { notJson, notUnderstood, type JsonPointer } from '../not-understood.ts';
import { refuseDenial } from '../lost-denial.ts';
import { refusePart, refusePartsIn } from '../lost-rules.ts';
import { isOfPart } from '../recognized-parts.ts';
import { Misspelt } from '../misspelt.ts';
import { AROUND_SECTIONS, OF_SECTIONS } from './misspelt.ts';
import { asFlag, misshapen } from './parts.ts';

/** An answer while it is taken apart. */
interface AnswerParts extends Answer {
  readonly text: AnswerText;
  readonly misspelt: Misspelt;
  maskShort: boolean | undefined;
  readonly access: Entry[];
  readonly allowed: Entry[];
  readonly denied: Entry[];
}

/** Reads a member of an object. */
type Reader = (answer: AnswerParts, node: Node, place: JsonPointer) => void;
/** What reads the members of an object, by their names; null is not read. */
type Readers = ReadonlyMap<string, Reader>;

/**
 * Takes the PDP's answer apart, from its bytes. Its entries are not read yet; everything else is.
 *
 * @param bytes JSON, UTF-8
 * @param shortened the text, if the bytes have placeholders for entries that are known
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswer(bytes: Uint8Array, shortened?: ShortenedText<KnownEntry>): Answer {
  const text = new AnswerText(scanned(bytes), shortened);
  const misspelt = new Misspelt();
  const answer: AnswerParts = { text, misspelt, maskShort: undefined, access: [], allowed: [], denied: [] };
  const members = text.members(TOP, []);
  const data = members.get('data');
  if (data === undefined) return readUnwrapped(answer, members, []);
  // The same object may come wrapped in `{ "data": … }`; what has both is not understood.
  if (members.has('response')) throw notUnderstood(NEXT_TO_DATA, []);
  const unwrapped = text.members(data, ['data']);
  if (unwrapped.has('data')) throw notUnderstood(NEXT_TO_DATA, ['data']);
  readMembers(answer, members, [], OF_WRAPPING);
  return readUnwrapped(answer, unwrapped, ['data']);
}

function scanned(bytes: Uint8Array): JsonDocument {
  try {
    return scan(bufferOf(bytes), DEEPEST_DECISION);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof JsonDepthError)) throw error;
    throw notJson(bytes, error);
  }
}

function readUnwrapped(answer: AnswerParts, members: ReadonlyMap<string, Node>, place: JsonPointer): Answer {
  const response = members.get('response');
  if (response === undefined || kindOf(answer.text.doc, response) === Kind.null)
    throw misshapen([...place, 'response']);
  readMembers(answer, members, place, OF_ANSWER);
  return answer;
}

const OF_PRIVILEGES: Readers = new Map<string, Reader>([
  ['allowed', ({ text, allowed }, list, at) => text.addEntries(allowed, list, at)],
  ['denied', ({ text, denied }, list, at) => text.addEntries(denied, list, at)],
]);
const OF_SECTION: Readers = new Map<string, Reader>([
  ['access', ({ text, access }, list, at) => text.addEntries(access, list, at)],
  ['privileges', (answer, node, at) => readMembers(answer, answer.text.members(node, at), at, OF_PRIVILEGES)],
]);
/** Where every name is asked about. Around them, PDPs may add what they like: only what has parts is. */
const GUARDED: ReadonlySet<Readers> = new Set([OF_PRIVILEGES, OF_SECTION]);
const OF_ANSWER: Readers = new Map<string, Reader>([
  ['response', readSections],
  ['maskShort', readMaskShort],
]);
const OF_WRAPPING: Readers = new Map<string, Reader>([['data', () => undefined]]);

function readSections(answer: AnswerParts, list: Node, at: JsonPointer): void {
  const { text } = answer;
  if (kindOf(text.doc, list) !== Kind.array) throw misshapen(at);
  let index = 0;
  for (const section of elementsOf(text.doc, list)) {
    const one = [...at, index++];
    readMembers(answer, text.members(section, one), one, OF_SECTION);
  }
}

function readMaskShort(answer: AnswerParts, flag: Node, at: JsonPointer): void {
  answer.maskShort = asFlag(answer.text.value(flag, at), at);
}

/** Reads the members that are known, and refuses others that would lose rules. */
function readMembers(
  answer: AnswerParts,
  members: ReadonlyMap<string, Node>,
  place: JsonPointer,
  readers: Readers,
): void {
  const { text } = answer;
  const isGuarded = GUARDED.has(readers);
  const ofPart: Record<string, unknown> = {};
  let hasParts = false;
  for (const [name, node] of members) {
    const read = readers.get(name);
    if (read !== undefined) {
      hasParts = true;
      if (kindOf(text.doc, node) !== Kind.null) read(answer, node, [...place, name]);
      continue;
    }
    refuseUnread(answer, name, node, place, isGuarded);
    if (isOfPart(name)) ofPart[name] = text.value(node, [...place, name]);
  }
  // Beside what is read, PDPs may repeat the resource of the question.
  refusePart(ofPart, isGuarded && !hasParts, () => place);
}

/** Refuses a member that is not read if it would lose rules; names in it must be unique as everywhere in an answer. */
function refuseUnread(
  { text, misspelt }: AnswerParts,
  name: string,
  node: Node,
  place: JsonPointer,
  isGuarded: boolean,
): void {
  const kind = kindOf(text.doc, node);
  if (kind === Kind.null) return;
  if (kind === Kind.true || kind === Kind.false) {
    refuseDenial(name, kind === Kind.true, place);
    return;
  }
  const at = [...place, name];
  if (isString(kind)) refuseDenial(name, text.value(node, at), place);
  if (isGuarded ? isContainer(kind) : saysSomething(text.doc, node))
    misspelt.refuse(name, isGuarded ? OF_SECTIONS : AROUND_SECTIONS, place);
  if (isContainer(kind) && !text.isHarmless(node)) refusePartsIn(text.value(node, at), at);
}

/** Whether a value may have rules in it. */
function saysSomething(doc: JsonDocument, node: Node): boolean {
  return isContainer(kindOf(doc, node)) && !isEmpty(doc, node);
}

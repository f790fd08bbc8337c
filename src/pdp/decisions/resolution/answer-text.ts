import {
  JsonDepthError,
  JsonSyntaxError,
  Kind,
  TOP,
  bufferOf,
  elementsOf,
  isContainer,
  kindOf,
  scan,
  type JsonDocument,
  type Node,
  type ShortenedText,
} from '../../../core/index.ts';
import { NEXT_TO_DATA, type Answer } from './answer-value.ts';
import { AnswerText, type Entry, type KnownEntry } from './entry.ts';
import { notJson, notUnderstood, type JsonPointer } from '../not-understood.ts';
import { asFlag, misshapen } from './parts.ts';

/** How deep a decision may nest: condition trees are written by people. */
const MAX_DECISION_DEPTH = 200;

/** What reads members of an object, by their names; null is not read. */
type Readers = ReadonlyMap<string, (node: Node, place: JsonPointer) => void>;

/**
 * Takes the PDP's answer apart, from its bytes. Its entries are not read yet; everything else is.
 *
 * @param bytes JSON, UTF-8
 * @param shortened the text, if the bytes have placeholders for entries that are known
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswer(bytes: Uint8Array, shortened?: ShortenedText<KnownEntry>): Answer {
  const text = new AnswerText(scanned(bytes), shortened);
  const members = text.members(TOP, []);
  const data = members.get('data');
  if (data === undefined) return readUnwrapped(text, members, []);
  // The same object may come wrapped in `{ "data": … }`; what has both is not understood.
  if (members.has('response')) throw notUnderstood(NEXT_TO_DATA, []);
  const unwrapped = text.members(data, ['data']);
  if (unwrapped.has('data')) throw notUnderstood(NEXT_TO_DATA, ['data']);
  readMembers(text, members, [], new Map([['data', () => undefined]]));
  return readUnwrapped(text, unwrapped, ['data']);
}

function scanned(bytes: Uint8Array): JsonDocument {
  try {
    return scan(bufferOf(bytes), MAX_DECISION_DEPTH);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof JsonDepthError)) throw error;
    throw notJson(bytes, error);
  }
}

function readUnwrapped(text: AnswerText, members: ReadonlyMap<string, Node>, place: JsonPointer): Answer {
  const access: Entry[] = [];
  const allowed: Entry[] = [];
  const denied: Entry[] = [];
  let maskShort: boolean | undefined;

  const into = (entries: Entry[]) => (list: Node, at: JsonPointer) => text.addEntries(entries, list, at);
  const ofPrivileges: Readers = new Map([
    ['allowed', into(allowed)],
    ['denied', into(denied)],
  ]);
  const ofSection: Readers = new Map([
    ['access', into(access)],
    ['privileges', (node, at) => readMembers(text, text.members(node, at), at, ofPrivileges)],
  ]);
  const readSections = (list: Node, at: JsonPointer): void => {
    if (kindOf(text.doc, list) !== Kind.array) throw misshapen(at);
    let index = 0;
    for (const section of elementsOf(text.doc, list)) {
      const one = [...at, index++];
      readMembers(text, text.members(section, one), one, ofSection);
    }
  };
  const readMaskShort = (flag: Node, at: JsonPointer): void => {
    maskShort = asFlag(text.value(flag, at), at);
  };

  const response = members.get('response');
  if (response === undefined || kindOf(text.doc, response) === Kind.null)
    throw misshapen([...place, 'response']);
  readMembers(
    text,
    members,
    place,
    new Map([
      ['response', readSections],
      ['maskShort', readMaskShort],
    ]),
  );
  return { maskShort, access, allowed, denied };
}

/** Reads the members that are known; of the others, names must be unique as everywhere in an answer. */
function readMembers(
  text: AnswerText,
  members: ReadonlyMap<string, Node>,
  place: JsonPointer,
  readers: Readers,
): void {
  for (const [name, node] of members) {
    const kind = kindOf(text.doc, node);
    const read = readers.get(name);
    if (read === undefined ? !isContainer(kind) : kind === Kind.null) continue;
    const at = [...place, name];
    if (read === undefined) text.value(node, at);
    else read(node, at);
  }
}

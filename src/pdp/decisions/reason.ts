import {
  TOP,
  hasUniqueNames,
  isString,
  kindOf,
  namesOf,
  scan,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../core/index.ts';
import { quotesConfidential } from './confidential.ts';
import type { Sent } from '../port.ts';

const MAX_CHARACTERS = 200;

/** A longer answer is not searched for a reason, in bytes. */
const MAX_BYTES = 16 * 1024;
/** How deep an answer may nest to be searched: enough for any error object. */
const MAX_DEPTH = 16;

/** Members of an error object that say what is wrong, the most specific first. */
const REASON_MEMBERS = ['message', 'detail', 'error_description', 'reason', 'error', 'title'] as const;

/** Letters, digits, punctuation, symbols and spaces, on one line: nothing that controls a terminal or turns the text. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
/** How JSON objects, arrays and strings begin, and any tag of HTML or XML. */
const MARKUP = /^[[{"]|<[/!?a-z]/i;

/**
 * The reason in an answer that refuses a question: the answer itself, as plain text or as a JSON string, or the member of a
 * JSON object that states the problem.
 *
 * @param body the PDP's answer, not compressed
 * @returns as {@link reasonIn}; undefined if the answer is long or has none
 */
export function refusalReason(body: Uint8Array, question: Sent): string | undefined {
  if (body.length > MAX_BYTES) return undefined;
  const text = decodedText(body)?.trim();
  if (text === undefined) return undefined;
  if (!/^[{"]/.test(text)) return reasonIn(text, question);
  const reasons = statedReasons(text).map((one) => reasonIn(one, question));
  return reasons.find((one) => one !== undefined);
}

/**
 * A reason of the PDP as it may be passed on to the caller: one short line of plain text that quotes neither
 * credentials nor payload values.
 *
 * @returns undefined if the text is anything else
 */
export function reasonIn(text: string, question: Sent): string | undefined {
  const reason = text.trim();
  if (!isShortPlainText(reason)) return undefined;
  return quotesConfidential(reason, question) ? undefined : reason;
}

function isShortPlainText(text: string): boolean {
  return text.length <= MAX_CHARACTERS && PRINTABLE.test(text) && !MARKUP.test(text);
}

/** What a JSON string or the members of a JSON object state; nothing if it is no JSON or has a name twice. */
function statedReasons(json: string): readonly string[] {
  const doc = scanned(json);
  if (doc === undefined) return [];
  const whole = textAt(doc, TOP);
  if (whole !== undefined) return [whole];
  if (!hasUniqueNames(doc, TOP)) return [];
  const texts = new Map(
    Array.from(namesOf(doc, TOP), (name) => [stringAt(doc, name), textAt(doc, valueOf(name))]),
  );
  return REASON_MEMBERS.map((member) => texts.get(member)).filter((text) => text !== undefined);
}

function textAt(doc: JsonDocument, node: Node): string | undefined {
  return isString(kindOf(doc, node)) ? stringAt(doc, node) : undefined;
}

function scanned(json: string): JsonDocument | undefined {
  try {
    return scan(Buffer.from(json), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

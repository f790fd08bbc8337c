import { quotesConfidential } from './confidential.ts';
import type { Sent } from './exchange.ts';

const MAX_CHARACTERS = 200;

/** Letters, digits, punctuation, symbols and spaces, on one line: nothing that controls a terminal or turns the text. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]+$/u;
/** How JSON objects, arrays and strings begin, and any tag of HTML or XML. */
const MARKUP = /^[[{"]|<[/!?a-z]/i;

/**
 * The PDP's reason for refusing, where it is one that may be passed on: short plain text that quotes neither credentials
 * nor payload values (enforcement §10).
 *
 * @param body the PDP's answer, not compressed
 * @returns the text, or undefined where it is anything else
 */
export function refusalReason(body: Uint8Array, question: Sent): string | undefined {
  const text = decodedText(body)?.trim();
  if (text === undefined || !isShortPlainText(text)) return undefined;
  return quotesConfidential(text, question) ? undefined : text;
}

function isShortPlainText(text: string): boolean {
  return text.length <= MAX_CHARACTERS && PRINTABLE.test(text) && !MARKUP.test(text);
}

function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

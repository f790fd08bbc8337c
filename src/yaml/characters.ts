import type { Problem } from './problem.ts';

/**
 * Characters that YAML does not allow, and those that end a line only for some editors and readers: what these show below a comment would
 * be part of it. A byte order mark may be the first character.
 */
const UNFIT = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\p{Cs}\u2028\u2029\uFFFE\uFFFF]|(?!^)\uFEFF/gu;

const LONE_RETURN = 'A carriage return ends no line without a line feed; end lines with LF or CRLF.';

/** The characters that a YAML file cannot have: the first of each line. */
export function unfitCharacters(text: string): readonly Problem[] {
  const problems: Problem[] = [];
  let line = 1;
  let end = 0;
  for (const { 0: character, index } of text.matchAll(UNFIT)) {
    line += text.slice(end, index).split('\n').length - 1;
    end = index;
    if (problems.at(-1)?.line !== line) problems.push({ line, key: '', message: messageOf(character) });
  }
  return problems;
}

function messageOf(character: string): string {
  if (character === '\r') return LONE_RETURN;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `The character U+${code} is not allowed; in double quotes, it is written \\u${code}.`;
}

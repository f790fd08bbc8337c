import { SPACES } from '../../core/index.ts';

/** Characters that nobody sees: the soft hyphen, the zero width space and the word joiner. They come along with what is copied. */
export const UNSEEN = '\u00AD\u200B\u2060';

/** What a dotted path begins with in other dialects, or has in its names, and what to write instead. */
const DIALECTS: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /^\//u,
    "begins with /, as a JSON pointer does; write customer.ssn, and $['/a'] for a property whose name begins with /",
  ],
  [/^@(?:$|[.[])/u, "begins with @; write customer.ssn, and $['@'] for a property of that name"],
  [
    /[[\]]/u,
    "has a bracket; write cards.#.number, or JSONPath, which begins with $, and $['a[b]'] for a property whose name has one",
  ],
  [/,/u, "has a comma; list each path by itself, and write $['a,b'] for a property whose name has one"],
  [
    /[{}"]/u,
    "has a brace or a quote, and nothing in paths is replaced; write customer.ssn, and $['{a}'] for a property whose name has one",
  ],
  [
    /^['`]/u,
    'begins with a quote; write customer.ssn, and JSONPath, which begins with $, for a property whose name begins with one',
  ],
  [
    new RegExp(`[${UNSEEN}]`, 'u'),
    'has a character that is not seen; remove it, and write JSONPath, which begins with $, for a property whose name has one',
  ],
  [
    /(?:^|\.)\s|\s(?:\.|$)/u,
    "has a name that begins or ends with a blank; remove the blank, and write $[' a'] for a property whose name has it",
  ],
];

const JSON_PATH = /^\$(?:$|[.[])/u;
const ESCAPED = /\\./gsu;

/** Whether a path is JSONPath. */
export function isJsonPath(path: string): boolean {
  return JSON_PATH.test(path);
}

/**
 * Recognizes a dotted path that is meant in another dialect, in which it would name properties that no payload has. An
 * escape makes any character ordinary.
 *
 * @returns what is wrong and what would be right, as the rest of a sentence; undefined if nothing is
 */
export function dialectOf(path: string): string | undefined {
  if (isJsonPath(path)) return undefined;
  const plain = path.replaceAll(ESCAPED, '_');
  return DIALECTS.find(([pattern]) => pattern.test(plain))?.[1];
}

/** A character of a name, or an escape. */
const UNIT = String.raw`(?:[^\\.[\],{}"${SPACES}${UNSEEN}]|\\[\s\S])`;
const REST = String.raw`(?:${UNIT}|[${SPACES}])*${UNIT}`;
const FIRST_NAME = String.raw`(?:[^\\.[\],/@{}"'\x60${SPACES}${UNSEEN}]|\\[\s\S])(?:${REST})?|@${REST}`;

/** The paths that {@link dialectOf} has nothing against, as a regular expression that Go has as well: for the JSON schema of the chart. */
export const OWN_DIALECT = String.raw`^(?:\$(?:[.[][\s\S]*)?|(?:${FIRST_NAME})(?:\.${UNIT}(?:${REST})?)*)$`;

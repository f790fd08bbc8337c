import { parseJsonPath } from './jsonpath.ts';
import { literalSegment, type Path, type Segment } from './path.ts';
import { PathSyntaxError } from './syntax-error.ts';
import { MANY, ONE, Wildcard, type WildcardToken } from './wildcard.ts';

/** The longest path that is read, in characters: longer than any real one, short enough to compile at once. */
const MAX_PATH_LENGTH = 4096;
/** The most segments of a path. A prefix and a name are joined, and missing objects are created one level at a time. */
const MAX_SEGMENTS = 512;

/** `$`, `$.…` and `$[…]`; any other name may begin with `$`. */
const JSON_PATH = /^\$(?:$|[.[])/u;

/** Names without any character that means something else in some place. */
const PLAIN = /^[^.\\*?#$]+(?:\.[^.\\*?#$]+)*$/u;

/** In longer names, an expression looks for these characters faster. */
const SHORT_NAME = 32;
/** By UTF-16 units. */
const SPECIAL = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  Number(!PLAIN.test(String.fromCharCode(unit))),
);

/**
 * Parses a path: dotted or JSONPath (docs/path-syntax.md).
 *
 * @throws PathSyntaxError if it cannot be parsed
 */
export function parsePath(text: string): Path {
  if (text.length > MAX_PATH_LENGTH)
    throw new PathSyntaxError('more characters than are allowed', MAX_PATH_LENGTH);
  if (isPlainName(text)) return [literalSegment(text)];
  const path = parseSegments(text);
  if (path.length > MAX_SEGMENTS) throw new PathSyntaxError('more segments than are allowed', text.length);
  return path;
}

function parseSegments(text: string): Path {
  if (PLAIN.test(text)) return text.split('.').map(literalSegment);
  return JSON_PATH.test(text) ? parseJsonPath(text) : parseDotted(text);
}

/** Whether a path is one name without such characters: most are, and to look at each character takes less than an expression. */
function isPlainName(text: string): boolean {
  if (text.length > SHORT_NAME) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < SPECIAL.length && SPECIAL[unit] === 1) return false;
  }
  return text !== '';
}

/** A path that reads an attribute of a record, or of the payload around it (docs/path-syntax.md). */
export interface AttributePath {
  readonly path: Path;
  /** Whether it begins at the payload by its spelling: with `json` or `$`. */
  readonly isAnchored: boolean;
}

/** @throws PathSyntaxError if it cannot be parsed */
export function parseAttributePath(text: string): AttributePath {
  const path = parsePath(text);
  const [first] = path;
  return { path, isAnchored: JSON_PATH.test(text) || (first?.kind === 'name' && first.name === 'json') };
}

function parseDotted(text: string): Path {
  const segments: Segment[] = [];
  for (let at = 0; at <= text.length;) {
    const reader = new SegmentReader(text, at);
    segments.push(reader.read());
    at = reader.end + 1;
  }
  return segments;
}

/** Reads one segment: characters up to the next dot that no backslash makes ordinary. */
class SegmentReader {
  /** The place of the dot after the segment, or the end of the text. */
  end: number;
  private readonly text: string;
  private readonly start: number;
  private name = '';
  private escapes = false;
  private wildcards = false;
  private readonly tokens: WildcardToken[] = [];

  constructor(text: string, start: number) {
    this.text = text;
    this.start = start;
    this.end = start;
  }

  read(): Segment {
    while (this.end < this.text.length && this.text[this.end] !== '.') this.character();
    if (this.end === this.start) throw new PathSyntaxError('an empty property name', this.start);
    if (this.wildcards) return { kind: 'wildcard', wildcard: new Wildcard(this.tokens) };
    if (this.escapes) return { kind: 'name', name: this.name };
    if (this.name === '#') return { kind: 'each' };
    if (this.name.startsWith('#(')) throw new PathSyntaxError('a query, which is not supported,', this.start);
    return literalSegment(this.name);
  }

  private character(): void {
    const character = String.fromCodePoint(this.text.codePointAt(this.end) ?? 0);
    if (character === '\\') this.escaped();
    else if (character === '*' || character === '?') this.wildcard(character);
    else this.ordinary(character);
  }

  private escaped(): void {
    const character = this.text.codePointAt(this.end + 1);
    if (character === undefined)
      throw new PathSyntaxError('a backslash without a character after it', this.end);
    this.escapes = true;
    this.end++;
    this.ordinary(String.fromCodePoint(character));
  }

  private wildcard(character: '*' | '?'): void {
    this.wildcards = true;
    this.tokens.push(character === '*' ? MANY : ONE);
    this.end++;
  }

  private ordinary(character: string): void {
    this.name += character;
    this.tokens.push(character);
    this.end += character.length;
  }
}

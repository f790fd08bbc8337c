/** The segments of a path. */
export type Segments = readonly string[];

const PARAMETERS = /(?:;|%3B).*/u;
/** What a second decoding changes, and what ends a path that is decoded before it is parsed. */
const DECODABLE = /%(?:25[\da-f]{2}|23|3f)/iu;
const END_OF_PATH = /[?#].*/su;
/** What file systems and routers drop from the ends of a name. */
const BLANKS: readonly string[] = ['%20', '%C2%A0', ' ', '\u00a0'];
const TRIMMABLE = /^(?:%20|%C2%A0|[ \u00a0])|(?:\.|%20|%C2%A0|[ \u00a0])$/u;

type Change = (written: Segments) => Segments;

/**
 * What a path is to servers that read more into it than RFC 3986 does: with one of their habits, or with all of them. Dot
 * segments are not resolved yet.
 *
 * @param written the segments, of which unreserved characters are decoded
 */
export function otherSpellings(written: Segments): readonly Segments[] {
  const alone = HABITS.map((change) => change(written));
  const local = HABITS.slice(1).reduce((path, change) => change(path), written);
  const all = HABITS.reduce((path, change) => change(path), written);
  return [...new Set([...alone, local, all])].filter((one) => one !== written);
}

/** The order is that in which a server has them. */
const HABITS: readonly Change[] = [withoutAuthority, decodedAgain, withoutParameters, trimmed];

/** `//host/path`: a server that resolves the target as a reference takes the first name for a host (RFC 3986 §4.2). */
function withoutAuthority(written: Segments): Segments {
  if (written[0] !== '') return written;
  const host = written.findIndex((segment) => segment !== '');
  return host < 0 ? written : written.slice(host + 1);
}

/** `%2563` is `c` if the path is decoded twice, and `%3F` ends it if it is decoded before it is parsed. */
function decodedAgain(written: Segments): Segments {
  if (!written.some((segment) => DECODABLE.test(segment))) return written;
  const path: string[] = [];
  for (const segment of written) {
    const once = decoded(segment);
    const name = once.replace(END_OF_PATH, '');
    path.push(name);
    if (name !== once) break;
  }
  return path;
}

/** Without `;v=1` (RFC 3986 §3.3). */
export function withoutParameters(written: Segments): Segments {
  if (!written.some((segment) => PARAMETERS.test(segment))) return written;
  return written.map((segment) => segment.replace(PARAMETERS, ''));
}

/** Without dots and blanks at the end of names, and without blanks before them. */
function trimmed(written: Segments): Segments {
  if (!written.some((segment) => TRIMMABLE.test(segment) && !isDots(segment))) return written;
  return written.map((segment) => (isDots(segment) ? segment : withoutBlanks(segment)));
}

/** Takes time that is linear in the name, as a regular expression for it would not. */
function withoutBlanks(segment: string): string {
  let start = 0;
  let end = segment.length;
  for (;;) {
    const first = BLANKS.find((blank) => segment.startsWith(blank, start));
    if (first === undefined) break;
    start += first.length;
  }
  while (end > start) {
    const last = segment.endsWith('.', end) ? '.' : BLANKS.find((blank) => segment.endsWith(blank, end));
    if (last === undefined) break;
    end -= last.length;
  }
  return segment.slice(start, end);
}

/** Whether it is a dot segment. */
export function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

/** The text of a segment; the segment itself if it cannot be decoded. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

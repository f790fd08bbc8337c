import _ from 'lodash';

/** The segments of a path. */
export type Segments = readonly string[];

const PARAMETERS = /(?:;|%3B).*/u;
/** What a second decoding changes. */
const TWICE = /%25[\da-f]{2}/iu;
/** Encoded, it is one for a second decoder. */
const PLUS = /\+|%(?:25)?2B/iu;
const PLUSES = new RegExp(PLUS.source, 'giu');
const ENCODED_QUERY = /(?:%3F|%23|[?#]).*/su;
/** What file systems, routers and the `trim()` of languages drop from the ends of a name. */
const BLANK_CHARACTERS: readonly string[] = [
  0x20,
  0x85,
  0xa0,
  0x1680,
  ..._.range(0x2000, 0x200b),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
  0xfeff,
].map((code) => String.fromCharCode(code));
const BLANKS: readonly string[] = BLANK_CHARACTERS.flatMap((one) => [encodeURIComponent(one), one]);
const DOTS_AND_BLANKS: readonly string[] = ['.', ...BLANKS];
const BLANK_ENDED = new RegExp(`^(?:${BLANKS.join('|')})|(?:${BLANKS.join('|')})$`, 'u');
const TRIMMABLE = new RegExp(`${BLANK_ENDED.source}|\\.$`, 'u');

type Change = (written: Segments) => Segments;

/** The order is that in which a server has them. */
const HABITS: readonly Change[] = [
  withoutAuthority,
  withoutPluses,
  decodedOnce,
  withoutEncodedQuery,
  beforeParameters,
  withoutParameters,
  withoutBlanks,
  trimmed,
];

/**
 * What a path is to servers that read more into it than RFC 3986 does, with any of their habits: at most 255 others. Dot
 * segments are not resolved yet.
 *
 * @param written the segments, of which unreserved characters are decoded
 * @param most how many others there may be
 * @returns undefined if there are more
 */
export function otherSpellings(written: Segments, most: number): readonly Segments[] | undefined {
  const spellings: Segments[] = [written];
  for (const change of HABITS) {
    const known = spellings.slice();
    for (const one of known) {
      const changed = change(one);
      if (changed !== one) spellings.push(changed);
      if (spellings.length > most + 1) return undefined;
    }
  }
  return spellings.slice(1);
}

/** `//host/path`: a server that resolves the target as a reference takes the first name for a host (RFC 3986 §4.2). */
function withoutAuthority(written: Segments): Segments {
  if (written[0] !== '') return written;
  const host = written.findIndex((segment) => segment !== '');
  return host < 0 ? written : written.slice(host + 1);
}

/** Decoders of forms take `+` for a blank in paths, too. */
function withoutPluses(written: Segments): Segments {
  if (!written.some((segment) => PLUS.test(segment))) return written;
  return written.map((segment) => segment.replaceAll(PLUSES, '%20'));
}

/** `%2563` is `c` if the path is decoded twice. */
function decodedOnce(written: Segments): Segments {
  return written.some((segment) => TWICE.test(segment)) ? written.map(decoded) : written;
}

/** `%3F` and `%23` end the path if it is decoded before it is parsed. */
function withoutEncodedQuery(written: Segments): Segments {
  const last = written.findIndex((segment) => ENCODED_QUERY.test(segment));
  if (last < 0) return written;
  return [...written.slice(0, last), written[last]?.replace(ENCODED_QUERY, '') ?? ''];
}

/** `;` ends the path, as `?` does. */
function beforeParameters(written: Segments): Segments {
  const last = written.findIndex((segment) => PARAMETERS.test(segment));
  if (last < 0 || last === written.length - 1) return written;
  return [...written.slice(0, last), written[last]?.replace(PARAMETERS, '') ?? ''];
}

/** Without `;v=1` (RFC 3986 §3.3). */
export function withoutParameters(written: Segments): Segments {
  if (!written.some((segment) => PARAMETERS.test(segment))) return written;
  return written.map((segment) => segment.replace(PARAMETERS, ''));
}

/** Without blanks around names: `..%20` is a dot segment then. */
function withoutBlanks(written: Segments): Segments {
  if (!written.some((segment) => BLANK_ENDED.test(segment))) return written;
  return written.map((segment) => withoutEnds(segment, BLANKS));
}

/** Without dots and blanks at the end of names, and without blanks before them. */
function trimmed(written: Segments): Segments {
  if (!written.some((segment) => TRIMMABLE.test(segment) && !isDots(segment))) return written;
  return written.map((segment) => (isDots(segment) ? segment : withoutEnds(segment, DOTS_AND_BLANKS)));
}

/**
 * A name without blanks at its beginning, and without others at its end. Takes time that is linear in the name, as a regular
 * expression for it would not.
 */
function withoutEnds(segment: string, droppedAtEnd: readonly string[]): string {
  let start = 0;
  let end = segment.length;
  for (;;) {
    const first = BLANKS.find((blank) => segment.startsWith(blank, start));
    if (first === undefined) break;
    start += first.length;
  }
  while (end > start) {
    const last = droppedAtEnd.find((text) => segment.endsWith(text, end));
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

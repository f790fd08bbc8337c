/** The path of a request, as the router reads it and as the application may read it. */
export interface RequestPath {
  /** Normalized: unreserved characters decoded, no dot segments, no double slashes. It has no query. */
  readonly text: string;
  /** The normalized path, decoded. A trailing slash adds no segment. */
  readonly segments: Segments;
  /** What other parsers take the path for: dot segments kept, or path parameters (`;v=1`) dropped. */
  readonly otherReadings: readonly Segments[];
  /** Whether the path has something that parsers disagree about, such as `%2F`. */
  readonly isAmbiguous: boolean;
}

export type Segments = readonly string[];

/** Encoded slashes, backslashes and controls, once or twice; broken escapes; what a URL may not have (RFC 3986). */
const AMBIGUOUS = /%(?:2f|5c|7f|[01][\da-f]|25(?:2e|2f|5c|00|3b)|(?![\da-f]{2}))|[\\#]|[^\x21-\x7e]/iu;
const ESCAPE = /%[\da-f]{2}/giu;
const UNRESERVED = /^[\w.~-]$/u;
const PARAMETERS = /(?:;|%3B).*/u;
const SEPARATOR = /[/\\]/u;
/** A path that every parser reads in the same way: segments of letters, digits, `_` and `-`. */
const PLAIN = /^(?:\/[\w-]+)+$/u;
const ASCII = /^[\x21-\x7e]*$/u;

/**
 * Reads the path of a request target in origin form (RFC 9112 §3.2.1).
 *
 * @returns undefined if the target does not begin with a slash
 */
export function readPath(target: string): RequestPath | undefined {
  if (!target.startsWith('/')) return undefined;
  const [raw = ''] = target.split('?', 1);
  if (PLAIN.test(raw))
    return { text: raw, segments: raw.slice(1).split('/'), otherReadings: [], isAmbiguous: false };
  const written = raw.replaceAll(ESCAPE, decodedIfUnreserved).split('/').slice(1);
  const normal = withoutDots(written);
  const segments = normal.map(decoded);
  const plain = withoutParameters(written);
  return {
    text: `/${normal.join('/')}${hasTrailingSlash(written) ? '/' : ''}`.replace('//', '/'),
    segments,
    otherReadings: [withoutTrailing(written), withoutTrailing(plain), withoutDots(plain)]
      .map((one) => one.map(decoded))
      .filter((one) => !isSame(one, segments)),
    isAmbiguous: AMBIGUOUS.test(raw) || hasParametersBeforeDots(written) || written.some(isAmbiguousSegment),
  };
}

/** The same for names that differ in letter case or in compatible characters (`Ａ` and `a`), as some file systems have it. */
export function folded(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase();
}

function decodedIfUnreserved(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return UNRESERVED.test(character) ? character : escape.toUpperCase();
}

/** Removes empty and dot segments (RFC 3986 §5.2.4). */
function withoutDots(written: Segments): Segments {
  const kept: string[] = [];
  for (const segment of written) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return kept;
}

function hasTrailingSlash(written: Segments): boolean {
  return isDots(written.at(-1) ?? '') || written.at(-1) === '';
}

function withoutTrailing(written: Segments): Segments {
  return written.at(-1) === '' ? written.slice(0, -1) : written;
}

function withoutParameters(written: Segments): Segments {
  return written.map((segment) => segment.replace(PARAMETERS, ''));
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

/** `/a;b/..` and `/..;b`: some parsers resolve the dots, others see a name. */
function hasParametersBeforeDots(written: Segments): boolean {
  const first = written.findIndex((segment) => PARAMETERS.test(segment));
  return first >= 0 && withoutParameters(written).slice(first).some(isDots);
}

/** Bytes that are not UTF-8, and characters that some parsers replace by a dot or a slash. */
function isAmbiguousSegment(segment: string): boolean {
  if (!segment.includes('%')) return false;
  try {
    const text = decodeURIComponent(segment);
    const replaced = text.normalize('NFKC');
    return replaced !== text && (SEPARATOR.test(replaced) || isDots(replaced));
  } catch {
    return true;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function isSame(one: Segments, other: Segments): boolean {
  return one.length === other.length && one.every((segment, index) => segment === other[index]);
}

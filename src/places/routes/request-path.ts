import _ from 'lodash';
import { decoded, isDots, otherSpellings, withoutParameters, type Segments } from './other-spellings.ts';

/** The path of a request, as the router reads it and as the application may read it. */
export interface RequestPath {
  /** Normalized: unreserved characters decoded, no dot segments, no double slashes. It has no query. */
  readonly text: string;
  /** The normalized path, decoded. A trailing slash adds no segment. */
  readonly segments: Segments;
  readonly endsInSlash: boolean;
  /** The path as parsers read it that keep double slashes. */
  readonly doubleSlashed: readonly Segments[];
  /** What other parsers take the path for, such as those that keep dot segments. */
  readonly otherReadings: readonly Segments[];
  /** Whether the path has something that parsers disagree about, such as `%2F`, or too many readings. Then it has none. */
  readonly isAmbiguous: boolean;
}

export type { Segments } from './other-spellings.ts';

/** Encoded slashes, backslashes and controls, once or twice; broken escapes; what a URL may not have (RFC 3986). */
const AMBIGUOUS = /%(?:2f|5c|7f|[01][\da-f]|25(?:25|2e|2f|5c|00|3b)|(?![\da-f]{2}))|[\\#]|[^\x21-\x7e]/iu;
const ESCAPE = /%[\da-f]{2}/giu;
const UNRESERVED = /^[\w.~-]$/u;
const SEPARATOR = /[/\\]/u;
/** Some servers resolve dot segments before they decode, and so one kind alone. */
const LITERAL_DOTS = /\/\.\.?(?=\/|$)/u;
const ENCODED_DOTS = /\/(?:\.?%2e|%2e\.)(?:\/|$)|\/%2e%2e(?:\/|$)/iu;
/** How many segments a path may have, dot segments and empty ones included: routes with `**` look at each. */
export const MAX_SEGMENTS = 512;
/** How many segments and characters the other spellings of a path may have in all: each takes time. */
const MAX_OTHERS = { segments: MAX_SEGMENTS, characters: 8192 };
/** A path that every parser reads in the same way: segments of letters, digits, `_` and `-`. */
const PLAIN = /^(?:\/[\w-]+)+$/u;
const ASCII = /^[\x21-\x7e]*$/u;

/**
 * Reads the path of a request target in origin form (RFC 9112 §3.2.1).
 *
 * @returns undefined if the target does not begin with a slash, or has more than {@link MAX_SEGMENTS}
 */
export function readPath(target: string): RequestPath | undefined {
  if (!target.startsWith('/')) return undefined;
  const [raw = ''] = target.split('?', 1);
  if (raw.length > MAX_SEGMENTS && raw.split('/', MAX_SEGMENTS + 2).length > MAX_SEGMENTS + 1)
    return undefined;
  if (PLAIN.test(raw))
    return {
      text: raw,
      segments: raw.slice(1).split('/'),
      endsInSlash: false,
      doubleSlashed: [],
      otherReadings: [],
      isAmbiguous: false,
    };
  const written = raw.replaceAll(ESCAPE, decodedIfUnreserved).split('/').slice(1);
  const normal = withoutDots(written);
  const others = otherSpellings(
    written,
    Math.min(MAX_OTHERS.segments / written.length, MAX_OTHERS.characters / raw.length),
  );
  const segments = normal.map(decoded);
  const endsInSlash = hasTrailingSlash(written);
  const text = `/${normal.join('/')}${endsInSlash ? '/' : ''}`.replace('//', '/');
  if (others === undefined || isAmbiguous(raw, written))
    return { text, segments, endsInSlash, doubleSlashed: [], otherReadings: [], isAmbiguous: true };
  const differing = (readings: readonly Segments[]): readonly Segments[] =>
    readings.map((one) => one.map(decoded)).filter((one) => !isSame(one, segments));
  const [dotted, plain] = _.partition([written, ...others], (one) => one.some(isDots));
  return {
    text,
    segments,
    endsInSlash,
    doubleSlashed: differing(plain.map(withoutTrailing)),
    otherReadings: differing([...others.map((one) => withoutDots(one)), ...dotted.flatMap(unresolvedFrom)]),
    isAmbiguous: false,
  };
}

/** The same for names that differ in letter case or in compatible characters (`Ａ` and `a`), as some file systems have it. */
export function folded(text: string): string {
  // `ı` has the upper case of `i`, which is what some libraries compare.
  return ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toUpperCase().toLowerCase();
}

function decodedIfUnreserved(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return UNRESERVED.test(character) ? character : escape.toUpperCase();
}

/** With dot segments and double slashes, and without either of them. */
function unresolvedFrom(written: Segments): readonly Segments[] {
  const kept = withoutTrailing(written);
  if (!kept.includes('')) return [kept];
  const resolved = withoutDots(written, true);
  return [kept, resolved, ...[kept, resolved].map((one) => one.filter((segment) => segment !== ''))];
}

/** Removes dot segments (RFC 3986 §5.2.4), and empty ones unless those count. */
function withoutDots(written: Segments, countsEmpty = false): Segments {
  const kept: string[] = [];
  for (const segment of written) {
    if (segment === '..') kept.pop();
    else if ((countsEmpty || segment !== '') && segment !== '.') kept.push(segment);
  }
  return kept;
}

function hasTrailingSlash(written: Segments): boolean {
  return isDots(written.at(-1) ?? '') || written.at(-1) === '';
}

function withoutTrailing(written: Segments): Segments {
  return written.at(-1) === '' ? written.slice(0, -1) : written;
}

/** `/a;b/..` and `/..;b`: some parsers resolve the dots, others see a name. */
function hasParametersBeforeDots(written: Segments): boolean {
  const plain = withoutParameters(written);
  const first = plain.findIndex((segment, index) => segment !== written[index]);
  return first >= 0 && plain.slice(first).some(isDots);
}

/** @param written the segments of the raw path, with unreserved characters decoded */
function isAmbiguous(raw: string, written: Segments): boolean {
  return (
    AMBIGUOUS.test(raw) ||
    hasParametersBeforeDots(written) ||
    (LITERAL_DOTS.test(raw) && ENCODED_DOTS.test(raw)) ||
    written.some(isAmbiguousSegment)
  );
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

function isSame(one: Segments, other: Segments): boolean {
  return one.length === other.length && one.every((segment, index) => segment === other[index]);
}

import _ from 'lodash';
import { folded, readPath, type Segments } from './request-path.ts';

/** `**`: any segments, also none. */
const ANY: unique symbol = Symbol('**');

/** How others write a segment that may be anything. A colon may be in a segment, as in `/customers:search`. */
const VARIABLE = /^:|[{}<>]/u;

type Step = typeof ANY | readonly string[];

/** A path of a route: `*` within a segment, `**` any segments. */
export interface PathPattern {
  /** The segments before the first that has a wildcard: each path that it matches begins with them. */
  readonly prefix: Segments;
  /** The same of paths that are {@link folded}. */
  readonly foldedPrefix: Segments;
  matches(segments: Segments, endsInSlash: boolean): boolean;
  /** The same, in any letter case. @param segments folded */
  matchesFolded(segments: Segments, endsInSlash: boolean): boolean;
}

/**
 * What is wrong with the path of a route.
 *
 * @returns undefined if nothing is; else the rest of a sentence that begins with the key
 */
export function patternProblem(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must begin with /';
  if (/[?#]/u.test(text)) return 'must not have a query or fragment: routes are matched by path';
  if (text.split('/').some((segment) => segment !== '**' && segment.includes('**')))
    return 'must have ** as a whole segment, such as /customers/**';
  if (text.split('/').some((segment) => VARIABLE.test(segment)))
    return 'must have * for any segment, such as /customers/*: :id and {id} would match only themselves';
  const path = readPath(encodeURI(text).replaceAll('%25', '%'));
  if (path === undefined || path.isAmbiguous)
    return 'must not have backslashes, control characters or encoded slashes';
  return /\/\/|\/\.\.?(?:\/|$)/u.test(text)
    ? 'must not have empty or dot segments: paths are normalized before they are matched'
    : undefined;
}

/**
 * Compiles a path without a {@link patternProblem}.
 *
 * @param countsSlash whether a slash at the end has to be there in both or in neither; behind `**` it never has to
 */
export function compilePattern(text: string, countsSlash: boolean): PathPattern {
  const segments = segmentsOf(text);
  const matches = matcherOf(segments);
  const matchesFolded = matcherOf(segments.map(folded));
  const ends = endsOf(text, countsSlash);
  const prefix = _.takeWhile(segments, (segment) => !segment.includes('*'));
  return {
    prefix,
    foldedPrefix: prefix.map(folded),
    matches: (path, endsInSlash) => ends.includes(endsInSlash) && matches(path),
    matchesFolded: (path, endsInSlash) => ends.includes(endsInSlash) && matchesFolded(path),
  };
}

/** Whether paths that it matches may end in a slash, or without one. */
export function endsOf(text: string, countsSlash: boolean): readonly boolean[] {
  return !countsSlash || text.endsWith('/**') ? [false, true] : [text.endsWith('/')];
}

/** A text that no path has. */
const ANY_TEXT = '\u{10FFFF}';
/** Paths are made for so many `**` of a pattern: each doubles them. */
const MAX_ANY = 8;

/**
 * Paths of which a pattern matches each if, and only if, it matches all that another one does: in the place of each `*` is what
 * only another wildcard takes, and in that of each `**` either nothing or more than a pattern without one takes.
 *
 * @param text the other one
 * @param length at least as many segments as the first pattern has
 * @returns undefined if there are too many
 */
export function pathsFor(text: string, length: number): readonly Segments[] | undefined {
  const segments = segmentsOf(text);
  if (segments.filter((segment) => segment === '**').length > MAX_ANY) return undefined;
  const many = Array.from({ length: length + 1 }, () => ANY_TEXT);
  return segments.reduce<readonly Segments[]>(
    (paths, segment) =>
      segment === '**'
        ? paths.flatMap((path) => [path, [...path, ...many]])
        : paths.map((path) => [...path, segment.replaceAll('*', ANY_TEXT)]),
    [[]],
  );
}

/** The segments of a pattern. */
export function segmentsOf(text: string): Segments {
  return readPath(encodeURI(text).replaceAll('%25', '%'))?.segments ?? [];
}

function stepOf(segment: string): Step {
  return segment === '**' ? ANY : segment.split('*');
}

/** Paths of more segments are searched for the names of a pattern first. */
const LONG = 32;

/**
 * Matches the whole path of a pattern. Most patterns do not match most paths: the end of a path, and whether it has all names of the
 * pattern, says so sooner than to try each place for what follows `**`, of which a path may have thousands.
 */
function matcherOf(segments: Segments): (path: Segments) => boolean {
  const steps = segments.map(stepOf);
  const tail = steps.slice(steps.lastIndexOf(ANY) + 1);
  const names = segments.filter((segment) => !segment.includes('*'));
  return (path) =>
    endsWith(path, tail) &&
    (path.length <= LONG || names.every((name) => namesIn(path).has(name))) &&
    matchesAll(steps, path);
}

/** @param tail the steps behind the last `**`, or all of them */
function endsWith(path: Segments, tail: readonly Step[]): boolean {
  const start = path.length - tail.length;
  return (
    start >= 0 && tail.every((step, index) => step === ANY || matchesParts(step, path[start + index] ?? ''))
  );
}

const namesOfPaths = new WeakMap<Segments, ReadonlySet<string>>();

/** The segments of a path. Each route looks for its own among them. */
function namesIn(path: Segments): ReadonlySet<string> {
  const known = namesOfPaths.get(path);
  if (known) return known;
  const names = new Set(path);
  namesOfPaths.set(path, names);
  return names;
}

/** Goes back to the last `**` alone: an earlier one never matches what the last one can't. */
function matchesAll(steps: readonly Step[], segments: Segments): boolean {
  let step = 0;
  let at = 0;
  let back: { readonly step: number; at: number } | undefined;
  while (at < segments.length) {
    const expected = steps[step];
    if (expected === ANY) {
      step += 1;
      back = { step, at };
    } else if (expected !== undefined && matchesParts(expected, segments[at] ?? '')) {
      step += 1;
      at += 1;
    } else if (back === undefined) {
      return false;
    } else {
      back.at += 1;
      ({ step, at } = back);
    }
  }
  return steps.slice(step).every((rest) => rest === ANY);
}

/** Looks for what is between the `*`, each part at its first place after the one before. */
function matchesParts(parts: readonly string[], segment: string): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return segment === first;
  const last = parts.at(-1) ?? '';
  const end = segment.length - last.length;
  if (!segment.startsWith(first) || !segment.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = segment.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

import { understood } from './refusal.ts';

/** One step of a path (specification 2.6, enforcement §3). */
export type Segment =
  | { readonly kind: 'name'; readonly name: string }
  /** An index on an array, a property name on an object. */
  | { readonly kind: 'digits'; readonly text: string }
  /** `#`: every element of an array; on an object the property of that name. */
  | { readonly kind: 'each' }
  | { readonly kind: 'wildcard'; readonly pattern: RegExp }
  /** JSONPath's `[*]` and `.*`: every element and every property. */
  | { readonly kind: 'anyChild' }
  /** JSONPath's `..`: any number of steps, also none. */
  | { readonly kind: 'descent' };

export type Path = readonly Segment[];

/** Parses a path; undefined where it cannot be parsed. */
export function parsePath(text: string): Path | undefined {
  return text.startsWith('$') ? parseJsonPath(text.slice(1)) : parseDottedPath(text);
}

/** Parses a path of a decision, which is not understood where one cannot be parsed. */
export function pathOfDecision(text: string): Path {
  return understood(parsePath(text), 'a path');
}

/** Whether a path names its properties one by one, so that a literal may create them. */
export function isExact(path: Path): boolean {
  return path.every(({ kind }) => kind === 'name' || kind === 'digits' || kind === 'each');
}

export function beginsWith(path: Path, prefix: Path): boolean {
  return path.length >= prefix.length && prefix.every((segment, at) => sameSegment(segment, path[at]));
}

function sameSegment(one: Segment, other: Segment | undefined): boolean {
  return other !== undefined && spellSegment(one) === spellSegment(other);
}

function spellSegment(segment: Segment): string {
  return JSON.stringify(segment.kind === 'wildcard' ? segment.pattern.source : segment);
}

const SEGMENT = /(?:[^.\\]|\\[^])+/uy;

function parseDottedPath(text: string): Path | undefined {
  const segments: Segment[] = [];
  for (let at = 0; ; at += 1) {
    SEGMENT.lastIndex = at;
    const segment = SEGMENT.exec(text)?.[0];
    if (segment === undefined) return undefined;
    segments.push(parseSegment(segment));
    at += segment.length;
    if (at === text.length) return segments;
    if (text[at] !== '.') return undefined;
  }
}

function parseSegment(text: string): Segment {
  if (text === '#') return { kind: 'each' };
  if (/^[0-9]+$/.test(text)) return { kind: 'digits', text };
  const characters: readonly string[] = text.match(/\\?[^]/gu) ?? [];
  if (characters.includes('*') || characters.includes('?')) {
    return { kind: 'wildcard', pattern: new RegExp(`^${characters.map(wildcardSource).join('')}$`, 'su') };
  }
  return { kind: 'name', name: characters.map(unescape).join('') };
}

function wildcardSource(character: string): string {
  if (character === '*') return '.*';
  if (character === '?') return '.';
  return unescape(character).replace(/[$()*+.?[\\\]^{|}/]/u, '\\$&');
}

function unescape(character: string): string {
  return character.replace(/^\\(?=[^])/u, '');
}

const JSON_PATH_STEP =
  /\.(?<descent>\.)?(?:(?<star>\*)|(?<name>[^\s.*[\]'"()?@]+))|\[(?:(?<any>\*)|(?<index>[0-9]+)|'(?<quoted>[^'\\]*)')\]/uy;

function parseJsonPath(text: string): Path | undefined {
  const segments: Segment[] = [];
  for (let at = 0; at < text.length; at = JSON_PATH_STEP.lastIndex) {
    JSON_PATH_STEP.lastIndex = at;
    const groups = JSON_PATH_STEP.exec(text)?.groups;
    if (groups === undefined) return undefined;
    if (groups['descent'] !== undefined) segments.push({ kind: 'descent' });
    segments.push(jsonPathSegment(groups));
  }
  return segments;
}

function jsonPathSegment(groups: Readonly<Record<string, string | undefined>>): Segment {
  const { name, index, quoted } = groups;
  if (quoted !== undefined) return { kind: 'name', name: quoted };
  if (index !== undefined) return { kind: 'digits', text: index };
  if (name !== undefined)
    return /^[0-9]+$/.test(name) ? { kind: 'digits', text: name } : { kind: 'name', name };
  return { kind: 'anyChild' };
}

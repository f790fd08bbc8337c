import { parseJsonPath } from './json-path.ts';
import { understood } from './refusal.ts';

/** One step of a path (docs/path-syntax.md). */
export type Segment =
  | { readonly kind: 'name'; readonly name: string }
  /** An index on an array, a property name on an object. */
  | { readonly kind: 'digits'; readonly text: string }
  /** `#`: every element of an array. On an object, the property of that name or else the object itself. */
  | { readonly kind: 'each' }
  | { readonly kind: 'wildcard'; readonly pattern: RegExp }
  /** `$` at the start of JSONPath: where the path starts. */
  | { readonly kind: 'start' }
  /** JSONPath's `[*]` and `.*`: every element and every property. */
  | { readonly kind: 'anyChild'; readonly inBrackets: boolean }
  /** JSONPath's `..`: any number of steps, also none. */
  | { readonly kind: 'descent' }
  /** JSONPath's `[1:3]` and `[-1]`, which count elements, also from the end. */
  | { readonly kind: 'slice'; readonly selects: (index: number, length: number) => boolean }
  /** JSONPath's `[0,2]` and `['a','b']`; also `['7']`, which is created as a name. */
  | { readonly kind: 'union'; readonly options: readonly Segment[]; readonly name?: string };

export type Path = readonly Segment[];

/** Parses a path; undefined if it cannot be parsed. A leading `json` means the same after `$` as without it. */
export function parsePath(text: string): Path | undefined {
  if (!/^\$(?:$|[.[])/.test(text)) return parseDottedPath(text);
  const path = parseJsonPath(text.slice(1));
  return path && withoutStartBeforeJson(path);
}

/** A path below a prefix. Its own `$` is where the prefix ends. */
export function pathBelow(prefix: Path, path: Path): Path {
  return withoutStartBeforeJson([...prefix, ...(isJsonPath(path) ? path.slice(1) : path)]);
}

function withoutStartBeforeJson(path: Path): Path {
  return isJsonPath(path) && beginsWithName(path.slice(1), 'json') ? path.slice(1) : path;
}

/** Parses a path of a decision, which is not understood if one cannot be parsed. */
export function pathOfDecision(text: string): Path {
  return understood(parsePath(text), 'a path');
}

/** Whether a path is dotted and its first name is the given one. */
export function beginsWithName(path: Path, name: string): boolean {
  const [first] = path;
  return first?.kind === 'name' && first.name === name;
}

/** Whether a segment writes a name out, alone or among others. */
export function spellsName(segment: Segment | undefined, name: string): boolean {
  if (segment?.kind === 'union') return segment.options.some((option) => spellsName(option, name));
  if (segment?.kind === 'digits') return segment.text === name;
  return segment?.kind === 'name' && segment.name === name;
}

export function isJsonPath(path: Path): boolean {
  return path[0]?.kind === 'start';
}

const SEGMENT = /(?:[^.\\]|\\[^])+/uy;

function parseDottedPath(text: string): Path | undefined {
  const segments: Segment[] = [];
  for (let at = 0; ; at += 1) {
    SEGMENT.lastIndex = at;
    const segment = SEGMENT.exec(text)?.[0];
    if (segment === undefined || segment.startsWith('#(')) return undefined;
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

import type { Wildcard } from './wildcard.ts';

/** One step of a path (docs/path-syntax.md). */
export type Segment =
  /** A property of exactly this name. */
  | { readonly kind: 'name'; readonly name: string }
  /** Digits: that element of an array, the property of that name of an object. */
  | { readonly kind: 'index'; readonly index: number; readonly name: string }
  /** `#`: every element of an array, the property named `#` of an object. */
  | { readonly kind: 'each' }
  /** `*` and `?` in a property name. */
  | { readonly kind: 'wildcard'; readonly wildcard: Wildcard }
  /** JSONPath `.*` and `[*]`: every property of an object, every element of an array, or elements alone. The last `#` of an attribute may follow. */
  | {
      readonly kind: 'any';
      readonly isOfList: boolean;
      readonly isOfElements?: true;
      readonly isBeforeLength?: true;
    }
  /** JSONPath `..`: the value itself and everything below it. Behind a prefix that covers what is below it, it is no wildcard. */
  | { readonly kind: 'descend'; readonly isBelowPrefix?: true }
  /** JSONPath `[from:to:step]`. */
  | { readonly kind: 'slice'; readonly from: number; readonly to: number; readonly step: number }
  /** The records of a root: not written in any path, it begins a path that is relative to the record, or ends one of a condition. */
  | { readonly kind: 'record'; readonly purpose: 'match' | 'create' }
  /** JSONPath `[a,b]`. Digits in quotes are one, too: of an index and of the name, which they alone have here. */
  | { readonly kind: 'union'; readonly of: readonly Segment[]; readonly name?: string };

export type Path = readonly Segment[];

/** The segment for a property name that is written out in full: digits are an index too. */
export function literalSegment(name: string): Segment {
  return isDigit(name.charCodeAt(0)) && /^\d+$/u.test(name)
    ? { kind: 'index', index: Number(name), name }
    : { kind: 'name', name };
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Whether a segment is of a list for which a single object may be there, so that it is the object itself as well: `#`, or `[*]`
 * with more behind it.
 */
export function isOfSoleElement(segment: Segment | undefined, next: Segment | undefined): boolean {
  if (segment?.kind !== 'any') return segment?.kind === 'each';
  if (segment.isBeforeLength === true) return true;
  return segment.isOfList && next !== undefined && next.kind !== 'record';
}

/** The one property name that a segment writes out, if it does. */
export function writtenName(segment: Segment): string | undefined {
  return 'name' in segment ? segment.name : undefined;
}

/** The same for equal paths, and another one for others. */
export function pathKey(path: Path): string {
  let key = '';
  for (const segment of path) key += segmentKey(segment);
  return key;
}

/** What is not a name begins with another character than a name's length. */
function segmentKey(segment: Segment): string {
  switch (segment.kind) {
    case 'name':
      return `${segment.name.length}.${segment.name}`;
    case 'index':
      return `${segment.name.length}[${segment.name}`;
    case 'each':
      return '#';
    default:
      return JSON.stringify(segment);
  }
}

/** What spells names out: a union lists them, a slice selects elements alone, and records have none. */
const SPELT_OUT: ReadonlySet<Segment['kind']> = new Set([
  'name',
  'index',
  'each',
  'slice',
  'union',
  'record',
]);
const SPELLS_A_NAME: ReadonlySet<Segment['kind']> = new Set(['name', 'index', 'union']);

/** Whether a path that leads to a root names it: only one without wildcards does (docs/path-syntax.md). */
export function mayNameRoot(path: Path): boolean {
  return path.every(isSpeltOut);
}

/**
 * A path, and the same one as it may name a root if that is another: `*` of JSONPath is no wildcard as far as it matches elements
 * alone.
 */
export function withNamingRoot(path: Path): readonly [Path] | readonly [Path, Path] {
  if (!path.some(({ kind }) => kind === 'any')) return [path];
  const ofElements = path.map((segment) =>
    segment.kind === 'any' ? { ...segment, isOfElements: true as const } : segment,
  );
  return mayNameRoot(ofElements) ? [path, ofElements] : [path];
}

function isSpeltOut(segment: Segment): boolean {
  if (segment.kind === 'descend') return segment.isBelowPrefix === true;
  if (segment.kind === 'any') return segment.isOfElements === true;
  return SPELT_OUT.has(segment.kind);
}

/** Whether a segment spells out a name, alone or in a union. */
export function spellsName(segment: Segment, name: string): boolean {
  return SPELLS_A_NAME.has(segment.kind) && matchesName(segment, name);
}

/** What a segment makes of a property: whether it matches the name. */
export function matchesName(segment: Segment, name: string): boolean {
  switch (segment.kind) {
    case 'name':
    case 'index':
      return segment.name === name;
    case 'each':
      return name === '#';
    case 'wildcard':
      return segment.wildcard.matches(name);
    case 'any':
      return segment.isOfElements !== true;
    case 'union':
      return segment.of.some((one) => matchesName(one, name));
    case 'descend':
    case 'record':
    case 'slice':
      return false;
  }
}

/** What a segment makes of an element: it may match it, and it may be looked for inside it. */
export interface ElementMatch {
  readonly matches: boolean;
  /** An array met by a property name is entered: the segment is still to be matched in the element. */
  readonly enters: boolean;
}

const MATCHES: ElementMatch = { matches: true, enters: false };
const ENTERS: ElementMatch = { matches: false, enters: true };
const NEITHER: ElementMatch = { matches: false, enters: false };

export function matchElement(segment: Segment, index: number, length: () => number): ElementMatch {
  switch (segment.kind) {
    case 'name':
    case 'wildcard':
    case 'descend':
    case 'record':
      return ENTERS;
    case 'each':
    case 'any':
      return MATCHES;
    case 'index':
      return segment.index === index ? MATCHES : NEITHER;
    case 'slice':
      return isInSlice(segment, index, length) ? MATCHES : NEITHER;
    case 'union':
      return matchInUnion(segment.of, index, length);
  }
}

/** What a union unites; any other segment by itself. */
export function partsOf(segment: Segment): readonly Segment[] {
  return segment.kind === 'union' ? segment.of : [segment];
}

/** Whether what a segment makes of an element depends on which element it is. */
export function dependsOnIndex(segment: Segment): boolean {
  return segment.kind === 'index' || segment.kind === 'slice' || segment.kind === 'union';
}

function isInSlice(slice: Segment & { kind: 'slice' }, index: number, length: () => number): boolean {
  const from = slice.from < 0 ? Math.max(0, slice.from + length()) : slice.from;
  const to = slice.to < 0 ? slice.to + length() : slice.to;
  return index >= from && index < to && (index - from) % slice.step === 0;
}

function matchInUnion(of: readonly Segment[], index: number, length: () => number): ElementMatch {
  const all = of.map((one) => matchElement(one, index, length));
  return { matches: all.some((one) => one.matches), enters: all.some((one) => one.enters) };
}

import _ from 'lodash';
import { compareTexts } from '../conditions/decimal.ts';
import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { NameIndex } from './name-index.ts';
import { NameReader, type NameState, type TextUse } from './name-reader.ts';
import { Pairs } from './pairs.ts';
import type { Segment } from './path.ts';
import { TypedNames, UNTYPED, type TypedBounds } from './typed-names.ts';
import { WildcardSet, type Covering } from './wildcard-set.ts';
import type { Wildcard } from './wildcard.ts';

/** What comparisons make of names, besides what paths do: they compare whole paths as text, in which a name is a part. */
export interface ComparedTexts {
  /** Whether a path begins with these. */
  readonly starts: readonly string[];
  /** Whether a path contains these. */
  readonly anywhere: readonly string[];
  /** How some of those are used, if not all of them count in one name. */
  readonly uses?: ReadonlyMap<string, readonly TextUse[]>;
  /** Whether a path ends in these. */
  readonly ends: readonly string[];
  /** Whether a path comes before these or after them. */
  readonly ordered: readonly string[];
  /** If a path may be compared as a number or an instant: with which. */
  readonly typed: TypedBounds | undefined;
}

export const NO_TEXTS: ComparedTexts = { starts: [], anywhere: [], ends: [], ordered: [], typed: undefined };

/** A number for names that are alike; never used again for others. */
export type NameClass = number;

/** What is paired first for names that are not typed, by their order among texts. {@link TypedNames} has others. */
const ORDERED = 31;
/** Texts are compared from each of their dots on; if what follows them is longer together, in characters, they are not read. */
const MAX_PARTS = 2 ** 18;

/**
 * Sorts property names into classes: names of one class are alike for all paths and comparisons of a plan, so that what
 * depends on a name is found out once for each class. The time is linear in the length of the name, whatever the number of
 * texts.
 */
export class NameClasses {
  private readonly exact = new Map<string, NameClass>();
  /** The wildcards that names are compared with. */
  readonly wildcards: WildcardSet | undefined;
  private readonly reader: NameReader;
  private readonly ordered: readonly string[];
  private readonly pairs = new Pairs();
  /** The classes of names that may read as a number or an instant, if that matters. */
  private readonly typed: TypedNames | undefined;
  /** Whether the letters of a name determine its class unless it is typed. */
  private readonly isByLetters: boolean;
  private readonly isTooLong: boolean;
  /** Whether anything but its being covered by wildcards matters of a name that none writes out. */
  private readonly hasTexts: boolean;
  private count = 0;
  /** The ten indexes of which it was found out last that they are alike, by the first, and their class. */
  private tenFrom = NaN;
  private likeOfTen: NameClass = 0;
  /** The names that are written out, found where they are in a text. */
  private spelt: NameIndex<NameClass> | undefined;

  constructor(
    segments: readonly Segment[],
    { starts, anywhere, uses = NO_USES, ends, ordered, typed }: ComparedTexts,
  ) {
    for (const name of ['#', ...segments.flatMap(namesIn)])
      if (!this.exact.has(name)) this.exact.set(name, this.another());
    const wildcards = segments.flatMap(wildcardsIn);
    if (wildcards.length > 0) this.wildcards = new WildcardSet(wildcards);
    const inOrder = partsOf(ordered, 0);
    const atStart = partsOf(starts, 0);
    // What is looked for anywhere need not begin with a name: only what goes on after a dot has to.
    const behindDots = partsOf([...anywhere, ...ends], 1);
    this.isTooLong = inOrder === undefined || atStart === undefined || behindDots === undefined;
    this.ordered = (inOrder ?? []).toSorted(compareTexts);
    const begun = [...(atStart ?? []), ...(behindDots ?? []), ...this.ordered];
    this.reader = new NameReader({ starts: begun, anywhere, uses, ends });
    this.hasTexts = [starts, anywhere, ends, ordered].some(({ length }) => length > 0);
    this.typed = typed && new TypedNames(typed, this.pairs);
    this.isByLetters = wildcards.length === 0 && ordered.length === 0;
  }

  /** @param before the names that may come right before it, if it is compared as a number or an instant */
  of(name: string, before: readonly string[] = NO_NAMES): NameClass {
    const exact = this.exact.get(name);
    if (exact !== undefined) return exact;
    if (this.isTooLong) return this.another();
    if (this.typed !== undefined && MAY_BE_TYPED.test(name)) {
      const bytes = Buffer.from(`${name}"`, 'latin1');
      const like = this.typed.at(bytes, 0, before, false);
      if (like !== UNTYPED) return this.ofTyped(like, bytes, 0);
    }
    const state = this.hasTexts ? this.reader.read(name) : undefined;
    return this.classOf(_.sortedIndex(this.ordered, name), state, this.wildcards?.of(name));
  }

  /** @param order how many of the texts in order come before the name */
  private classOf(order: number, state: NameState | undefined, covering: Covering | undefined): NameClass {
    // Classes by more than letters are even, or below zero.
    if (this.isByLetters) return (state?.like ?? 0) * 2 + 1;
    if (covering === undefined || this.hasTexts) return this.ofTexts(order, state, covering);
    covering.like ??= this.another();
    return covering.like;
  }

  private ofTexts(order: number, state: NameState | undefined, covering: Covering | undefined): NameClass {
    const { pairs } = this;
    const like = pairs.of(pairs.of(ORDERED, order), state?.like);
    return this.numbered(pairs.of(like, (covering?.number ?? -1) + 1));
  }

  /**
   * The class of a name in a text of those that may read as a number or an instant.
   *
   * @param typed its class among these
   */
  private ofTyped(typed: number | undefined, bytes: Buffer, start: number): NameClass {
    const { pairs, wildcards } = this;
    let like = typed;
    if (this.hasTexts) like = pairs.of(like, this.reader.readAt(bytes, start)?.like);
    if (this.ordered.length > 0) like = pairs.of(like, this.orderAt(bytes, start));
    if (wildcards) like = pairs.of(like, (wildcards.at(bytes, start)?.number ?? -1) + 1);
    return this.numbered(like);
  }

  private numbered(pair: number | undefined): NameClass {
    return pair === undefined ? this.another() : -1 - pair;
  }

  /**
   * The class of a name in a text, which is decoded only if more than its letters matter.
   *
   * @param isLast whether no fraction comes after it in any path: names that are alike if so need not be alike otherwise
   */
  at(doc: JsonDocument, node: Node, before: readonly string[] = NO_NAMES, isLast = false): NameClass {
    const start = startOf(doc, node) + 1;
    if (kindOf(doc, node) !== Kind.plainString || this.isTooLong) return this.of(stringAt(doc, node), before);
    this.spelt ??= indexOf(this.exact);
    const exact = this.spelt.get(doc, node);
    if (exact !== undefined) return exact;
    if (this.typed !== undefined) {
      const like = this.typed.at(doc.bytes, start, before, isLast);
      if (like !== UNTYPED) return this.ofTyped(like, doc.bytes, start);
    }
    return this.likeAt(doc.bytes, start) ?? this.of(stringAt(doc, node));
  }

  /** The class of an index, as a name that no path writes out. */
  ofIndex(index: number): NameClass {
    const { typed } = this;
    if (this.isTooLong) return this.another();
    if (typed !== undefined) return this.ofTypedIndex(typed, index);
    return this.likeAt(DIGITS, writeIndex(index)) ?? this.of(String(index));
  }

  /** Most indexes follow one another, and are alike. */
  private ofTypedIndex(typed: TypedNames, index: number): NameClass {
    const tenFrom = index - (index % 10);
    if (tenFrom === this.tenFrom) return this.likeOfTen;
    const start = writeIndex(index);
    const like = this.ofTyped(typed.ofIndex(DIGITS, start), DIGITS, start);
    if (!this.hasTexts && !this.wildcards && typed.isLikeItsNeighbours(DIGITS, start)) {
      this.tenFrom = tenFrom;
      this.likeOfTen = like;
    }
    return like;
  }

  /** @returns undefined if it has to be decoded */
  private likeAt(bytes: Buffer, start: number): NameClass | undefined {
    const { wildcards, hasTexts } = this;
    const state = hasTexts ? this.reader.readAt(bytes, start) : undefined;
    const covering = wildcards?.at(bytes, start);
    if ((hasTexts && state === undefined) || (wildcards && covering === undefined)) return undefined;
    return this.classOf(this.orderAt(bytes, start), state, covering);
  }

  /** How many of the texts in order come before a name of ASCII. */
  private orderAt(bytes: Buffer, start: number): number {
    const { ordered } = this;
    let low = 0;
    let high = ordered.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(ordered[middle]!, bytes, start)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private another(): NameClass {
    return this.count++ * 2;
  }
}

function indexOf(names: ReadonlyMap<string, NameClass>): NameIndex<NameClass> {
  const index = new NameIndex<NameClass>();
  for (const [name, like] of names) index.set(name, like);
  return index;
}

/** What numbers and instants are made of. */
const MAY_BE_TYPED = /^[-+.,:\dTZeE]*$/u;
const QUOTE = 0x22;
const ZERO = 0x30;
const NO_NAMES: readonly string[] = [];
const NO_USES: ReadonlyMap<string, readonly TextUse[]> = new Map();

/** Whether a text comes before a name of ASCII that ends in a quote. */
function isBefore(text: string, bytes: Buffer, start: number): boolean {
  for (let at = 0; bytes[start + at] !== QUOTE; at++) {
    if (at === text.length) return true;
    const difference = text.charCodeAt(at) - bytes[start + at]!;
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Room for an index and the quote that ends it. */
const DIGITS = Buffer.alloc(24, '"');
const LAST_DIGIT = DIGITS.length - 2;
/** What was written last: most indexes follow one another. */
let written = -1;
let writtenFrom = DIGITS.length;

/** @returns the first byte */
function writeIndex(index: number): number {
  if (index === written + 1 && index % 10 > 0) DIGITS[LAST_DIGIT]!++;
  else {
    writtenFrom = DIGITS.length - 1;
    for (let rest = index; writtenFrom > LAST_DIGIT || rest > 0; rest = Math.floor(rest / 10))
      DIGITS[--writtenFrom] = ZERO + (rest % 10);
  }
  written = index;
  return writtenFrom;
}

function namesIn(segment: Segment): readonly string[] {
  if (segment.kind === 'name' || segment.kind === 'index') return [segment.name];
  return segment.kind === 'union' ? segment.of.flatMap(namesIn) : [];
}

function wildcardsIn(segment: Segment): readonly Wildcard[] {
  if (segment.kind === 'wildcard') return [segment.wildcard];
  return segment.kind === 'union' ? segment.of.flatMap(wildcardsIn) : [];
}

/**
 * What of texts follows each of their dots, and the texts; undefined if that is too much.
 *
 * @param first 0 with the texts themselves, 1 without
 */
function partsOf(texts: readonly string[], first: 0 | 1): readonly string[] | undefined {
  const parts = new Set<string>();
  let length = 0;
  for (const text of texts) {
    for (let at = first === 0 ? 0 : behindDot(text, 0); at >= 0; at = behindDot(text, at)) {
      length += text.length - at;
      if (length > MAX_PARTS) return undefined;
      parts.add(text.slice(at));
    }
  }
  return [...parts];
}

/** The place behind the next dot; negative without one. */
function behindDot(text: string, from: number): number {
  return text.indexOf('.', from) + 1 || -1;
}

import { ElementMemo } from './element-memo.ts';
import { IndexClasses } from './index-classes.ts';
import { NameClasses, type ComparedTexts } from './name-classes.ts';
import { matchElement, type Segment } from './path.ts';
import { ANY_ELEMENT, type ElementStep } from './route.ts';

/** How many steps, and elements by their steps, are known at a time, so that no payload fills the memory. */
const MAX_KNOWN = 4096;
/** Of elements after so many, the step is found anew if it takes their index alone: most arrays are short. */
const FIRST = 64;
/** There are fewer classes of elements. */
const MAX_CLASSES = 2 ** 13;

/**
 * Distinguishes elements as far as some segments and comparisons do, so that routes through elements that are alike are one route:
 * of those that the same segments select and whose indexes are alike in the text of a path.
 */
export class ElementSteps {
  /** Whether any path distinguishes elements. */
  readonly matter: boolean;
  /** The classes of elements by the segments that select them. */
  readonly classes: IndexClasses;
  private readonly known = new Map<string | number, ElementStep>();
  private readonly memo: ElementMemo<ElementStep>;
  private readonly indexes: ReadonlySet<number>;
  /** The segments that select elements in other ways than by an index from the start. */
  private readonly others: readonly Segment[];
  private readonly texts: NameClasses | undefined;
  /** What {@link stepOf} was asked for last: neighbours are most often alike. */
  private latestClass = NaN;
  private latestText = NaN;
  private latest = ANY_ELEMENT;

  /**
   * @param segments those that select elements by their index
   * @param texts what paths are compared with as texts, if an index may matter in one
   */
  constructor(segments: readonly Segment[], texts: ComparedTexts | undefined) {
    const fromStart = segments.map((segment) => (segment.kind === 'index' ? segment.index : -1));
    this.indexes = new Set(fromStart.filter((index) => index >= 0));
    this.others = segments.filter((_segment, at) => (fromStart[at] ?? -1) < 0);
    this.memo = new ElementMemo(this.others, MAX_KNOWN);
    this.classes = new IndexClasses(segments);
    this.texts = texts && new NameClasses([], texts);
    this.matter = texts !== undefined || segments.length > 0;
  }

  step(index: number, length: () => number): ElementStep {
    if (index >= FIRST && this.others.length === 0) return this.find(index, length);
    return this.memo.get(index, length) ?? this.memo.set(index, length, this.find(index, length));
  }

  /** The same for an element of a known class among {@link classes}. */
  stepOf(like: number, index: number, length: () => number): ElementStep {
    if (like === 0 && this.texts === undefined) return ANY_ELEMENT;
    const text = this.textClassOf(index);
    if (like !== this.latestClass || text !== this.latestText) {
      this.latest = this.keep(text * MAX_CLASSES + like, index, length);
      this.latestClass = like;
      this.latestText = text;
    }
    return this.latest;
  }

  private find(index: number, length: () => number): ElementStep {
    let selected = this.indexes.has(index) ? `${index}` : '';
    for (const [at, segment] of this.others.entries())
      if (matchElement(segment, index, length).matches) selected += ` ${at}`;
    if (selected === '' && this.texts === undefined) return ANY_ELEMENT;
    return this.keep(`${selected}/${this.textClassOf(index)}`, index, length);
  }

  private textClassOf(index: number): number {
    return this.texts?.ofIndex(index) ?? 0;
  }

  private keep(key: string | number, index: number, length: () => number): ElementStep {
    const before = this.known.get(key);
    if (before) return before;
    const step = { index, length: this.others.length > 0 ? length() : NaN };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, step);
    return step;
  }
}

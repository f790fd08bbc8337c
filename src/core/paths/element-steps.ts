import { IndexClasses } from './index-classes.ts';
import { NameClasses, type ComparedTexts, type NameClass } from './name-classes.ts';
import type { Segment } from './path.ts';
import { ANY_ELEMENT, type ElementStep } from './route.ts';
import { MAX_SETS, UNSORTED } from './selection-sets.ts';

/** How many steps are known at a time, so that no payload fills the memory. */
const MAX_KNOWN = 4096;
/** Of how many elements the classes of their texts are known: most arrays are short. */
const FIRST = 64;

/**
 * Distinguishes elements as far as some segments and comparisons do, so that routes through elements that are alike are one route:
 * of those that the same segments select and whose indexes are alike in the text of a path.
 */
export class ElementSteps {
  /** Whether any path distinguishes elements. */
  readonly matter: boolean;
  /** The classes of elements by the segments that select them. */
  readonly classes: IndexClasses;
  private readonly known = new Map<number, ElementStep>();
  private readonly texts: NameClasses | undefined;
  private readonly textsOfFirst: NameClass[] = [];
  /** What {@link stepOf} was asked for last: neighbours are most often alike. */
  private latestClass = NaN;
  private latestText = NaN;
  private latest = ANY_ELEMENT;

  /**
   * @param segments those that select elements by their index
   * @param texts what paths are compared with as texts, if an index may matter in one
   */
  constructor(segments: readonly Segment[], texts: ComparedTexts | undefined) {
    this.classes = new IndexClasses(segments);
    this.texts = texts && new NameClasses([], texts);
    this.matter = texts !== undefined || segments.length > 0;
  }

  /**
   * The step to an element.
   *
   * @param like its class among {@link classes}
   */
  stepOf(like: number, index: number, length: () => number): ElementStep {
    if (like === 0 && this.texts === undefined) return ANY_ELEMENT;
    if (like === UNSORTED) return { index, length: length() };
    const text = this.textClassOf(index);
    if (like !== this.latestClass || text !== this.latestText) {
      this.latest = this.keep(text * MAX_SETS + like, index, length);
      this.latestClass = like;
      this.latestText = text;
    }
    return this.latest;
  }

  private textClassOf(index: number): NameClass {
    const { texts, textsOfFirst } = this;
    if (texts === undefined) return 0;
    if (index >= FIRST) return texts.ofIndex(index);
    return (textsOfFirst[index] ??= texts.ofIndex(index));
  }

  private keep(key: number, index: number, length: () => number): ElementStep {
    const before = this.known.get(key);
    if (before) return before;
    const step = { index, length: this.classes.countsFromEnd ? length() : NaN };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(key, step);
    return step;
  }
}

import { after, endOf, startOf, type JsonDocument, type Node } from './json/document.ts';
import { Splicer, type SplicerRoom } from './json/splicer.ts';
import type { AttributePath } from './paths/parse.ts';
import type { Plan } from './plan/plan.ts';
import { RecordAttribute } from './plan/record-attribute.ts';
import { RecordViews, Subject } from './plan/record.ts';
import type { Root, RootList } from './roots.ts';
import type { Observer } from './walk/observer.ts';
import { Changes } from './walk/changes.ts';
import { RootCuts } from './walk/removals.ts';
import type { ElementWalk } from './walk/element-walk.ts';
import { RootWalker } from './walk/root-walker.ts';
import { PropertyWalker } from './walk/walker.ts';

/** A payload and what is to be done to it. */
export interface MaskingTask {
  readonly doc: JsonDocument;
  /** The payload within the text. */
  readonly payload: Node;
  /** Where enforcement starts: none is within another. */
  readonly roots: RootList;
  readonly plan: Plan;
  /** What identifies a record as an asset, in context mode. */
  readonly assetId: AttributePath | undefined;
  readonly observer: Observer;
  /** What the result may take up; anything unless given. */
  readonly room?: SplicerRoom;
}

/** What a root costs besides its words, about, in words of the tape. */
const ROOT = 8;

/**
 * Applies a plan to a payload (docs/enforcement.md), as much at a time as the caller wants: a payload of many records need not
 * keep a process from everything else. Between two steps, no other payload may be masked: plans know the names of one payload
 * at a time.
 */
export class Masking {
  private readonly task: MaskingTask;
  private readonly splicer: Splicer;
  private readonly walker: RootWalker;
  /** How many roots were asked whether they stay. */
  private asked = 0;
  /** Those that do not, in order, and what is cut for that. */
  private readonly removed: Root[] = [];
  private readonly cuts: RootCuts;
  /** How many roots were walked, how many of those that do not stay were passed, and what is left of the last root. */
  private walked = 0;
  private passed = 0;
  private elements: ElementWalk | undefined;

  constructor(task: MaskingTask) {
    const { doc, payload, plan, observer } = task;
    const splicer = new Splicer(doc.bytes, startOf(doc, payload), endOf(doc, payload), task.room, doc.view);
    const subject = new Subject(doc, payload, task.roots, () => observer.unreadable());
    subject.conditions = plan.conditions;
    subject.assets = plan.assets;
    const assetId = task.assetId && new RecordAttribute(task.assetId, plan.conditions.frame);
    const views = new RecordViews(subject, assetId, observer.witness !== undefined);
    const changes = new Changes(doc, plan, splicer, observer, views);
    this.task = task;
    this.splicer = splicer;
    this.cuts = new RootCuts(doc, task.roots);
    this.walker = new RootWalker(subject, plan, new PropertyWalker(changes), changes, observer, views);
  }

  /**
   * Goes on.
   *
   * @param words how much to do, about, in words of the tape; one record is always done as a whole
   * @returns whether everything is done
   * @throws TooLongError if the result takes more than `room`
   */
  advance(words: number): boolean {
    const left = this.ask(words);
    return left > 0 && this.walk(left) > 0;
  }

  /**
   * When everything is done.
   *
   * @returns the payload's own bytes with the changes spliced in, in chunks; what no rule touches is the same bytes
   * @throws TooLongError if they take more than `room`
   */
  finish(): readonly Buffer[] {
    const { roots, payload } = this.task;
    const [first] = this.removed;
    const isNothingLeft = first !== undefined && roots.nodeOf(first) === payload;
    return isNothingLeft ? [Buffer.from('{}')] : this.splicer.finish();
  }

  /** Asks roots whether they stay. @returns what is left of the words */
  private ask(words: number): number {
    const { roots } = this.task;
    if (this.asked === roots.length) return words;
    let left = words;
    for (; this.asked < roots.length && left > 0; this.asked++) {
      if (!this.walker.admits(this.asked)) {
        this.removed.push(this.asked);
        this.cuts.add(this.asked);
      }
      left -= ROOT;
    }
    if (this.asked === roots.length) this.splicer.announce(this.cuts.cuts);
    return left;
  }

  /** Walks roots that stay. @returns what is left of the words */
  private walk(words: number): number {
    let left = words;
    while (left > 0) {
      if (this.elements) {
        left = this.elements.advance(left);
        if (left <= 0) return left;
        this.elements = undefined;
      }
      if (this.walked === this.task.roots.length) return left;
      const root = this.walked++;
      left -= ROOT;
      if (root === this.removed[this.passed]) this.passed++;
      else {
        this.elements = this.walker.walk(root);
        if (this.elements === undefined) left -= this.wordsOf(root);
      }
    }
    return left;
  }

  private wordsOf(root: Root): number {
    const node = this.task.roots.nodeOf(root);
    return after(this.task.doc, node) - node;
  }
}

/** Applies a plan to a payload at once ({@link Masking}). */
export function maskPayload(task: MaskingTask): readonly Buffer[] {
  const masking = new Masking(task);
  masking.advance(Infinity);
  return masking.finish();
}

import {
  after,
  endOf,
  firstIn,
  Kind,
  kindOf,
  startOf,
  startOfNext,
  valueOf,
  type JsonDocument,
  type Node,
} from './json/document.ts';
import { Splicer, type SplicerRoom } from './json/splicer.ts';
import type { AttributePath } from './paths/parse.ts';
import type { Plan } from './plan/plan.ts';
import { RecordAttribute } from './plan/record-attribute.ts';
import { RecordViews, Subject } from './plan/record.ts';
import type { Root, RootList } from './roots.ts';
import type { Observer } from './walk/observer.ts';
import { Changes } from './walk/changes.ts';
import { endOfCut, startOfCut } from './walk/removals.ts';
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
  private readonly admitted: Root[] = [];
  private readonly removed: Node[] = [];
  /** How many roots that stay were walked, and what is left of the last one. */
  private walked = 0;
  private elements: ElementWalk | undefined;

  constructor(task: MaskingTask) {
    const { doc, payload, plan, observer } = task;
    const splicer = new Splicer(doc.bytes, startOf(doc, payload), endOf(doc, payload), task.room, doc.view);
    const subject = new Subject(doc, payload, task.roots, () => observer.unreadable());
    subject.conditions = plan.conditions;
    const assetId = task.assetId && new RecordAttribute(task.assetId, plan.conditions.frame);
    const views = new RecordViews(subject, assetId, observer.witness !== undefined);
    const changes = new Changes(doc, plan, splicer, observer, views);
    this.task = task;
    this.splicer = splicer;
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
    return this.removed[0] === this.task.payload ? [Buffer.from('{}')] : this.splicer.finish();
  }

  /** Asks roots whether they stay. @returns what is left of the words */
  private ask(words: number): number {
    const { doc, payload, roots } = this.task;
    if (this.asked === roots.length) return words;
    let left = words;
    for (; this.asked < roots.length && left > 0; this.asked++) {
      const node = roots.nodeOf(this.asked);
      if (this.walker.admits(this.asked)) this.admitted.push(this.asked);
      else this.removed.push(node);
      left -= ROOT;
    }
    const { removed } = this;
    if (this.asked === roots.length && removed.length > 0 && removed[0] !== payload)
      this.splicer.announce(cutsWithin(doc, payload, { nodes: removed, met: 0 }));
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
      const root = this.admitted[this.walked];
      if (root === undefined) return left;
      this.elements = this.walker.walk(root);
      this.walked++;
      left -= this.elements ? ROOT : ROOT + this.wordsOf(root);
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

/** Values that are to go, in the order of the text, and how many of them have been met. */
interface Leaving {
  readonly nodes: readonly Node[];
  met: number;
}

/** What is to be cut for values to go from their containers, as {@link Splicer.announce} takes it. */
function cutsWithin(
  doc: JsonDocument,
  container: Node,
  leaving: Leaving,
  cuts: number[] = [],
): readonly number[] {
  const { nodes } = leaving;
  const isObject = kindOf(doc, container) === Kind.object;
  const stop = after(doc, container);
  let leading = true;
  for (let first = firstIn(container); first < stop && leaving.met < nodes.length;) {
    const node = nodes[leaving.met]!;
    const value = isObject ? valueOf(first) : first;
    const following = after(doc, value);
    if (node === value) {
      leaving.met++;
      const next = startOfNext(doc, following, container);
      cuts.push(startOfCut(doc, first, leading), endOfCut(doc, next, leading, following === stop));
    } else {
      leading = false;
      if (node < following) cutsWithin(doc, value, leaving, cuts);
    }
    first = following;
  }
  return cuts;
}

import { endOf, startOf, type JsonDocument, type Node } from './json/document.ts';
import { Splicer, type SplicerRoom } from './json/splicer.ts';
import type { AttributePath } from './paths/parse.ts';
import type { Plan } from './plan/plan.ts';
import { RecordAttribute } from './plan/record-attribute.ts';
import { RecordViews, Subject } from './plan/record.ts';
import { StateLimit } from './plan/state-limit.ts';
import type { Root, RootList } from './roots.ts';
import type { Observer } from './walk/observer.ts';
import { Changes } from './walk/changes.ts';
import { RootCuts } from './walk/removals.ts';
import { Pace, VALUE_WORDS } from './walk/pace.ts';
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
  /** Whether a step has taken long enough; never unless given. Asked seldom enough to read a clock. */
  readonly isLate?: (() => boolean) | undefined;
}

/**
 * Applies a plan to a payload (docs/enforcement.md) in steps that take as long as the caller wants: no payload need keep a process
 * from everything else. Between two steps, no other payload may be masked: plans know the names of one payload
 * at a time.
 */
export class Masking {
  private readonly task: MaskingTask;
  private readonly splicer: Splicer;
  private readonly pace: Pace;
  private readonly walker: RootWalker;
  /** How many roots were asked whether they stay. */
  private asked = 0;
  /** Those that do not, in order, and what is cut for that. */
  private readonly removed: Root[] = [];
  private readonly cuts: RootCuts;
  /** How many roots were walked, and how many of those that do not stay were passed. */
  private walked = 0;
  private passed = 0;

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
    const states = new StateLimit(plan, doc.bytes.length);
    this.pace = new Pace(plan, observer.witness, states, task.isLate ?? never);
    const properties = new PropertyWalker(changes, this.pace);
    this.walker = new RootWalker(subject, plan, properties, changes, observer, views, this.pace);
  }

  /**
   * Makes a step: goes on until everything is done or `isLate` says so.
   *
   * @returns whether everything is done
   * @throws TooLongError if the result takes more than `room`
   */
  advance(): boolean {
    this.pace.resume();
    this.ask();
    this.walk();
    return this.walked === this.task.roots.length && this.pace.isDone;
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

  /** Asks roots whether they stay. */
  private ask(): void {
    const { pace, walker } = this;
    const { roots } = this.task;
    if (this.asked === roots.length) return;
    for (; this.asked < roots.length && !pace.isOver; this.asked++) {
      if (!walker.admits(this.asked)) {
        this.removed.push(this.asked);
        this.cuts.add(this.asked);
      }
      pace.spend(VALUE_WORDS);
    }
    if (this.asked === roots.length) this.splicer.announce(this.cuts.cuts);
  }

  /** Walks roots that stay. */
  private walk(): void {
    const { pace, walker } = this;
    const { length } = this.task.roots;
    while (this.walked < length && !pace.isOver) {
      const root = this.walked++;
      if (root === this.removed[this.passed]) this.passed++;
      else walker.walk(root);
      pace.spend(VALUE_WORDS);
    }
  }
}

/** Applies a plan to a payload at once ({@link Masking}). */
export function maskPayload(task: MaskingTask): readonly Buffer[] {
  const masking = new Masking(task);
  masking.advance();
  return masking.finish();
}

function never(): boolean {
  return false;
}

import { TOP, type Node } from './json/document.ts';
import { doubled } from './json/words.ts';

/** A place in the payload at which enforcement starts: its number among the roots. */
export type Root = number;

/** A step from a container of the payload to a value inside it, by number. */
export type RootStep = number;
export const NO_STEP: RootStep = -1;
/** In the place of a name, where a step leads to an element of an array. */
const NO_NAME: Node = -1;

/** The words of a step: the one before it, the container that it leads out of, the name, and the index. */
const STEP_WORDS = 4;
/** The words of a root: its node, and the last step to it. */
const ROOT_WORDS = 2;
const NO_WORDS = new Int32Array(0);
/** The words of one root that is the whole text, for all payloads. It is full: another root gets a copy. */
const ROOT_AT_TOP = Int32Array.of(TOP, NO_STEP);

/**
 * Places in the payload at which enforcement starts, in order, and how each is reached from the payload. They are kept as words:
 * there may be as many roots as the payload has values.
 */
export class RootList {
  private roots = NO_WORDS;
  private steps = NO_WORDS;
  private rootCount = 0;
  private stepCount = 0;

  /** One root, which is the payload itself. */
  static ofPayload(payload: Node): RootList {
    const list = new RootList();
    if (payload === TOP) {
      list.roots = ROOT_AT_TOP;
      list.rootCount = 1;
    } else list.add(payload, NO_STEP);
    return list;
  }

  get length(): number {
    return this.rootCount;
  }

  *all(): Generator<Root> {
    for (let root = 0; root < this.rootCount; root++) yield root;
  }

  nodeOf(root: Root): Node {
    return this.roots[root * ROOT_WORDS]!;
  }

  /** The last step to a root; {@link NO_STEP} if it is the payload itself. */
  stepTo(root: Root): RootStep {
    return this.roots[root * ROOT_WORDS + 1]!;
  }

  /** The step before another one; {@link NO_STEP} if that leads out of the payload itself. */
  before(step: RootStep): RootStep {
    return this.steps[step * STEP_WORDS]!;
  }

  /** The object or array that a step leads out of. */
  containerOf(step: RootStep): Node {
    return this.steps[step * STEP_WORDS + 1]!;
  }

  /** The name of the member that a step leads to; undefined if it leads to an element. */
  nameIn(step: RootStep): Node | undefined {
    const name = this.steps[step * STEP_WORDS + 2]!;
    return name === NO_NAME ? undefined : name;
  }

  /** The index of the element that a step leads to. */
  indexIn(step: RootStep): number {
    return this.steps[step * STEP_WORDS + 3]!;
  }

  add(node: Node, step: RootStep): void {
    const at = this.rootCount++ * ROOT_WORDS;
    if (at === this.roots.length) this.roots = doubled(this.roots);
    this.roots[at] = node;
    this.roots[at + 1] = step;
  }

  addMember(before: RootStep, object: Node, name: Node): RootStep {
    return this.addStep(before, object, name, 0);
  }

  addElement(before: RootStep, array: Node, index: number): RootStep {
    return this.addStep(before, array, NO_NAME, index);
  }

  /** Drops a step and all after it, which lead to no root. */
  drop(step: RootStep): void {
    this.stepCount = step;
  }

  private addStep(before: RootStep, container: Node, name: Node, index: number): RootStep {
    const step = this.stepCount++;
    const at = step * STEP_WORDS;
    if (at === this.steps.length) this.steps = doubled(this.steps);
    const { steps } = this;
    steps[at] = before;
    steps[at + 1] = container;
    steps[at + 2] = name;
    steps[at + 3] = index;
    return step;
  }
}

import { TOP, type Node } from './json/document.ts';
import { unsetWords } from './json/words.ts';

/** A place in the payload at which enforcement starts: its number among the roots. */
export type Root = number;

/** A step from a container of the payload to a value inside it, by number. */
export type RootStep = number;
export const NO_STEP: RootStep = -1;

/** The words of a step: the one before it, the container that it leads out of, and the name; less than 0 is an element, by its index. */
const STEP_WORDS = 3;
/** The words of a root: its node, and the last step to it. */
const ROOT_WORDS = 2;
const NO_WORDS = new Int32Array(0);
/** How many words there is room for at first, and how much more room is made than the payload takes if it goes on as it began. */
const FIRST_ROOM = 12;
const MARGIN = 1.05;

/**
 * Places in the payload at which enforcement starts, in order, and how each is reached from the payload. They are kept as words:
 * there may be as many roots as the payload has values.
 */
export class RootList {
  private readonly from: Node;
  private readonly to: Node;
  private roots: Int32Array = NO_WORDS;
  private steps: Int32Array = NO_WORDS;
  private rootCount = 0;
  private stepCount = 0;

  /**
   * @param from the payload
   * @param to the node after it
   */
  constructor(from: Node, to: Node) {
    this.from = from;
    this.to = to;
  }

  /** One root, which is the payload itself: nothing is added to it. */
  static ofPayload(payload: Node): RootList {
    return payload === TOP ? ROOT_AT_TOP : listOf(payload);
  }

  get length(): number {
    return this.rootCount;
  }

  *all(): Generator<Root> {
    for (let root = 0; root < this.length; root++) yield root;
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
    return name < 0 ? undefined : name;
  }

  /** The index of the element that a step leads to. */
  indexIn(step: RootStep): number {
    return ~this.steps[step * STEP_WORDS + 2]!;
  }

  add(node: Node, step: RootStep): void {
    const at = this.rootCount++ * ROOT_WORDS;
    if (at + ROOT_WORDS > this.roots.length) this.roots = this.grown(this.roots, node);
    this.roots[at] = node;
    this.roots[at + 1] = step;
  }

  addMember(before: RootStep, object: Node, name: Node): RootStep {
    return this.addStep(before, object, name, name);
  }

  addElement(before: RootStep, array: Node, element: Node, index: number): RootStep {
    return this.addStep(before, array, ~index, element);
  }

  /** Drops a step and all after it, which lead to no root. */
  drop(step: RootStep): void {
    this.stepCount = step;
  }

  private addStep(before: RootStep, container: Node, member: number, node: Node): RootStep {
    const step = this.stepCount++;
    const at = step * STEP_WORDS;
    if (at + STEP_WORDS > this.steps.length) this.steps = this.grown(this.steps, node);
    const { steps } = this;
    steps[at] = before;
    steps[at + 1] = container;
    steps[at + 2] = member;
    return step;
  }

  /** The same words with more room: for the whole payload if it goes on as up to a node, and at least half as much again. */
  private grown(words: Int32Array, node: Node): Int32Array {
    const size = this.to - this.from;
    const expected = (words.length * size * MARGIN) / Math.max(1, node - this.from);
    const room = Math.max(FIRST_ROOM, words.length * 1.5, Math.min(expected, size));
    const larger = unsetWords(Math.ceil(room));
    larger.set(words);
    return larger;
  }
}

function listOf(payload: Node): RootList {
  const list = new RootList(payload, payload);
  list.add(payload, NO_STEP);
  return list;
}

/** The same for all payloads that are a whole text. */
const ROOT_AT_TOP = listOf(TOP);

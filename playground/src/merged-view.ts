import type { Change, Places, RecordReason } from './explanation.ts';
import { jsonTree, pointerTo, type JsonChild, type JsonNode } from './json-tree.ts';

/** A place that the reader can ask about; UTF-16 units in the text of the view. */
export interface Mark {
  readonly pointer: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is struck out. */
  readonly isRemoved: boolean;
  readonly change?: Change | undefined;
  readonly record?: RecordReason | undefined;
}

/** The answer, with what was removed from the payload put back where it was. */
export interface MergedView {
  readonly text: string;
  /** In the order of the text; marks may lie within each other. */
  readonly marks: readonly Mark[];
}

/**
 * Lays the answer over the payload. Everything that the answer has is shown exactly as it is there; what only the payload
 * has is put in between, and marked as removed.
 */
export function mergedView(payload: string, answer: string, places: Places): MergedView {
  const weaver = new Weaver(payload, answer, places);
  const before = jsonTree(payload);
  if (weaver.isRemoved('')) weaver.strike(before.from, before.to, before.from, '');
  else weaver.weave(before, jsonTree(answer), '');
  return weaver.finish();
}

class Weaver {
  readonly #payload: string;
  readonly #answer: string;
  readonly #places: Places;
  readonly #marks: Mark[] = [];
  #text = '';
  /** How far the answer is copied. */
  #copied = 0;
  /** How far it has to be copied before a part of the payload is put in. */
  #shown = 0;

  constructor(payload: string, answer: string, places: Places) {
    this.#payload = payload;
    this.#answer = answer;
    this.#places = places;
  }

  finish(): MergedView {
    this.#copyTo(this.#answer.length);
    return { text: this.#text, marks: this.#marks.toSorted((one, other) => one.from - other.from) };
  }

  isRemoved(pointer: string): boolean {
    const { removedRecords, changes } = this.#places;
    return removedRecords.has(pointer) || changes.get(pointer)?.effect === 'removed';
  }

  /** Shows a value of the answer, and what the payload has in its place. */
  weave(before: JsonNode | undefined, after: JsonNode, pointer: string): void {
    // Most values are scalars without a change.
    if (after.kind === 'scalar' && !this.#places.changes.has(pointer)) {
      this.#shown = after.to;
      return;
    }
    this.#copyTo(after.from);
    const from = this.#text.length;
    if (before === undefined || before.kind !== after.kind) this.#weaveNew(after, pointer);
    else this.#weaveChildren(before, after, pointer);
    this.#copyTo(after.to);
    this.#mark(pointer, from, false);
  }

  /**
   * Puts a part of the payload into the text.
   *
   * @param start where the part itself begins, after the separators
   */
  strike(from: number, to: number, start: number, pointer: string): void {
    this.#text += this.#payload.slice(from, start);
    const markFrom = this.#text.length;
    this.#text += this.#payload.slice(start, to);
    this.#mark(pointer, markFrom, true);
  }

  #weaveNew(after: JsonNode, pointer: string): void {
    for (const { key, value } of after.children) this.weave(undefined, value, pointerTo(pointer, key));
  }

  #weaveChildren(before: JsonNode, after: JsonNode, pointer: string): void {
    const pairs = paired(before, after, (key) => this.isRemoved(pointerTo(pointer, key)));
    if (pairs === undefined) return;
    let isFirst = true;
    for (const [i, { child, other }] of pairs.entries()) {
      const place = pointerTo(pointer, child.key);
      if (other === undefined) this.#strikeChild(before, after, i, { isFirst, place });
      else this.weave(child.value, other.value, place);
      isFirst &&= other === undefined;
    }
    const kept = pairs.reduce((count, { other }) => (other === undefined ? count : count + 1), 0);
    for (const { key, value } of after.children.slice(kept))
      this.weave(undefined, value, pointerTo(pointer, key));
  }

  /** A removed child is shown with the comma before it, or after it where nothing that is kept precedes it. */
  #strikeChild(
    { from, to, children }: JsonNode,
    after: JsonNode,
    index: number,
    { isFirst, place }: { readonly isFirst: boolean; readonly place: string },
  ): void {
    const child = children[index];
    if (child === undefined) return;
    const previous = children[index - 1];
    const next = children[index + 1];
    this.#copyTo(this.#shown);
    if (!isFirst && previous !== undefined) {
      this.strike(previous.value.to, child.value.to, child.start, place);
      return;
    }
    const [first] = after.children;
    this.#copyTo(first === undefined ? after.from + 1 : first.start);
    const start = first === undefined && previous === undefined ? from + 1 : child.start;
    this.strike(start, child.value.to, child.start, place);
    const end = next?.start ?? (first === undefined ? to - 1 : child.value.to);
    this.#text += this.#payload.slice(child.value.to, end);
  }

  #mark(pointer: string, from: number, isRemoved: boolean): void {
    const change = this.#places.changes.get(pointer);
    const record = isRemoved ? this.#places.removedRecords.get(pointer) : undefined;
    if (change === undefined && !isRemoved) return;
    this.#marks.push({ pointer, from, to: this.#text.length, isRemoved, change, record });
  }

  #copyTo(end: number): void {
    if (end <= this.#copied) return;
    this.#text += this.#answer.slice(this.#copied, end);
    this.#copied = end;
  }
}

interface Pair {
  readonly child: JsonChild;
  /** What the answer has in its place; undefined if it was removed. */
  readonly other: JsonChild | undefined;
}

/** The children of the payload, each with that of the answer; undefined if nothing tells which belong together. */
function paired(
  before: JsonNode,
  after: JsonNode,
  isRemoved: (key: string) => boolean,
): readonly Pair[] | undefined {
  const isObject = before.kind === 'object';
  let next = 0;
  const pairs = before.children.map((child): Pair => {
    const other = after.children[next];
    const isGone = isObject ? other?.key !== child.key : isRemoved(child.key);
    if (!isGone) next++;
    return { child, other: isGone ? undefined : other };
  });
  return isObject || next === after.children.length ? pairs : undefined;
}

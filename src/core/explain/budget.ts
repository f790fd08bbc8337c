import { TooLongError } from '../json/splicer.ts';
import type { ExplainedCondition } from './condition.ts';

/** How much of a payload is explained. */
export interface ExplanationLimits {
  /** Changes, and records apart from them. */
  readonly maxExplained: number;
  /** What rules, changes and records may take together as JSON, in bytes. */
  readonly maxBytes: number;
}

/** The most bytes that a UTF-16 unit takes in JSON. */
const BYTES_PER_UNIT = 6;
/** What the other members of an entry take at most. */
export const BYTES_PER_ENTRY = 128;

/** Counts what an explanation may still take, so that no payload makes it long. */
export class Budget {
  private readonly limits: ExplanationLimits;
  private changes = 0;
  private records = 0;
  /** What rules, changes and records take so far, in bytes at most. */
  taken = 0;
  private readonly refused = { changes: false, records: false };
  private readonly sizes = new WeakMap<ExplainedCondition, number>();

  constructor(limits: ExplanationLimits) {
    this.limits = limits;
  }

  /** Whether something did not fit. */
  get isExceeded(): boolean {
    return this.isPast('changes') || this.isPast('records');
  }

  /**
   * Takes one more rule of the decision: changes name it by its place among all.
   *
   * @param texts what it holds of the decision
   * @throws TooLongError if there is no room for it
   */
  list(texts: readonly string[]): void {
    const lengths = texts.map((text) => Buffer.byteLength(JSON.stringify(text)));
    if (!this.take(lengths.reduce((sum, length) => sum + length)))
      throw new TooLongError(this.limits.maxBytes);
  }

  /** Whether a change or record did not fit, so that no more of them have to be looked for. */
  isPast(kind: 'changes' | 'records'): boolean {
    return this.refused[kind] || this.taken > this.limits.maxBytes;
  }

  /** Whether there is room for one more change or record, which is known to be there. */
  hasRoom(kind: 'changes' | 'records'): boolean {
    if (this[kind] >= this.limits.maxExplained) this.refused[kind] = true;
    return !this.isPast(kind);
  }

  /** Takes one more change or record. @returns whether there is room for it */
  takeEntry(kind: 'changes' | 'records', pointer: string): boolean {
    if (!this.hasRoom(kind)) return false;
    this[kind]++;
    return this.take(pointer.length * BYTES_PER_UNIT);
  }

  /** Takes one more rule of an entry. @returns whether there is room for it */
  takeRule(condition: ExplainedCondition | undefined): boolean {
    return this.take(condition === undefined ? 0 : this.sizeOf(condition));
  }

  private take(bytes: number): boolean {
    this.taken += BYTES_PER_ENTRY + bytes;
    return this.taken <= this.limits.maxBytes;
  }

  private sizeOf(condition: ExplainedCondition): number {
    const known = this.sizes.get(condition);
    if (known !== undefined) return known;
    const size = this.measure(condition);
    this.sizes.set(condition, size);
    return size;
  }

  private measure(condition: ExplainedCondition): number {
    if ('read' in condition) {
      const { attribute, operator } = condition;
      return BYTES_PER_ENTRY + (attribute.length + operator.length) * BYTES_PER_UNIT;
    }
    const parts = 'AND' in condition ? condition.AND : condition.OR;
    return parts.reduce((size, part) => size + this.sizeOf(part), BYTES_PER_ENTRY);
  }
}

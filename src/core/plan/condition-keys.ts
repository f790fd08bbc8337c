import type { Condition } from '../conditions/condition.ts';

/** Gives conditions that ask the same the same key. A part that several of them share is read once. */
export class ConditionKeys {
  private readonly known = new Map<Condition, string>();
  private readonly numbers = new Map<string, string>();

  of(condition: Condition): string {
    const known = this.known.get(condition);
    if (known !== undefined) return known;
    const text = this.textOf(condition);
    const key = this.numbers.get(text) ?? String(this.numbers.size);
    this.numbers.set(text, key);
    this.known.set(condition, key);
    return key;
  }

  private textOf(condition: Condition): string {
    if (condition.kind === 'leaf') return `${condition.subject} ${condition.key}`;
    return `${condition.kind} ${condition.of.map((part) => this.of(part)).join()}`;
  }
}

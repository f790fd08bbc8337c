import { isAlways, type Condition, type Leaf } from '../conditions/condition.ts';
import { UNREADABLE, type AttributeValue } from '../paths/attribute.ts';
import type { RecordAttribute } from '../plan/record-attribute.ts';
import type { RecordConditions } from '../plan/record-condition.ts';
import type { RecordView } from '../plan/record.ts';

/** What a leaf of a condition found in a record. Nothing that it read is in here, nor what that was compared with. */
export interface ExplainedLeaf {
  readonly attribute: string;
  readonly operator: string;
  readonly holds: boolean;
  /** Unreadable: it is there, and it does not read as the type that the condition compares. */
  readonly read: 'present' | 'absent' | 'unreadable';
}

/** A condition tree with what came of each part of it for one record. */
export type ExplainedCondition =
  | { readonly AND: readonly ExplainedCondition[]; readonly holds: boolean }
  | { readonly OR: readonly ExplainedCondition[]; readonly holds: boolean }
  | ExplainedLeaf;

/** To read a value as text, or to compare it, takes so many words of the tape. */
export const WORDS_PER_VALUE = 4;

/**
 * Decides conditions for explanations: each leaf of a tree, also where the walk stops at the first that decides. It leaves
 * no trace in the record and in what is counted.
 */
export class ConditionExplainer {
  /** What was read so far, about, in words of the tape. */
  effort = 0;
  private readonly conditions: RecordConditions;
  private record: RecordView | undefined;
  /** What was found in the record that was asked about last. */
  private readonly known = new Map<Condition, ExplainedCondition>();
  /** What its attributes are, read once for all conditions. */
  private readonly values = new Map<RecordAttribute, readonly AttributeValue[]>();

  constructor(conditions: RecordConditions) {
    this.conditions = conditions;
  }

  /** @returns undefined for a condition that always holds */
  explain(condition: Condition, record: RecordView): ExplainedCondition | undefined {
    if (isAlways(condition)) return undefined;
    if (record !== this.record) {
      this.known.clear();
      this.values.clear();
    }
    this.record = record;
    return this.tree(condition, record);
  }

  private tree(condition: Condition, record: RecordView): ExplainedCondition {
    const known = this.known.get(condition);
    if (known) return known;
    const explained = this.decide(condition, record);
    this.known.set(condition, explained);
    return explained;
  }

  private decide(condition: Condition, record: RecordView): ExplainedCondition {
    if (condition.kind === 'leaf') return this.leaf(condition, record);
    const parts = condition.of.map((part) => this.tree(part, record));
    if (condition.kind === 'all') return { AND: parts, holds: parts.every(({ holds }) => holds) };
    return { OR: parts, holds: parts.some(({ holds }) => holds) };
  }

  private leaf({ attribute, comparison, written }: Leaf, record: RecordView): ExplainedLeaf {
    const values = this.valuesOf(this.conditions.attribute(attribute), record);
    record.subject.reading.addAll(record.node, values);
    this.effort += values.length * WORDS_PER_VALUE;
    let isUnreadable = values.includes(UNREADABLE);
    const holds = comparison.holds(values, () => (isUnreadable = true));
    const read = values.length === 0 ? 'absent' : isUnreadable ? 'unreadable' : 'present';
    return { ...written, holds, read };
  }

  private valuesOf(attribute: RecordAttribute, record: RecordView): readonly AttributeValue[] {
    const known = this.values.get(attribute);
    if (known) return known;
    const values = attribute.valuesIn(record);
    this.effort += values.length * WORDS_PER_VALUE;
    this.values.set(attribute, values);
    return values;
  }
}

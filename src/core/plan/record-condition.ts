import { isString, kindOf, type Node } from '../json/document.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import type { Frame } from './frame.ts';
import { RecordAttribute } from './record-attribute.ts';
import type { RecordView } from './record.ts';

/** A condition compiled to be decided on records. */
export interface RecordCondition {
  holds(record: RecordView): boolean;
}

/** Compiles conditions whose leaves all read the record; a part that several rules share is decided once a record. */
export class RecordConditions {
  private readonly frame: Frame;
  private readonly leaves = new Map<Leaf['key'], RecordCondition>();
  private readonly groups = new Map<Condition, RecordCondition>();
  private readonly attributes = new Map<string, RecordAttribute>();
  private count = 0;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  compile(condition: Condition): RecordCondition {
    if (condition.kind === 'leaf') return this.leaf(condition);
    const known = this.groups.get(condition);
    if (known) return known;
    const parts = condition.of.map((part) => this.compile(part));
    const decide =
      condition.kind === 'all'
        ? (record: RecordView) => parts.every((part) => part.holds(record))
        : (record: RecordView) => parts.some((part) => part.holds(record));
    const compiled = new DecidedOnce(this.count++, decide);
    this.groups.set(condition, compiled);
    return compiled;
  }

  /** An attribute of records; conditions on the same one share it. */
  attribute(path: Leaf['attribute']): RecordAttribute {
    const key = JSON.stringify(path);
    const known = this.attributes.get(key);
    if (known) return known;
    const attribute = new RecordAttribute(path, this.frame);
    this.attributes.set(key, attribute);
    return attribute;
  }

  private leaf({ key, attribute, comparison }: Leaf): RecordCondition {
    const known = this.leaves.get(key);
    if (known) return known;
    const compiled = new DecidedOnce(this.count++, comparing(this.attribute(attribute), comparison));
    this.leaves.set(key, compiled);
    return compiled;
  }
}

/** Keeps its result with the record, since plans outlive payloads. */
class DecidedOnce implements RecordCondition {
  private readonly number: number;
  private readonly decide: (record: RecordView) => boolean;

  constructor(number: number, decide: (record: RecordView) => boolean) {
    this.number = number;
    this.decide = decide;
  }

  holds(record: RecordView): boolean {
    return (record.results[this.number] ??= this.decide(record));
  }
}

function comparing(attribute: RecordAttribute, comparison: Comparison): (record: RecordView) => boolean {
  return (record) => {
    const { doc, onUnreadable } = record.subject;
    const string = stringIn(attribute, record);
    return string === undefined
      ? comparison.holds(attribute.valuesIn(record), onUnreadable)
      : comparison.holdsForString(doc, string, onUnreadable);
  };
}

/** The attribute of a record if it is one string: that need not be decoded. */
function stringIn(attribute: RecordAttribute, record: RecordView): Node | undefined {
  const scalar = attribute.scalarIn(record);
  return scalar !== undefined && isString(kindOf(record.subject.doc, scalar)) ? scalar : undefined;
}

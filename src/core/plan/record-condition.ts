import { isString, kindOf, type Node } from '../json/document.ts';
import type { Comparison, Equality, ValueType } from '../conditions/comparison.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import type { Frame } from './frame.ts';
import { RecordAttribute } from './record-attribute.ts';
import type { RecordView } from './record.ts';

/** A condition compiled to be decided on records. */
export interface RecordCondition {
  holds(record: RecordView): boolean;
  /** Lists of which each has a need that is met if the condition holds; none if nothing is known. */
  readonly needs: readonly (readonly Need[])[];
}

/** That an attribute has a value that equals one of a comparison's. */
export interface Need {
  readonly attribute: RecordAttribute;
  readonly type: ValueType;
  readonly equality: Equality;
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
    const compiled =
      condition.kind === 'all'
        ? new DecidedOnce(
            this.count++,
            (record) => parts.every((part) => part.holds(record)),
            () => needsOfAll(parts),
          )
        : new DecidedOnce(
            this.count++,
            (record) => parts.some((part) => part.holds(record)),
            () => needsOfAny(parts),
          );
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
    const read = this.attribute(attribute);
    const compiled = new DecidedOnce(this.count++, comparing(read, comparison), () =>
      needsOfLeaf(read, comparison),
    );
    this.leaves.set(key, compiled);
    return compiled;
  }
}

/** Keeps its result with the record, since plans outlive payloads. */
class DecidedOnce implements RecordCondition {
  private readonly number: number;
  private readonly decide: (record: RecordView) => boolean;
  private readonly findNeeds: () => RecordCondition['needs'];
  private foundNeeds: RecordCondition['needs'] | undefined;

  constructor(
    number: number,
    decide: (record: RecordView) => boolean,
    findNeeds: () => RecordCondition['needs'],
  ) {
    this.number = number;
    this.decide = decide;
    this.findNeeds = findNeeds;
  }

  get needs(): RecordCondition['needs'] {
    this.foundNeeds ??= this.findNeeds();
    return this.foundNeeds;
  }

  holds(record: RecordView): boolean {
    return (record.results[this.number] ??= this.decide(record));
  }
}

function needsOfLeaf(
  attribute: RecordAttribute,
  { operator, type, equality }: Comparison,
): RecordCondition['needs'] {
  return equality === undefined || operator.negated ? [] : [[{ attribute, type, equality }]];
}

function needsOfAll(parts: readonly RecordCondition[]): RecordCondition['needs'] {
  return parts.flatMap(({ needs }) => needs);
}

/** Any of the parts may be the one that holds. */
function needsOfAny(parts: readonly RecordCondition[]): RecordCondition['needs'] {
  const first = parts.map(({ needs }) => needs[0]);
  return first.every((needs) => needs !== undefined) && first.length > 0 ? [first.flat()] : [];
}

function comparing(attribute: RecordAttribute, comparison: Comparison): (record: RecordView) => boolean {
  const holds = (record: RecordView): boolean => {
    const { subject } = record;
    const { doc, onUnreadable } = subject;
    const string = stringIn(attribute, record);
    if (string !== undefined) return comparison.holdsForString(doc, string, onUnreadable);
    const { ofPayload, own } = attribute.partsIn(record);
    if (ofPayload === undefined || ofPayload.length === 0) return comparison.holds(own, onUnreadable);
    // What all records read is compared once, however much it is.
    const ofAll = subject.payloadResults.get(holds) ?? comparison.holds(ofPayload, onUnreadable);
    subject.payloadResults.set(holds, ofAll);
    return own.length === 0 ? ofAll : comparison.together(ofAll, comparison.holds(own, onUnreadable));
  };
  return holds;
}

/** The attribute of a record if it is one string: that need not be decoded. */
function stringIn(attribute: RecordAttribute, record: RecordView): Node | undefined {
  const scalar = attribute.scalarIn(record);
  return scalar !== undefined && isString(kindOf(record.subject.doc, scalar)) ? scalar : undefined;
}

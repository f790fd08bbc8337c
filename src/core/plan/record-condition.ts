import { Kind, kindOf } from '../json/document.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import type { ValueType } from '../conditions/value-type.ts';
import { NOWHERE } from '../paths/attribute.ts';
import type { Frame } from './frame.ts';
import { RecordAttribute } from './record-attribute.ts';
import type { RecordView } from './record.ts';

/** A condition compiled to be decided on records. */
export interface RecordCondition {
  holds(record: RecordView): boolean;
  /** Lists of which each has a need that is met if the condition holds; none if nothing is known. */
  readonly needs: readonly (readonly Need[])[];
}

/** That an attribute has a value with one of these keys. */
export interface Need {
  readonly attribute: RecordAttribute;
  readonly type: ValueType;
  readonly keys: ReadonlySet<string>;
}

/** Compiles conditions whose leaves all read the record; a part that several rules share is decided once a record. */
export class RecordConditions {
  private readonly frame: Frame;
  private readonly leaves = new Map<Leaf['key'], RecordCondition>();
  private readonly groups = new Map<Condition, RecordCondition>();
  private readonly attributes = new Map<string, RecordAttribute>();
  /** The same by the paths themselves, which most conditions on one attribute share. */
  private readonly byPath = new Map<Leaf['attribute'], RecordAttribute>();

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
            (record) => allHold(parts, record),
            () => needsOfAll(parts),
          )
        : new DecidedOnce(
            (record) => anyHolds(parts, record),
            () => needsOfAny(parts),
          );
    this.groups.set(condition, compiled);
    return compiled;
  }

  /** An attribute of records; conditions on the same one share it. */
  attribute(path: Leaf['attribute']): RecordAttribute {
    const before = this.byPath.get(path);
    if (before) return before;
    const key = JSON.stringify(path);
    const attribute = this.attributes.get(key) ?? new RecordAttribute(path, this.frame);
    this.attributes.set(key, attribute);
    this.byPath.set(path, attribute);
    return attribute;
  }

  private leaf({ key, attribute, comparison }: Leaf): RecordCondition {
    const known = this.leaves.get(key);
    if (known) return known;
    const read = this.attribute(attribute);
    const compiled = new DecidedOnce(comparing(read, comparison), () => needsOfLeaf(read, comparison));
    this.leaves.set(key, compiled);
    return compiled;
  }
}

/** Keeps its result for the record that it was asked about last. Plans outlive payloads, so it does not refer to the record. */
class DecidedOnce implements RecordCondition {
  private readonly decide: (record: RecordView) => boolean;
  private readonly findNeeds: () => RecordCondition['needs'];
  private foundNeeds: RecordCondition['needs'] | undefined;
  private subject = -1;
  private node = -1;
  private answer = false;

  constructor(decide: (record: RecordView) => boolean, findNeeds: () => RecordCondition['needs']) {
    this.decide = decide;
    this.findNeeds = findNeeds;
  }

  get needs(): RecordCondition['needs'] {
    this.foundNeeds ??= this.findNeeds();
    return this.foundNeeds;
  }

  holds(record: RecordView): boolean {
    const { node, subject } = record;
    if (node === this.node && subject.serial === this.subject) return this.answer;
    this.answer = this.decide(record);
    this.node = node;
    this.subject = subject.serial;
    return this.answer;
  }
}

function needsOfLeaf(
  attribute: RecordAttribute,
  { operator, type, keys }: Comparison,
): RecordCondition['needs'] {
  return keys === undefined || operator.negated ? [] : [[{ attribute, type, keys }]];
}

function needsOfAll(parts: readonly RecordCondition[]): RecordCondition['needs'] {
  return parts.flatMap(({ needs }) => needs);
}

/** Any of the parts may be the one that holds. */
function needsOfAny(parts: readonly RecordCondition[]): RecordCondition['needs'] {
  const first = parts.map(({ needs }) => needs[0]);
  return first.every((needs) => needs !== undefined) && first.length > 0 ? [first.flat()] : [];
}

function allHold(parts: readonly RecordCondition[], record: RecordView): boolean {
  for (const part of parts) if (!part.holds(record)) return false;
  return true;
}

function anyHolds(parts: readonly RecordCondition[], record: RecordView): boolean {
  for (const part of parts) if (part.holds(record)) return true;
  return false;
}

function comparing(attribute: RecordAttribute, comparison: Comparison): (record: RecordView) => boolean {
  const holds = (record: RecordView): boolean => {
    const { subject } = record;
    const { doc, onUnreadable } = subject;
    const end = attribute.endIn(record);
    if (end === NOWHERE) return comparison.operator.negated;
    if (end !== undefined && kindOf(doc, end) <= Kind.null)
      return comparison.holdsForScalar(doc, end, onUnreadable);
    const { ofPayload, own } = attribute.partsIn(record);
    if (ofPayload === undefined || ofPayload.length === 0) return comparison.holdsFor(doc, own, onUnreadable);
    // What all records read is compared once, however much it is.
    const ofAll = subject.payloadResults.get(holds) ?? comparison.holdsFor(doc, ofPayload, onUnreadable);
    subject.payloadResults.set(holds, ofAll);
    return own.length === 0 ? ofAll : comparison.together(ofAll, comparison.holdsFor(doc, own, onUnreadable));
  };
  return holds;
}

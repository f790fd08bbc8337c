import _ from 'lodash';
import { Kind, kindOf } from '../json/document.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import type { ValueType } from '../conditions/value-type.ts';
import { NOWHERE, type FoundValue } from '../paths/attribute.ts';
import type { Path } from '../paths/path.ts';
import { AttributeReader } from './attribute-reader.ts';
import type { Frame } from './frame.ts';
import { RecordAttribute } from './record-attribute.ts';
import { ByClass } from './by-class.ts';
import type { RecordView } from './record.ts';
import { holdsForSamples, ValueSamples } from './value-samples.ts';

/** What an attribute takes with what it remembers, in bytes, roughly. */
const BYTES_PER_ATTRIBUTE = 6 * 1024;

/** A condition compiled to be decided on records. */
export interface RecordCondition {
  holds(record: RecordView): boolean;
  /** Lists of which each has a need that is met if the condition holds; none if nothing is known. */
  readonly needs: readonly (readonly Need[])[];
  /** How many leaves it has. */
  readonly size: number;
}

/** That an attribute has a value with one of these keys. */
export interface Need {
  readonly attribute: RecordAttribute;
  readonly type: ValueType;
  readonly keys: ReadonlySet<string>;
}

/** Compiles conditions whose leaves all read the record; a part that several rules share is decided once a record. */
export class RecordConditions {
  readonly frame: Frame;
  private readonly all: () => Iterable<Condition>;
  private foundPaths: ReadonlyMap<string, Path> | undefined;
  private sampled: ReadonlyMap<string, ValueSamples> | undefined;
  /** All that conditions read, as far as they are asked. */
  readonly attributes: RecordAttribute[] = [];
  /** How many leaves are asked. */
  leafCount = 0;
  private readonly reader = new AttributeReader();
  private readonly leaves = new Map<Leaf['key'], RecordCondition>();
  /** The leaves that another plan has compiled. */
  private readonly adopted = new Set<Leaf['key']>();
  private readonly groups = new Map<Condition, RecordCondition>();
  private readonly byKey = new Map<string, RecordAttribute>();
  /** The same by the paths themselves, which most conditions on one attribute share. */
  private readonly byPath = new Map<Leaf['attribute'], RecordAttribute>();

  /** @param all the conditions of the plan's rules, of which only those are compiled that a payload leads to */
  constructor(frame: Frame, all: () => Iterable<Condition>) {
    this.frame = frame;
    this.all = all;
  }

  compile(condition: Condition): RecordCondition {
    if (condition.kind === 'leaf') return this.leaf(condition);
    const known = this.groups.get(condition);
    if (known) return known;
    const parts = condition.of.map((part) => this.compile(part));
    const [only, ...others] = parts;
    if (only && others.length === 0) return only;
    const size = _.sumBy(parts, 'size');
    const compiled =
      condition.kind === 'all'
        ? new DecidedOnce(
            (record) => allHold(parts, record),
            () => needsOfAll(parts),
            size,
          )
        : new DecidedOnce(
            (record) => anyHolds(parts, record),
            () => needsOfAny(parts),
            size,
          );
    this.groups.set(condition, compiled);
    return compiled;
  }

  /**
   * Takes in a condition that another plan has compiled and this one asks, too: records are alike only if they are alike in all
   * that is asked of them.
   */
  adopt(condition: Condition): void {
    if (condition.kind !== 'leaf') {
      for (const part of condition.of) this.adopt(part);
      return;
    }
    const { key, attribute, comparison } = condition;
    if (this.leaves.has(key) || this.adopted.has(key)) return;
    this.adopted.add(key);
    this.attribute(attribute).comparisons.push(comparison);
    this.leafCount++;
  }

  /** How much the attributes that they read take, in bytes, roughly. */
  get weight(): number {
    return this.attributes.length * BYTES_PER_ATTRIBUTE;
  }

  /** Whether any condition reads what an attribute reads, asked or not. */
  reads({ path, isAnchored }: RecordAttribute): boolean {
    return this.pathsByKey.has(keyOf({ path, isAnchored }));
  }

  /** The paths of all that conditions read, asked or not. */
  get paths(): readonly Path[] {
    return [...this.pathsByKey.values()];
  }

  private get pathsByKey(): ReadonlyMap<string, Path> {
    this.foundPaths ??= pathsReadBy(this.all());
    return this.foundPaths;
  }

  /** An attribute of records; conditions on the same one share it. */
  attribute(path: Leaf['attribute']): RecordAttribute {
    const before = this.byPath.get(path);
    if (before) return before;
    const key = keyOf(path);
    const attribute = this.byKey.get(key) ?? this.addAttribute(key, path);
    this.byPath.set(path, attribute);
    return attribute;
  }

  private addAttribute(key: string, path: Leaf['attribute']): RecordAttribute {
    const attribute = new RecordAttribute(path, this.frame, this.reader);
    this.byKey.set(key, attribute);
    this.attributes.push(attribute);
    return attribute;
  }

  private samplesOf({ attribute }: Leaf): ValueSamples | undefined {
    this.sampled ??= samplesBy(this.all());
    return this.sampled.get(keyOf(attribute));
  }

  private leaf(leaf: Leaf): RecordCondition {
    const { key, attribute, comparison } = leaf;
    const known = this.leaves.get(key);
    if (known) return known;
    const read = this.attribute(attribute);
    read.comparisons.push(comparison);
    this.leafCount++;
    let ofLists: ValueSamples | undefined;
    const holdsFor: HoldsFor = ({ subject, node }, found) => {
      const { doc, reading, onUnreadable } = subject;
      if (found.length > 1) ofLists ??= this.samplesOf(leaf);
      const samples = ofLists?.of(doc, found, leaf);
      reading.addAll(node, samples?.map(({ value }) => value) ?? found);
      if (samples) return holdsForSamples(comparison, doc, samples, onUnreadable);
      return comparison.holdsFor(doc, found, onUnreadable);
    };
    const compiled = new DecidedOnce(
      comparing(read, comparison, holdsFor),
      () => needsOfLeaf(read, comparison),
      1,
    );
    this.leaves.set(key, compiled);
    return compiled;
  }
}

function pathsReadBy(conditions: Iterable<Condition>): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  for (const { attribute } of leavesOnRecords(conditions)) paths.set(keyOf(attribute), attribute.path);
  return paths;
}

function samplesBy(conditions: Iterable<Condition>): ReadonlyMap<string, ValueSamples> {
  const leaves = Map.groupBy(leavesOnRecords(conditions), ({ attribute }) => keyOf(attribute));
  return new Map(Array.from(leaves, ([key, some]) => [key, new ValueSamples(some)]));
}

function* leavesOnRecords(conditions: Iterable<Condition>): Generator<Leaf> {
  const left = [...conditions];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind !== 'leaf') for (const part of condition.of) left.push(part);
    else if (condition.subject === 'record') yield condition;
  }
}

function keyOf({ path, isAnchored }: Leaf['attribute']): string {
  return JSON.stringify([path, isAnchored]);
}

/** Keeps its result for the record that it was asked about last. Plans outlive payloads, so it does not refer to the record. */
class DecidedOnce implements RecordCondition {
  readonly size: number;
  private readonly decide: (record: RecordView) => boolean;
  private readonly findNeeds: () => RecordCondition['needs'];
  private foundNeeds: RecordCondition['needs'] | undefined;
  private subject = -1;
  private node = -1;
  private answer = false;
  /** The answers for classes of records, if it has many leaves. */
  private readonly byClass: ByClass<boolean> | undefined;

  constructor(
    decide: (record: RecordView) => boolean,
    findNeeds: () => RecordCondition['needs'],
    size: number,
  ) {
    this.decide = decide;
    this.findNeeds = findNeeds;
    this.size = size;
    if (size > MANY) this.byClass = new ByClass(decide);
  }

  get needs(): RecordCondition['needs'] {
    this.foundNeeds ??= this.findNeeds();
    return this.foundNeeds;
  }

  holds(record: RecordView): boolean {
    const { node, subject } = record;
    if (node === this.node && subject.serial === this.subject) return this.answer;
    this.answer = this.byClass ? this.byClass.of(record) : this.decide(record);
    this.node = node;
    this.subject = subject.serial;
    return this.answer;
  }
}

/**
 * Something that is decided about records, once a record.
 *
 * @param size how many leaves are asked for that
 */
export function decidedOnce(decide: (record: RecordView) => boolean, size: number): RecordCondition {
  return new DecidedOnce(decide, () => [], size);
}

/** So many needs are enough to find the conditions that a record may meet. */
const MOST_NEEDS = 16;
/** A condition with more leaves than this is decided once for all records of a class. */
const MANY = 16;

function needsOfLeaf(
  attribute: RecordAttribute,
  { operator, type, keys }: Comparison,
): RecordCondition['needs'] {
  return keys === undefined || operator.negated ? [] : [[{ attribute, type, keys }]];
}

/** The first ones: conditions of many parts may share most of them. */
function needsOfAll(parts: readonly RecordCondition[]): RecordCondition['needs'] {
  return parts.flatMap(({ needs }) => needs).slice(0, MOST_NEEDS);
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

export function anyHolds(parts: readonly RecordCondition[], record: RecordView): boolean {
  for (const part of parts) if (part.holds(record)) return true;
  return false;
}

/** Whether a comparison holds for values that were found for a record ({@link Comparison.holdsFor}). */
type HoldsFor = (record: RecordView, found: readonly FoundValue[]) => boolean;

function comparing(
  attribute: RecordAttribute,
  comparison: Comparison,
  holdsFor: HoldsFor,
): (record: RecordView) => boolean {
  const holds = (record: RecordView): boolean => {
    const { subject, node } = record;
    const { doc, onUnreadable } = subject;
    const end = attribute.endIn(record);
    if (end === NOWHERE) return comparison.operator.negated;
    if (end !== undefined && kindOf(doc, end) <= Kind.null) {
      subject.reading.addScalar(node, end);
      return comparison.holdsForScalar(doc, end, onUnreadable);
    }
    const { ofPayload, own } = attribute.partsIn(record);
    if (ofPayload === undefined || ofPayload.length === 0) return holdsFor(record, own);
    // What all records read is compared once, however much it is.
    let ofAll = subject.payloadResults.get(holds);
    if (ofAll === undefined) {
      ofAll = holdsFor(record, ofPayload);
      subject.payloadResults.set(holds, ofAll);
    }
    return own.length === 0 ? ofAll : comparison.together(ofAll, holdsFor(record, own));
  };
  return holds;
}

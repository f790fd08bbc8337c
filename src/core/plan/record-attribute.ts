import _ from 'lodash';
import { Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import {
  Attribute,
  NOWHERE,
  readValue,
  readValues,
  type AttributeValue,
  type FoundValue,
} from '../paths/attribute.ts';
import type { Comparison } from '../conditions/comparison.ts';
import type { AttributePath } from '../paths/parse.ts';
import type { Path } from '../paths/path.ts';
import { isOfNames } from '../paths/plain-paths.ts';
import { hasRecords, recordsAt } from '../records.ts';
import type { Root, RootList } from '../roots.ts';
import type { AttributeReader } from './attribute-reader.ts';
import { AttributeWays } from './attribute-ways.ts';
import { beginsWithJson, type Frame } from './frame.ts';
import { LEADS_INSIDE, type PayloadRead } from './payload-reader.ts';
import type { RecordView, Subject } from './record.ts';
import {
  isList,
  readingOfOthers,
  type ElementReadings,
  type MemberRead,
  type Reading,
  type RootReading,
  type ValueParts,
} from './record-reading.ts';

function firstNameOf(path: Path, { rootWord }: Frame): string | undefined {
  const [first] = path;
  if (first?.kind !== 'name' || beginsWithJson(path)) return undefined;
  return path.length === 1 || (first.name !== rootWord && isOfNames(path)) ? first.name : undefined;
}

/** So few roots are asked one by one. */
const FEW_ROOTS = 16;

const NO_VALUES: readonly FoundValue[] = [];
const NO_ATTRIBUTES: readonly Attribute[] = [];
const NOTHING: ValueParts = { ofPayload: undefined, own: NO_VALUES };

/**
 * An attribute of records by its path, which may lead to the record from the payload, or to another part of the payload
 * (docs/path-syntax.md: conditions, `assetId` and the dry-run property).
 */
export class RecordAttribute {
  readonly path: Path;
  /** What conditions compare it with. */
  readonly comparisons: Comparison[] = [];
  readonly isAnchored: boolean;
  /** Whether it has a `[*]` or `.*`, which may be the record that is evaluated. */
  private readonly namesAnyElement: boolean;
  /** The first of the names that it consists of, unless that may name the payload: it then leads from there to records if they are below it. */
  private readonly firstName: string | undefined;
  private readonly frame: Frame;
  private followed: AttributeWays | undefined;
  private readonly attributes: (Attribute | undefined)[] = [];
  /** What the whole path reads of a record. */
  private ofWhole: readonly Attribute[] | undefined;
  private readonly reader: AttributeReader | undefined;
  /** The reading for the root that was asked for last. */
  private latestRoot: Root = -1;
  private latestSubject = -1;
  private latestReading: RootReading = [];
  /** The end in the record that was asked for last: a record may have many properties of which each asks for it. */
  private latestNode: Node = -1;
  private latestNodeSubject = -1;
  private latestEnd: Node | undefined;
  /** Whether the path leads through any root of the subject that was asked for last. */
  private asked: { readonly subject: Subject['serial']; readonly answer: boolean } | undefined;
  /** Whether it reads the records of all roots of that subject alike, as far as is known. */
  private areAlike = false;

  /** @param reader reads it with the other attributes of a record */
  constructor({ path, isAnchored }: AttributePath, frame: Frame, reader?: AttributeReader) {
    this.reader = reader;
    this.path = path;
    this.isAnchored = isAnchored;
    this.namesAnyElement = path.some(({ kind }) => kind === 'any');
    this.firstName = isAnchored ? undefined : firstNameOf(path, frame);
    this.frame = frame;
  }

  /** Made when it is asked: most attributes are properties of the records, of which a decision may name many. */
  private get ways(): AttributeWays {
    this.followed ??= new AttributeWays(this, this.frame, (matched) => this.attributesAfter(matched));
    return this.followed;
  }

  /**
   * The values for a record: strings as they read, numbers and booleans as they are spelt; nothing if absent or null. A place that the
   * path leads to in several ways has one.
   */
  valuesIn(record: RecordView): readonly AttributeValue[] {
    const { ofPayload = NO_VALUES, own } = this.partsIn(record);
    return readValues(record.subject.doc, own.length === 0 ? _.uniq(ofPayload) : _.union(ofPayload, own));
  }

  /** The same, each read when it is asked for. */
  *eachValueIn(record: RecordView): Generator<AttributeValue> {
    const { ofPayload = NO_VALUES, own } = this.partsIn(record);
    const { doc } = record.subject;
    const read = new Set<FoundValue>();
    for (const found of [ofPayload, own]) {
      for (const value of found) {
        if (read.has(value)) continue;
        read.add(value);
        yield readValue(doc, value);
      }
    }
  }

  /** The same, not read yet, in two parts, of which the first is the same list for all records that read the payload. */
  partsIn(record: RecordView): ValueParts {
    const { latestParts } = record.subject;
    const latest = latestParts.get(this);
    if (latest?.node === record.node) return latest.parts;
    const parts = this.findParts(record);
    if (latest === undefined) latestParts.set(this, { node: record.node, parts });
    else {
      latest.node = record.node;
      latest.parts = parts;
    }
    return parts;
  }

  private findParts(record: RecordView): ValueParts {
    const reading = this.readingFor(record);
    const { doc } = record.subject;
    if (reading === 'payload') return this.partsOfPayload(record);
    const elsewhere = this.foundElsewhere(record.subject);
    const ofPayload = elsewhere.length > 0 ? elsewhere : undefined;
    if (kindOf(doc, record.node) !== Kind.object) return ofPayload ? { ofPayload, own: NO_VALUES } : NOTHING;
    const only = reading.length === 1 ? reading[0] : undefined;
    const own = only ? this.found(only, record) : reading.flatMap((one) => this.found(one, record));
    return { ofPayload, own };
  }

  /** The one value of the record that the attribute is, or {@link NOWHERE}; undefined if it may be anything else. */
  endIn(record: RecordView): Node | undefined {
    const { node, subject } = record;
    if (node === this.latestNode && subject.serial === this.latestNodeSubject) return this.latestEnd;
    this.latestEnd = this.findEnd(record);
    this.latestNode = node;
    this.latestNodeSubject = subject.serial;
    return this.latestEnd;
  }

  /** What is read of each record of a root, if it is the same for all of them and nothing of the payload. */
  attributesAt(root: Root, subject: Subject): readonly Attribute[] | undefined {
    const reading = this.readingAt(root, subject);
    return isList(reading) && this.foundElsewhere(subject).length === 0 ? reading : undefined;
  }

  private findEnd(record: RecordView): Node | undefined {
    const reading = this.readingFor(record);
    if (reading === 'payload' || reading.length > 1) return undefined;
    if (this.foundElsewhere(record.subject).length > 0) return undefined;
    if (kindOf(record.subject.doc, record.node) !== Kind.object) return NOWHERE;
    const only = reading[0];
    if (only === undefined) return undefined;
    const { reader } = this;
    return reader?.reads(only, record) === true
      ? endAmong(reader.foundIn(only, record))
      : only.endIn(record.subject.doc, record.node);
  }

  private found(attribute: Attribute, record: RecordView): readonly FoundValue[] {
    const { reader } = this;
    if (reader?.reads(attribute, record) === true) return reader.foundIn(attribute, record);
    return attribute.foundIn(record.subject.doc, record.node);
  }

  /** Whether it depends on the element what is read of the records of a root: on its index, or on how deep it is in arrays. */
  isReadByElement(root: Root, subject: Subject): boolean {
    const reading = this.readingAt(root, subject);
    return reading !== 'payload' && !isList(reading);
  }

  /** The members that the attribute may read of a record; what it reads of the payload is the same for all of them. */
  membersReadIn(record: RecordView): readonly MemberRead[] {
    const reading = this.readingFor(record);
    if (reading === 'payload') return beginsWithJson(this.path) ? [{ name: undefined, path: this.path }] : [];
    return reading.map(({ memberName, path }) => ({ name: memberName, path }));
  }

  /** What a path reads that leads elsewhere in the payload; if it begins with `json`, also of a record with a property of that name. */
  private partsOfPayload(record: RecordView): ValueParts {
    const { subject, node } = record;
    const { doc } = subject;
    const parts = this.partsInPayload(record);
    if (!beginsWithJson(this.path) || kindOf(doc, node) !== Kind.object) return parts;
    const { whole } = this;
    if (whole.every((attribute) => attribute.endIn(doc, node) === NOWHERE)) return parts;
    const own = whole.flatMap((attribute) => attribute.foundIn(doc, node));
    return { ofPayload: parts.ofPayload, own };
  }

  private readingFor(record: RecordView): Reading {
    const reading = this.readingAt(record.root, record.subject);
    return reading === 'payload' || isList(reading) ? reading : this.readingOfElement(record, reading);
  }

  private readingOfElement(
    { root, subject, node }: RecordView,
    { state, ofOthers }: ElementReadings,
  ): Reading {
    let here = state;
    for (const { index, length } of subject.ways.to(node, root)) here = here?.element(index, length);
    const attributes = here === undefined ? NO_ATTRIBUTES : this.ways.attributesIn(here);
    return attributes.length > 0 ? attributes : ofOthers;
  }

  private readingAt(root: Root, subject: Subject): RootReading {
    const isKnown = subject.serial === this.latestSubject;
    if (isKnown && (root === this.latestRoot || this.areAlike)) return this.latestReading;
    if (!isKnown) this.areAlike = false;
    this.latestReading = this.read(root, subject);
    this.latestRoot = root;
    this.latestSubject = subject.serial;
    return this.latestReading;
  }

  private read(root: Root, subject: Subject): RootReading {
    if (this.isOwnIn(subject)) return this.whole;
    const way = this.ways.through(root, subject);
    if (way.attributes.length > 0) return way.attributes;
    const ofOthers = this.readingOfUnreached(way.leadsOn, subject);
    return way.isIndexed ? { state: way.state, ofOthers } : ofOthers;
  }

  /** How records are read to which the path does not lead, though it may lead to others of their root. */
  private readingOfUnreached(leadsOn: boolean, subject: Subject): Reading {
    if (leadsOn) return 'payload';
    if (!this.leadsThroughAny(subject)) return this.isAnchored ? 'payload' : this.whole;
    if (this.ways.rests.mayNameElements) return 'payload';
    // By names alone, it says nothing of the records of other roots.
    return this.ways.rests.isJsonPath ? NO_ATTRIBUTES : this.whole;
  }

  /** Whether it is the path of properties of each record, and leads from the payload to none. */
  isOwnIn(subject: Subject): boolean {
    const { firstName } = this;
    return firstName !== undefined && (this.path.length === 1 || !subject.mayBeAboveRoots(firstName));
  }

  /** Whether the path leads through a root to records; they may be those of another root than the record's. */
  private leadsThroughAny(subject: Subject): boolean {
    if (this.asked?.subject !== subject.serial) {
      const answer = this.ways.rests.mayLeadOn && this.leadsThroughSome(subject);
      this.asked = { subject: subject.serial, answer };
    }
    return this.asked.answer;
  }

  private leadsThroughSome(subject: Subject): boolean {
    const { roots, doc } = subject;
    const unlike = roots.length > FEW_ROOTS ? subject.classes?.unlikeRoots(this) : undefined;
    this.areAlike = unlike?.length === 1;
    for (const root of unlike ?? roots.all()) {
      if (!hasRecords(doc, roots.nodeOf(root))) continue;
      if (this.ways.through(root, subject).leadsOn) return true;
    }
    return false;
  }

  private get whole(): readonly Attribute[] {
    this.ofWhole ??= this.attributesAfter([0]);
    return this.ofWhole;
  }

  /** The attributes that what is left of the path reads, after some of its segments. */
  private attributesAfter(matched: readonly number[]): readonly Attribute[] {
    return [...new Set(matched)].map((count) => (this.attributes[count] ??= this.attributeAfter(count)));
  }

  private attributeAfter(matched: number): Attribute {
    const attribute = new Attribute(this.path.slice(matched));
    this.reader?.add(attribute);
    return attribute;
  }

  /** What a path reads of the payload that might lead to records, and leads to other parts only. */
  private foundElsewhere(subject: Subject): readonly FoundValue[] {
    if (!this.isAnchored || !this.ways.rests.mayLeadElsewhere || subject.regions === undefined)
      return NO_VALUES;
    const known = subject.partsElsewhere.get(this);
    if (known) return known;
    const { conditions, payloadReader } = subject;
    const others = () => conditions?.attributes.flatMap((one) => one.readsElsewhere()) ?? [];
    const parts = this.readsElsewhere().map((read) => payloadReader.foundIn(read, others));
    const { atPayload, ofPayload } = this.ways.rests;
    const found = parts.includes(LEADS_INSIDE)
      ? NO_VALUES
      : parts.flatMap((part, at) => (ofPayload.includes(atPayload[at]!) ? part : NO_VALUES));
    subject.partsElsewhere.set(this, found);
    return found;
  }

  /** All readings of the path: if one leads to a root, none is read elsewhere. */
  private readsElsewhere(): readonly PayloadRead[] {
    if (!this.isAnchored || !this.ways.rests.mayLeadElsewhere) return [];
    return this.attributesAfter(this.ways.rests.atPayload).map((attribute) => ({
      attribute,
      meant: 'elsewhere',
    }));
  }

  private partsInPayload({ subject, root }: RecordView): ValueParts {
    const known = subject.payloadParts.get(this);
    if (known) return known;
    const { doc, roots, conditions, payloadReader } = subject;
    const others = () => conditions?.attributes.flatMap((one) => one.readsOfPayloadAt(root, subject)) ?? [];
    const reads = this.readsOfPayload(subject);
    const found = reads.flatMap((read) => payloadReader.foundIn(read, others));
    const isOfBare = this.namesAnyElement && !this.leadsThroughAny(subject);
    const parts = { ofPayload: isOfBare ? withoutBareRecords(found, doc, roots) : found, own: NO_VALUES };
    subject.payloadParts.set(this, parts);
    return parts;
  }

  /** What it reads of the payload for some records of a root; nothing if it reads all of them themselves. */
  private readsOfPayloadAt(root: Root, subject: Subject): readonly PayloadRead[] {
    const reading = readingOfOthers(this.readingAt(root, subject));
    return reading === 'payload' ? this.readsOfPayload(subject) : [];
  }

  /** A path that leads to records means what is in them, and not what it leads to beside the roots. */
  private readsOfPayload(subject: Subject): readonly PayloadRead[] {
    const meant = this.leadsThroughAny(subject) ? 'in records' : 'any';
    return this.attributesAfter(this.ways.rests.ofPayload).map((attribute) => ({ attribute, meant }));
  }
}

/** The one value that was found, {@link NOWHERE} if there is none; undefined if it is anything else. */
function endAmong(found: readonly FoundValue[]): Node | undefined {
  if (found.length > 1) return undefined;
  const [only = NOWHERE] = found;
  return typeof only === 'string' ? undefined : only;
}

/** Leaves out elements of the roots that are no objects: they are records, in which a condition finds no attribute. */
function withoutBareRecords(
  found: readonly FoundValue[],
  doc: JsonDocument,
  roots: RootList,
): readonly FoundValue[] {
  if (found.length === 0) return found;
  const bare: Node[] = [];
  for (const root of roots.all()) {
    for (const record of recordsAt(doc, roots.nodeOf(root)))
      if (kindOf(doc, record) !== Kind.object) bare.push(record);
  }
  return found.filter((value) => typeof value === 'string' || _.sortedIndexOf(bare, value) < 0);
}

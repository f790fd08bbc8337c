import type { JsonDocument, Node } from '../json/document.ts';
import { UNREADABLE, type AttributeValue, type FoundValue } from '../paths/attribute.ts';
import type { RootStates } from '../paths/root-states.ts';
import { stringAt } from '../json/text.ts';
import { NO_STEP, type Root, type RootList, type RootStep } from '../roots.ts';
import type { AttributesRead } from './attribute-reader.ts';
import type { NamedAssets } from './named-assets.ts';
import { PayloadReader } from './payload-reader.ts';
import type { RecordAttribute } from './record-attribute.ts';
import type { ValueParts } from './record-reading.ts';
import { NO_CLASS, type RecordClass, type RecordLikeness } from './record-class.ts';
import { RecordClasses } from './record-classes.ts';
import type { RecordConditions } from './record-condition.ts';
import { ReadingLimit } from './reading-limit.ts';
import { RecordWays } from './record-ways.ts';
import { RootRegions } from './root-regions.ts';

let subjects = 0;

/** Of more roots, it is not known which names are above them. */
const FEW_ROOTS = 16;

/** One payload with its roots: what attributes are read from. */
export class Subject {
  /** Another one for each subject, so that what is known of one need not refer to it. */
  readonly serial = subjects++;
  readonly doc: JsonDocument;
  /** The payload within the document. */
  readonly payload: Node;
  readonly roots: RootList;
  readonly reading: ReadingLimit;
  /** How often it was called. */
  unreadable = 0;
  /** The conditions that are asked of the records, if their classes are to be known. */
  conditions: RecordConditions | undefined;
  /** The identifiers of assets that rules name, if these are to be found once a record. */
  assets: NamedAssets | undefined;
  /** The attributes of the record of which they were read last. */
  attributesRead: AttributesRead | undefined;
  private readonly observe: () => void;
  // Made when a condition is asked: each costs more than what else is known of a small payload.
  private counting: (() => void) | undefined;
  private ofPayload: Map<RecordAttribute, ValueParts> | undefined;
  private elsewhere: Map<RecordAttribute, readonly FoundValue[]> | undefined;
  private inRoots: RootRegions | undefined;
  private states: Map<object, RootStates<unknown>> | undefined;
  private results: Map<object, boolean> | undefined;
  private parts: Map<RecordAttribute, { node: Node; parts: ValueParts }> | undefined;
  private sorted: RecordClasses | undefined;
  private followed: RecordWays | undefined;
  private reader: PayloadReader | undefined;
  private aboveRoots: ReadonlySet<string> | undefined;

  constructor(doc: JsonDocument, payload: Node, roots: RootList, onUnreadable = (): void => undefined) {
    this.doc = doc;
    this.payload = payload;
    this.roots = roots;
    this.reading = new ReadingLimit(doc);
    this.observe = onUnreadable;
  }

  /** To be called for each value that a condition compares and that does not read as the condition's type. */
  get onUnreadable(): () => void {
    return (this.counting ??= countingCalls(this, this.observe));
  }

  /** The classes of the records. */
  get classes(): RecordClasses | undefined {
    if (this.conditions) this.sorted ??= new RecordClasses(this, this.conditions);
    return this.sorted;
  }

  /** Whether a property of the payload of this name may be a root, or lead to one. */
  mayBeAboveRoots(name: string): boolean {
    if (this.roots.length > FEW_ROOTS) return true;
    this.aboveRoots ??= new Set(
      Array.from(this.roots.all(), (root) => this.firstNameTo(root)).filter(isText),
    );
    return this.aboveRoots.has(name);
  }

  /** The first name on the way from the payload to a root. */
  private firstNameTo(root: Root): string | undefined {
    const { roots, doc } = this;
    let first: Node | undefined;
    for (let step: RootStep = roots.stepTo(root); step !== NO_STEP; step = roots.before(step))
      first = roots.nameIn(step) ?? first;
    return first === undefined ? undefined : stringAt(doc, first);
  }

  /** The ways from roots to records, followed once for all attributes that ask for one. */
  get ways(): RecordWays {
    return (this.followed ??= new RecordWays(this.doc, this.roots));
  }

  /** Reads what attributes are of the payload. */
  get payloadReader(): PayloadReader {
    return (this.reader ??= new PayloadReader(this));
  }

  /** What attributes of the payload yield, which is the same for all records. */
  get payloadParts(): Map<RecordAttribute, ValueParts> {
    return (this.ofPayload ??= new Map());
  }

  /** The parts of the payload that the roots are in; undefined if that is all of it. */
  get regions(): RootRegions | undefined {
    if (this.roots.length === 0) return undefined;
    this.inRoots ??= new RootRegions(this.doc, this.payload, this.roots);
    return this.inRoots.areAll ? undefined : this.inRoots;
  }

  /** What attributes yield that lead to other parts of the payload only. */
  get partsElsewhere(): Map<RecordAttribute, readonly FoundValue[]> {
    return (this.elsewhere ??= new Map());
  }

  /** What attributes are of the record for which they were read last: many properties of it may have conditions on them. */
  get latestParts(): Map<RecordAttribute, { node: Node; parts: ValueParts }> {
    return (this.parts ??= new Map());
  }

  /** Where the paths of attributes lead at roots. */
  get rootStates(): Map<object, RootStates<unknown>> {
    return (this.states ??= new Map());
  }

  /** Whether conditions on the values of the payload hold, by the leaf. */
  get payloadResults(): Map<object, boolean> {
    return (this.results ??= new Map());
  }
}

function isText(name: string | undefined): name is string {
  return name !== undefined;
}

function countingCalls(subject: Subject, observe: () => void): () => void {
  return () => {
    subject.unreadable++;
    observe();
  };
}

/** One protected object as the caller sent it: what conditions are decided on (docs/enforcement.md#root-and-records). */
export class RecordView {
  readonly subject: Subject;
  /** An object, or an element of the root that is none: a record without properties. */
  node: Node;
  root: Root;
  /** What identifies the asset that the record is, in context mode (docs/enforcement.md#context). */
  readonly assetId: RecordAttribute | undefined;
  /** What it has in common with others, if that is known. */
  likeness: RecordLikeness | undefined;
  private foundClass: RecordClass | undefined;

  constructor(subject: Subject, node: Node, root: Root, assetId: RecordAttribute | undefined) {
    this.subject = subject;
    this.node = node;
    this.root = root;
    this.assetId = assetId;
    this.likeness = undefined;
    this.foundClass = undefined;
  }

  /** Makes it that of another record of the subject. */
  moveTo(node: Node, root: Root): void {
    this.node = node;
    this.root = root;
    this.likeness = undefined;
    this.foundClass = undefined;
  }

  /** The class of the record for all conditions of the plan; {@link NO_CLASS} if it is not known. */
  get like(): RecordClass {
    this.foundClass ??= this.subject.classes?.of(this) ?? NO_CLASS;
    return this.foundClass;
  }

  /** The identifiers of the asset that the record is. */
  get assetIds(): readonly string[] {
    return (this.assetId?.valuesIn(this) ?? []).filter(isReadable);
  }
}

/** Makes views of the records that a walk meets, one after another. */
export class RecordViews {
  private readonly subject: Subject;
  private readonly assetId: RecordAttribute | undefined;
  private readonly areKept: boolean;
  private latest: RecordView | undefined;

  /** @param areKept whether a view has to stay as it is when that of the next record is asked for */
  constructor(subject: Subject, assetId: RecordAttribute | undefined, areKept: boolean) {
    this.subject = subject;
    this.assetId = assetId;
    this.areKept = areKept;
  }

  of(record: Node, root: Root): RecordView {
    const { latest } = this;
    if (latest === undefined || this.areKept)
      return (this.latest = new RecordView(this.subject, record, root, this.assetId));
    if (latest.node !== record) latest.moveTo(record, root);
    return latest;
  }
}

function isReadable(value: AttributeValue): value is string {
  return value !== UNREADABLE;
}

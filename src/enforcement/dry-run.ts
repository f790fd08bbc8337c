import {
  endOf,
  RecordAttribute,
  startOf,
  UNREADABLE,
  type AttributeValue,
  type DryRun,
  type Frame,
  type Node,
  type Policy,
  type RecordView,
} from '../core/index.ts';
import { MAX_QUOTED, shortened } from '../shortened.ts';
import type { Log } from './ports.ts';

/** What one payload may have in lines about dry runs: a policy that is only tried out must not cost more than one that masks. */
export const MAX_LINES = 10_000;
/** How much is read to identify records: so many bytes, and so many times as much as the payload has. */
const LEAST_READ = 1024 * 1024;
const READ_BY_BYTE = 16;
/** What each array around a record costs if it depends on its index what identifies the record, in bytes. */
const BYTES_BY_LEVEL = 64;

const UNKNOWN = 'unknown';

/** A policy in dry run, and what identifies records in its lines. */
interface TriedPolicy {
  readonly identifier: Identifier;
  /** These two as they are in a line. */
  readonly name: string;
  readonly property: string;
  /** The record that has a line. */
  record: Node | undefined;
}

/** A property that identifies records. */
interface Identifier {
  readonly attribute: RecordAttribute;
  /** The record that was identified last, and its value. */
  record: Node | undefined;
  value: string;
}

/** Logs what policies in dry run would have done, one line for each record and policy (docs/enforcement.md#dry-run). */
export class DryRunLog {
  private readonly log: Log;
  private readonly user: () => string;
  private readonly frame: Frame;
  private readonly identifiers = new Map<DryRun['property'], Identifier>();
  /** Policies of one name that identify records by different properties are different ones. */
  private readonly byName = new Map<string, TriedPolicy>();
  private readonly byRule = new Map<readonly (Policy & { dryRun: DryRun })[], readonly TriedPolicy[]>();
  private lines = 0;
  private read = 0;
  private closed = false;

  /**
   * @param user is called only if there is something to log
   * @param frame what names the payload in paths that begin at it
   */
  constructor(log: Log, user: () => string, frame: Frame) {
    this.log = log;
    this.user = user;
    this.frame = frame;
  }

  /** Whether there may be more lines. */
  get isOpen(): boolean {
    return !this.closed;
  }

  /** @returns how many lines were logged */
  skipped(policies: readonly (Policy & { dryRun: DryRun })[], record: RecordView): number {
    const before = this.lines;
    for (const policy of this.triedIn(policies)) {
      if (policy.record === record.node) continue;
      if (this.isFull(record)) break;
      policy.record = record.node;
      this.lines++;
      const { name, property, identifier } = policy;
      const value = this.identify(identifier, record);
      this.log.info(
        `Enforcement by Policy ${name} on ${property} ${value} was skipped for User ${this.user()}`,
      );
    }
    return this.lines - before;
  }

  private isFull({ subject: { doc } }: RecordView): boolean {
    if (this.closed) return true;
    this.closed = this.lines >= MAX_LINES || this.read > LEAST_READ + READ_BY_BYTE * doc.bytes.length;
    if (this.closed)
      this.log.warn('Dry runs would have more lines than are logged for one payload', { lines: this.lines });
    return this.closed;
  }

  private triedIn(policies: readonly (Policy & { dryRun: DryRun })[]): readonly TriedPolicy[] {
    const known = this.byRule.get(policies);
    if (known) return known;
    // A rule may name one policy thousands of times, and all of them are looked at for each record.
    const tried = [...new Set(policies.map((policy) => this.tried(policy)))];
    this.byRule.set(policies, tried);
    return tried;
  }

  private tried({ name, dryRun }: Policy & { dryRun: DryRun }): TriedPolicy {
    const key = JSON.stringify([dryRun.property, name]);
    const known = this.byName.get(key);
    if (known) return known;
    const tried = {
      identifier: this.identifierOf(dryRun),
      name: shortened(name),
      property: shortened(dryRun.property),
      record: undefined,
    };
    this.byName.set(key, tried);
    return tried;
  }

  private identifierOf({ property, path }: DryRun): Identifier {
    const known = this.identifiers.get(property);
    if (known) return known;
    const attribute = new RecordAttribute(path, this.frame);
    const identifier = { attribute, record: undefined, value: UNKNOWN };
    this.identifiers.set(property, identifier);
    return identifier;
  }

  private identify(identifier: Identifier, record: RecordView): string {
    if (identifier.record === record.node) return identifier.value;
    const texts = quotedOf(identifier.attribute.eachValueIn(record));
    const text = texts.join(',');
    this.read += text.length + costOf(identifier.attribute, record);
    identifier.record = record.node;
    identifier.value = texts.length === 0 ? UNKNOWN : shortened(text);
    return identifier.value;
  }
}

/** Those of the values that a line quotes: it is full after a few. */
function quotedOf(values: Iterable<AttributeValue>): readonly string[] {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    if (value === UNREADABLE) continue;
    texts.push(value);
    length += value.length + 1;
    if (length > MAX_QUOTED + 1) break;
  }
  return texts;
}

/** What it costs to read an attribute of a record, in bytes of the record. */
function costOf(attribute: RecordAttribute, { node, root, subject }: RecordView): number {
  const { doc, ways } = subject;
  const length = endOf(doc, node) - startOf(doc, node);
  return attribute.isReadByElement(root, subject)
    ? length + ways.to(node, root).length * BYTES_BY_LEVEL
    : length;
}

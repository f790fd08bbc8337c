import { isString, kindOf, type Node } from '../json/located.ts';
import type { Condition, Leaf } from '../conditions/condition.ts';
import type { Test } from '../conditions/test.ts';
import { Attribute } from '../paths/attribute.ts';
import type { RecordView } from './record.ts';
import type { Scope } from './scope.ts';

/** A condition compiled to be asked of records. */
export interface RecordCondition {
  holds(record: RecordView): boolean;
}

/** Compiles conditions whose leaves all read the record; a leaf that several rules share is asked once a record. */
export class RecordConditions {
  private readonly scope: Scope;
  private readonly leaves = new Map<Leaf['key'], RecordCondition>();

  constructor(scope: Scope) {
    this.scope = scope;
  }

  compile(condition: Condition): RecordCondition {
    if (condition.kind === 'leaf') return this.leaf(condition);
    const parts = condition.of.map((part) => this.compile(part));
    if (condition.kind === 'all') return { holds: (record) => parts.every((part) => part.holds(record)) };
    return { holds: (record) => parts.some((part) => part.holds(record)) };
  }

  private leaf(leaf: Leaf): RecordCondition {
    const known = this.leaves.get(leaf.key);
    if (known) return known;
    const compiled = new RecordTest(this.leaves.size, leaf.test, this.scope.fromRoot(leaf.attribute));
    this.leaves.set(leaf.key, compiled);
    return compiled;
  }
}

/** A test of an attribute, decided once a record; what it yields is kept with the record, as plans outlive payloads. */
class RecordTest implements RecordCondition {
  private readonly number: number;
  private readonly test: Test;
  private readonly inRecord: readonly Attribute[];
  /** The attribute, where there is but one way to read the path. */
  private readonly only: Attribute | undefined;
  private readonly inRoot: readonly Attribute[];
  /** What was read in a root last: the same for all of its records. */
  private latest:
    | { readonly serial: number; readonly root: Node; readonly values: ReturnType<Attribute['valuesIn']> }
    | undefined;

  constructor(number: number, test: Test, paths: ReturnType<Scope['fromRoot']>) {
    this.number = number;
    this.test = test;
    const ofRecord = paths.filter(([first]) => first?.kind === 'record');
    this.inRecord = ofRecord.map((path) => new Attribute(path.slice(1)));
    const [only, ...others] = this.inRecord;
    this.only = others.length === 0 && ofRecord.length === paths.length ? only : undefined;
    this.inRoot = paths.filter((path) => !ofRecord.includes(path)).map((path) => new Attribute(path));
  }

  holds(record: RecordView): boolean {
    return (record.results[this.number] ??= this.decide(record));
  }

  private decide(record: RecordView): boolean {
    const string = this.only && stringIn(this.only, record);
    return string === undefined
      ? this.test.holds(this.values(record))
      : this.test.holdsForString(record.doc, string);
  }

  private values({ doc, node, root }: RecordView): ReturnType<Attribute['valuesIn']> {
    if (this.only) return this.only.valuesIn(doc, node);
    const ofRoot = this.inRoot.length === 0 ? [] : this.valuesOfRoot(doc, root);
    const ofRecord = this.inRecord.flatMap((attribute) => attribute.valuesIn(doc, node));
    return ofRecord.length === 0 ? ofRoot : ofRecord.concat(ofRoot);
  }

  private valuesOfRoot(doc: RecordView['doc'], root: Node): ReturnType<Attribute['valuesIn']> {
    const { latest } = this;
    if (latest?.serial === doc.serial && latest.root === root) return latest.values;
    const values = this.inRoot.flatMap((attribute) => attribute.valuesIn(doc, root));
    this.latest = { serial: doc.serial, root, values };
    return values;
  }
}

/** The attribute of a record, where it is one string: that need not be decoded. */
function stringIn(attribute: Attribute, { doc, node }: RecordView): Node | undefined {
  const scalar = attribute.scalarIn(doc, node);
  return scalar !== undefined && isString(kindOf(doc, scalar)) ? scalar : undefined;
}

import {
  Kind,
  NO_KEY_ID,
  after,
  firstIn,
  isString,
  keyIdOf,
  kindOf,
  rawAt,
  stringAt,
  valueOf,
  viewOf,
  type Condition,
  type JsonDocument,
  type Node,
  type Path,
  type StringReader,
} from '../../../core/index.ts';
import { conditionOn, type ConditionSettings } from './condition.ts';
import { NOWHERE } from '../not-understood.ts';
import { readPath } from '../path.ts';
import { LeafOfName, NamedAlternatives } from './named-alternatives.ts';
import { findLeaf } from './known-leaves.ts';
import { doubt, listAt, PartMembers, type MemberReader } from './members.ts';

const LEAF = new PartMembers(['attribute', 'operator', 'type', 'values', 'match']);

/** Reads condition trees from the tape, as `PlainAnswers` reads entries. */
export class PlainConditions {
  private readonly doc: JsonDocument;
  private readonly strings: StringReader;
  private readonly members: MemberReader;
  private readonly view: DataView;
  /** Whether strings may not hold the whole text. */
  private copies = false;
  // Made once: decisions have many leaves, most of them with one value.
  private readonly readLeaf = (leaf: Node, settings: ConditionSettings, isKept: boolean): Condition =>
    this.leaf(leaf, settings, isKept);
  private readonly readScalar = (value: Node): string => this.scalar(value);

  constructor(doc: JsonDocument, strings: StringReader, members: MemberReader) {
    this.doc = doc;
    this.strings = strings;
    this.members = members;
    this.view = viewOf(doc.bytes);
  }

  /**
   * @throws Doubt
   * @throws ServiceError `decision-not-understood`, without the place
   */
  read(tree: Node, settings: ConditionSettings): Condition {
    const { doc } = this;
    if (kindOf(doc, tree) !== Kind.object) throw doubt;
    const kind = this.groupKind(tree);
    if (kind === undefined) return findLeaf(doc, this.view, tree, settings, this.readLeaf);
    const list = valueOf(firstIn(tree));
    if (kindOf(doc, list) !== Kind.array) throw doubt;
    const names = kind === 'any' ? this.names(list, settings) : undefined;
    if (names) return names;
    return { kind, of: listAt(doc, list, (part) => this.read(part, settings)) };
  }

  /** Of an object that has one member. */
  private groupKind(tree: Node): 'all' | 'any' | undefined {
    const { doc } = this;
    const first = firstIn(tree);
    const stop = after(doc, tree);
    if (first === stop || after(doc, valueOf(first)) !== stop) return undefined;
    const id = keyIdOf(doc, first);
    const name = id === NO_KEY_ID ? undefined : this.members.nameOf(id, first);
    if (name === 'AND') return 'all';
    return name === 'OR' ? 'any' : undefined;
  }

  /** Alternatives that are alike: each names one property as the first one does. */
  private names(list: Node, settings: ConditionSettings): Condition | undefined {
    const { doc, view } = this;
    const first = firstIn(list);
    const like = first < after(doc, list) ? LeafOfName.at(doc, view, first, settings.attrName) : undefined;
    if (like === undefined) return undefined;
    const written: string[] = [];
    const names: Path[] = [];
    const stop = after(doc, list);
    for (let leaf = first; leaf < stop; leaf = after(doc, leaf)) {
      const value = like.valueAt(leaf);
      if (value === undefined) return undefined;
      const text = this.strings.at(value);
      written.push(text);
      names.push(readPath(text, NOWHERE));
    }
    return new NamedAlternatives(names, like.written, written, settings);
  }

  private leaf(node: Node, settings: ConditionSettings, isKept: boolean): Condition {
    this.copies = isKept;
    const found = this.members.read(node, LEAF, true);
    const attribute = this.text(found.get('attribute'));
    const values = this.values(found.get('values'));
    if (attribute === '' || values.length === 0) throw doubt;
    const type = found.get('type');
    const match = found.get('match');
    const leaf = {
      attribute,
      type: type === 0 ? undefined : this.text(type),
      operator: this.text(found.get('operator')),
      values,
      match: match === 0 ? undefined : this.text(match),
    };
    return conditionOn(leaf, settings, NOWHERE);
  }

  private values(node: Node): readonly string[] {
    const { doc } = this;
    if (node === 0) throw doubt;
    if (kindOf(doc, node) !== Kind.array) return [this.scalar(node)];
    return listAt(doc, node, this.readScalar);
  }

  private scalar(node: Node): string {
    const kind = kindOf(this.doc, node);
    if (isString(kind)) return this.string(node);
    if (kind >= Kind.null) throw doubt;
    return rawAt(this.doc, node);
  }

  private text(node: Node): string {
    if (node === 0 || !isString(kindOf(this.doc, node))) throw doubt;
    return this.string(node);
  }

  private string(node: Node): string {
    return this.copies ? stringAt(this.doc, node) : this.strings.at(node);
  }
}

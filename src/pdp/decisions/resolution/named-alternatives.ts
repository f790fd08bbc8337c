import {
  Kind,
  NO_KEY_ID,
  after,
  areSameBytes,
  endOf,
  firstIn,
  keyIdOf,
  kindOf,
  startOf,
  stringAt,
  valueOf,
  type Condition,
  type JsonDocument,
  type Node,
  type Path,
} from '../../../core/index.ts';
import { conditionOn, type ConditionSettings } from './condition.ts';
import { NOWHERE } from '../not-understood.ts';
import { operatorNamed } from './operators.ts';

/** The members of a leaf that names a property, in any order; it may lack its type. */
const MEMBERS: ReadonlySet<string> = new Set(['attribute', 'operator', 'values', 'type']);
/** The shortest text that is compared, in bytes: one with two characters between its quotes. */
const MIN_LENGTH = 4;

/** A member of a leaf: the id of its name, and its value if all leaves have the same one. */
interface Member {
  readonly id: number;
  readonly same: Node | undefined;
  /** The length of that value with its quotes, in bytes. */
  readonly length: number;
}

/** How leaves are written that name properties. */
interface WrittenAs {
  readonly operator: string;
  readonly type: string | undefined;
}

/** A leaf that names one property. Decisions have long lists of them that differ in nothing else. */
export class LeafOfName {
  /** As the leaf writes them. */
  readonly written: WrittenAs;
  private readonly doc: JsonDocument;
  private readonly view: DataView;
  private readonly members: readonly Member[];

  private constructor(doc: JsonDocument, view: DataView, members: readonly Member[], written: WrittenAs) {
    this.doc = doc;
    this.view = view;
    this.members = members;
    this.written = written;
  }

  /**
   * @param attrName the attribute that names properties
   * @returns undefined if it is another leaf, or not plain
   */
  static at(
    doc: JsonDocument,
    view: DataView,
    leaf: Node,
    attrName: string | undefined,
  ): LeafOfName | undefined {
    if (kindOf(doc, leaf) !== Kind.object) return undefined;
    const members: Member[] = [];
    const texts = new Map<string, string>();
    const stop = after(doc, leaf);
    for (let name = firstIn(leaf); name < stop; name = after(doc, valueOf(name))) {
      const value = valueOf(name);
      const text = stringAt(doc, name);
      const isSame = text !== 'values';
      if (!MEMBERS.has(text) || texts.has(text) || (isSame && kindOf(doc, value) !== Kind.plainString))
        return undefined;
      texts.set(text, isSame ? stringAt(doc, value) : '');
      const length = isSame ? endOf(doc, value) - startOf(doc, value) : 0;
      members.push({ id: keyIdOf(doc, name), same: isSame ? value : undefined, length });
    }
    const operator = texts.get('operator') ?? '';
    const type = texts.get('type');
    const { relation, negated } = operatorNamed(operator) ?? {};
    const isName =
      texts.get('attribute') === attrName && texts.has('values') && (type ?? 'STRING') === 'STRING';
    if (!isName || relation !== 'equals' || negated !== false) return undefined;
    return new LeafOfName(doc, view, members, { operator, type });
  }

  /** The value of a leaf that differs in nothing else; undefined if it may differ, or has not one plain text. */
  valueAt(leaf: Node): Node | undefined {
    const { doc } = this;
    if (kindOf(doc, leaf) !== Kind.object) return undefined;
    let name = firstIn(leaf);
    const stop = after(doc, leaf);
    let found: Node | undefined;
    for (const { id, same, length } of this.members) {
      if (name >= stop || id === NO_KEY_ID || keyIdOf(doc, name) !== id) return undefined;
      const value = valueOf(name);
      if (same === undefined) found = this.soleText(value);
      else if (!this.isSame(value, same, length)) return undefined;
      name = after(doc, value);
    }
    return name === stop ? found : undefined;
  }

  private soleText(value: Node): Node | undefined {
    const { doc } = this;
    if (kindOf(doc, value) !== Kind.array) return kindOf(doc, value) === Kind.plainString ? value : undefined;
    const first = firstIn(value);
    const stop = after(doc, value);
    const isSole = first < stop && after(doc, first) === stop;
    return isSole && kindOf(doc, first) === Kind.plainString ? first : undefined;
  }

  /** Whether a value is the same plain string: its quote at the end is compared, too. */
  private isSame(value: Node, other: Node, length: number): boolean {
    const { doc, view } = this;
    if (value === other) return true;
    const start = startOf(doc, value);
    if (kindOf(doc, value) !== Kind.plainString || length < MIN_LENGTH) return false;
    return start + length <= view.byteLength && areSameBytes(view, start, view, startOf(doc, other), length);
  }
}

/** Leaves that each name one property, of which any may hold. They are made when somebody looks at them. */
export class NamedAlternatives {
  readonly kind = 'any';
  readonly names: readonly Path[];
  private readonly as: WrittenAs;
  private readonly written: readonly string[];
  private readonly settings: ConditionSettings;
  private made: readonly Condition[] | undefined;

  /**
   * @param names the properties
   * @param as how the leaves are written
   * @param written the properties as the leaves write them
   */
  constructor(
    names: readonly Path[],
    as: WrittenAs,
    written: readonly string[],
    { attrName, object }: ConditionSettings,
  ) {
    this.names = names;
    this.as = as;
    this.written = written;
    this.settings = { attrName, object };
  }

  get of(): readonly Condition[] {
    this.made ??= this.written.map((name) => this.leaf(name));
    return this.made;
  }

  private leaf(name: string): Condition {
    const { as, settings } = this;
    const leaf = { ...as, attribute: settings.attrName ?? '', values: [name], match: undefined };
    return conditionOn(leaf, settings, NOWHERE);
  }
}

import {
  Kind,
  after,
  firstIn,
  isString,
  keyIdOf,
  kindOf,
  rawAt,
  valueOf,
  type JsonDocument,
  type Node,
  type StringReader,
} from '../../../core/index.ts';
import {
  DEFAULT_ACTIONS,
  type AccessAnswer,
  type ActionAnswer,
  type AttributeNames,
  type ConditionReader,
  type EntryAnswer,
  type PolicyAnswer,
} from './answer.ts';
import { isInOtherLetters, isLikeMissing } from './misspelt.ts';
import { doubt, listAt, PartMembers, type MemberReader } from './members.ts';

const ENTRY = new PartMembers([
  'path',
  'resourceType',
  'attributes',
  'actions',
  'policies',
  'accessPolicies',
]);
const PRIVILEGE = new PartMembers(['resourceType', 'actions', 'policies', 'accessPolicies']);
const ACTION = new PartMembers(['action', 'value', 'policies', 'accessPolicies']);
const CONDITIONAL = new PartMembers([
  'action',
  'value',
  'asset-attributes-filter',
  'policies',
  'accessPolicies',
]);
const POLICY = new PartMembers(['name', 'policyName', 'metadata']);

/**
 * Reads entries from the tape, without values in between: what PDPs send most often, as the generic reader would read it. In
 * doubt it throws, and that reader is asked: it knows what is wrong.
 */
export class PlainAnswers {
  private readonly doc: JsonDocument;
  private readonly strings: StringReader;
  private readonly members: MemberReader;
  /** Reads the condition at a node. */
  private readonly conditionAt: (tree: Node) => ConditionReader;
  // What reads the elements of lists, made once: decisions have many lists.
  private readonly readAction = (node: Node): ActionAnswer => this.action(node, ACTION);
  private readonly readConditional = (node: Node): ActionAnswer => this.action(node, CONDITIONAL);
  private readonly readPolicy = (node: Node): PolicyAnswer => this.policy(node);
  private readonly readText = (node: Node): string => this.text(node);
  private readonly readIdentifier = (node: Node): string => this.identifier(node);

  constructor(
    doc: JsonDocument,
    strings: StringReader,
    members: MemberReader,
    conditionAt: (tree: Node) => ConditionReader,
  ) {
    this.doc = doc;
    this.strings = strings;
    this.members = members;
    this.conditionAt = conditionAt;
  }

  /** @throws Doubt if it is not plain */
  access(entry: Node, names: AttributeNames): AccessAnswer {
    const found = this.members.read(entry, ENTRY);
    const path = found.get('path');
    const attributes = found.get('attributes');
    const { columns, prefixes } = attributes === 0 ? NO_ATTRIBUTES : this.attributes(attributes, names);
    if (columns === undefined) this.mustNameNothing(entry, names);
    const { resourceType, actions, policies, accessPolicies } = this.entry(found, this.readAction);
    return {
      resourceType,
      path: path === 0 ? undefined : this.identifiers(path),
      columns,
      prefixes,
      actions,
      policies,
      accessPolicies,
    };
  }

  /** @throws Doubt if members of an entry that are not read may name its properties or prefixes */
  private mustNameNothing(entry: Node, { attrName, object }: AttributeNames): void {
    const { doc, members } = this;
    const stop = after(doc, entry);
    for (let name = firstIn(entry); name < stop; name = after(doc, valueOf(name))) {
      const text = members.nameOf(keyIdOf(doc, name), name);
      if (text === attrName || text === object) throw doubt;
      if (kindOf(doc, valueOf(name)) === Kind.object && text !== 'attributes') throw doubt;
    }
  }

  /** @throws Doubt if it is not plain */
  privilege(entry: Node): EntryAnswer {
    return this.entry(this.members.read(entry, PRIVILEGE), this.readConditional);
  }

  /** Reads what entries of both sections have. */
  private entry(found: PartMembers, readAction: (node: Node) => ActionAnswer): EntryAnswer {
    const type = found.get('resourceType');
    const actions = found.get('actions');
    const policies = found.get('policies');
    const accessPolicies = found.get('accessPolicies');
    return {
      resourceType: this.text(type),
      actions: actions === 0 ? DEFAULT_ACTIONS : this.actions(actions, readAction),
      policies: policies === 0 ? undefined : this.policies(policies),
      accessPolicies: accessPolicies === 0 ? undefined : this.policies(accessPolicies),
    };
  }

  private actions(list: Node, read: (node: Node) => ActionAnswer): readonly ActionAnswer[] {
    const actions = listAt(this.doc, list, read);
    return actions.length > 0 ? actions : DEFAULT_ACTIONS;
  }

  private action(node: Node, of: PartMembers): ActionAnswer {
    const found = this.members.read(node, of);
    const action = found.get('action');
    const value = found.get('value');
    const tree = found.get('asset-attributes-filter');
    const policies = found.get('policies');
    const accessPolicies = found.get('accessPolicies');
    return {
      action: action === 0 ? undefined : this.text(action),
      value: value === 0 ? undefined : this.scalar(value),
      condition: tree === 0 ? undefined : this.conditionAt(tree),
      policies: policies === 0 ? undefined : this.policies(policies),
      accessPolicies: accessPolicies === 0 ? undefined : this.policies(accessPolicies),
    };
  }

  private policies(list: Node): readonly PolicyAnswer[] {
    return listAt(this.doc, list, this.readPolicy);
  }

  private policy(node: Node): PolicyAnswer {
    const found = this.members.read(node, POLICY);
    const name = found.get('name');
    const policyName = found.get('policyName');
    const metadata = found.get('metadata');
    return {
      name: name === 0 ? undefined : this.text(name),
      policyName: policyName === 0 ? undefined : this.text(policyName),
      metadata: metadata === 0 ? NO_METADATA : this.metadata(metadata),
    };
  }

  private metadata(object: Node): PolicyAnswer['metadata'] {
    const { doc, members } = this;
    if (kindOf(doc, object) !== Kind.object) throw doubt;
    const stop = after(doc, object);
    const metadata: (readonly [string, unknown])[] = [];
    for (let name = firstIn(object); name < stop;) {
      const id = keyIdOf(doc, name);
      if (!members.isFirst(id, object)) throw doubt;
      const value = valueOf(name);
      metadata.push([members.nameOf(id, name), this.plainValue(value)]);
      name = after(doc, value);
    }
    return metadata.length === 0 ? NO_METADATA : metadata;
  }

  /** The attributes that name properties and their prefixes; of the others, names must be unique as everywhere. */
  private attributes(object: Node, { attrName, object: prefix }: AttributeNames) {
    const { doc, members } = this;
    if (kindOf(doc, object) !== Kind.object) throw doubt;
    const stop = after(doc, object);
    let columns: unknown;
    let prefixes: unknown;
    let others = 0;
    for (let name = firstIn(object); name < stop;) {
      const id = keyIdOf(doc, name);
      if (!members.isFirst(id, object)) throw doubt;
      const value = valueOf(name);
      const text = members.nameOf(id, name);
      if (text === attrName) columns = this.plainValue(value);
      if (text === prefix) prefixes = this.plainValue(value);
      if (text !== attrName && text !== prefix) {
        if (isInOtherLetters(text, attrName) || isInOtherLetters(text, prefix)) throw doubt;
        if (members.isOfPart(id, name) || !members.isHarmless(value)) throw doubt;
        others++;
      }
      name = after(doc, value);
    }
    if (others > 0) {
      const missing: string[] = [];
      if (columns === undefined && attrName !== undefined) missing.push(attrName);
      if (prefixes === undefined && prefix !== undefined) missing.push(prefix);
      this.mustNotBeLike(missing, object);
    }
    return { columns, prefixes };
  }

  /** @throws Doubt if an attribute may be meant as one that is missing */
  private mustNotBeLike(missing: readonly string[], object: Node): void {
    const { doc, members } = this;
    const stop = missing.length === 0 ? 0 : after(doc, object);
    for (let name = firstIn(object); name < stop; name = after(doc, valueOf(name)))
      if (isLikeMissing(members.nameOf(keyIdOf(doc, name), name), missing)) throw doubt;
  }

  /** A string, null, or a list of strings. */
  private plainValue(node: Node): unknown {
    const kind = kindOf(this.doc, node);
    if (isString(kind)) return this.strings.at(node);
    if (kind === Kind.null) return null;
    return listAt(this.doc, node, this.readText);
  }

  private identifiers(node: Node): readonly string[] {
    if (kindOf(this.doc, node) !== Kind.array) return [this.identifier(node)];
    return listAt(this.doc, node, this.readIdentifier);
  }

  private text(node: Node): string {
    if (node === 0 || !isString(kindOf(this.doc, node))) throw doubt;
    return this.strings.at(node);
  }

  private identifier(node: Node): string {
    return kindOf(this.doc, node) === Kind.number ? rawAt(this.doc, node) : this.text(node);
  }

  private scalar(node: Node): string {
    const kind = kindOf(this.doc, node);
    return kind === Kind.true || kind === Kind.false ? rawAt(this.doc, node) : this.identifier(node);
  }
}

const NO_METADATA: PolicyAnswer['metadata'] = [];
const NO_ATTRIBUTES = { columns: undefined, prefixes: undefined };

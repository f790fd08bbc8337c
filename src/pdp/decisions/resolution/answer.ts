import _ from 'lodash';
import type { Condition, RuleSource } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { refuseDenials } from '../lost-denial.ts';
import { refuseEntry, refuseFields, refusePartsIn, refuseProperties, refuseRule } from '../lost-rules.ts';
import { says } from '../recognized-parts.ts';
import { refuseMisspeltNames, refuseMisspeltPart, refuseStrayConditions } from './misspelt.ts';
import { readCondition, type ConditionSettings } from './condition.ts';
import {
  asIdentifiers,
  asList,
  asObject,
  asScalar,
  asText,
  asTexts,
  isObject,
  optional,
  optionalText,
  required,
  type Members,
} from './parts.ts';

/** The list that an entry is in, and its place there. */
export interface EntryPlace {
  readonly list: JsonPointer;
  readonly index: number;
}

export interface PolicyAnswer {
  readonly name: string | undefined;
  readonly policyName: string | undefined;
  readonly metadata: readonly (readonly [name: string, value: unknown])[];
}

interface WithPolicies {
  readonly policies: readonly PolicyAnswer[] | undefined;
  readonly accessPolicies: readonly PolicyAnswer[] | undefined;
}

export interface ActionAnswer extends WithPolicies {
  readonly action: string | undefined;
  readonly value: string | undefined;
  /** Undefined if there is none. */
  readonly condition: ConditionReader | undefined;
}

/**
 * Reads the condition of an action: what its leaves are about depends on the action.
 *
 * @param place of the condition
 * @throws ServiceError `decision-not-understood`
 */
export type ConditionReader = (settings: ConditionSettings, place: JsonPointer) => Condition;

/** Which attributes of an entry name properties, and their prefixes. */
export type AttributeNames = Pick<DecisionSettings, 'attrName' | 'object'>;

export interface EntryAnswer extends WithPolicies {
  readonly resourceType: string;
  readonly actions: readonly ActionAnswer[];
}

export interface AccessAnswer extends EntryAnswer {
  readonly path: readonly string[] | undefined;
  /** The values of the attributes that name properties, and their prefixes, as they are written. */
  readonly columns: unknown;
  readonly prefixes: unknown;
}

/** An entry as a value, of which only the resource type is read. */
export interface Unread {
  readonly resourceType: string;
  readonly value: Members;
  readonly place: JsonPointer;
}

export function readAccess(unread: Unread, names: AttributeNames): AccessAnswer {
  const { value, place } = unread;
  const attributes = optional(value, 'attributes', asObject, place);
  const columns = attributeNamed(names.attrName, attributes);
  if (attributes === undefined) refuseMisspeltPart('attributes', namesIn(value), place);
  else {
    const at = [...place, 'attributes'];
    const read = _.compact([names.attrName, names.object]);
    refuseMisspeltNames(namesIn(attributes), read, at);
    refuseStrayConditions(attributes, new Set(read), at);
  }
  const stray = columns === undefined && strayName(value, names);
  if (stray) throw notUnderstood('an attribute of properties outside attributes', [...place, stray]);
  return {
    ...readEntry(unread, READ_OF_ACCESS),
    path: optional(value, 'path', asIdentifiers, place),
    columns,
    prefixes: attributeNamed(names.object, attributes),
  };
}

/**
 * The member of an entry that names its properties or prefixes where they are not read, or has an object that does. Without
 * them, the path would be taken for the property.
 */
function strayName(entry: Members, { attrName, object }: AttributeNames): string | undefined {
  const known = _.compact([attrName, object]);
  const isNamed = (name: string) => known.includes(name);
  return Object.keys(entry).find(
    (name) =>
      !READ_OF_ACCESS.has(name) &&
      (isNamed(name)
        ? entry[name] !== null
        : isObject(entry[name]) && Object.keys(entry[name]).some(isNamed)),
  );
}

/** The names of the members that are there: null counts as absent. */
function namesIn(members: Members): readonly string[] {
  return Object.keys(members).filter((name) => says(members, name));
}

function attributeNamed(name: string | undefined, attributes: Members | undefined): unknown {
  return name !== undefined && attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

const OF_PRIVILEGE = ['resourceType', 'actions', 'policies', 'accessPolicies'] as const;
const READ_OF_PRIVILEGE: ReadonlySet<string> = new Set(OF_PRIVILEGE);
const READ_OF_ACCESS: ReadonlySet<string> = new Set([...OF_PRIVILEGE, 'path', 'attributes']);
const READ_OF_ACTION: ReadonlySet<string> = new Set([
  'action',
  'value',
  'asset-attributes-filter',
  'policies',
  'accessPolicies',
]);
const READ_OF_POLICY: ReadonlySet<string> = new Set(['name', 'policyName', 'metadata']);

export function readPrivilege(unread: Unread): EntryAnswer {
  if (unread.place.at(-2) === 'allowed') refuseDenied(unread);
  return readEntry(unread, READ_OF_PRIVILEGE);
}

/** Refuses a privilege that is allowed by the section that it is in, and denied by itself or by one of its actions. */
function refuseDenied({ value, place }: Unread): void {
  refuseDenials(value, place, READ_OF_PRIVILEGE);
  const { actions } = value;
  if (!Array.isArray(actions)) return;
  for (const [index, action] of actions.entries())
    if (isObject(action)) refuseDenials(action, [...place, 'actions', index], READ_OF_ACTION);
}

function readEntry({ resourceType, value, place }: Unread, read: ReadonlySet<string>): EntryAnswer {
  refuseStrayConditions(value, read, place);
  refuseRule(value, () => place);
  const actions = optional(value, 'actions', (list, at) => asList(list, readActionAnswer, at), place);
  if (actions === undefined) refuseMisspeltPart('actions', namesIn(value), place);
  return {
    resourceType,
    actions: actions === undefined || actions.length === 0 ? DEFAULT_ACTIONS : actions,
    ...readPolicyLists(value, place),
  };
}

/** What the actions of an entry are read as; undefined says nothing. Most entries have one. */
export function eachAction<T>(
  { actions }: EntryAnswer,
  read: (action: ActionAnswer, index: number, isOnly: boolean) => T | undefined,
): readonly T[] {
  const [first] = actions;
  if (first === undefined || actions.length > 1)
    return actions.flatMap((action, index) => read(action, index, false) ?? []);
  const only = read(first, 0, true);
  return only === undefined ? [] : [only];
}

/** The actions of an entry that names none. */
export const DEFAULT_ACTIONS: readonly ActionAnswer[] = [
  {
    action: 'MASK',
    value: undefined,
    condition: undefined,
    policies: undefined,
    accessPolicies: undefined,
  },
];

function readActionAnswer(value: unknown, place: JsonPointer): ActionAnswer {
  const action = asObject(value, place);
  refuseStrayConditions(action, READ_OF_ACTION, place);
  refuseProperties(action, place);
  refuseEntry(action, place);
  const tree = action['asset-attributes-filter'];
  const actionValue = optional(action, 'value', asScalar, place);
  if (actionValue === undefined) refuseMisspeltPart('value', namesIn(action), place);
  return {
    action: optionalText(action, 'action', place),
    value: actionValue,
    condition:
      tree === undefined || tree === null ? undefined : (settings, at) => readCondition(tree, settings, at),
    ...readPolicyLists(action, place),
  };
}

function readPolicyLists(members: Members, place: JsonPointer): WithPolicies {
  return {
    policies: optional(members, 'policies', readPolicyList, place),
    accessPolicies: optional(members, 'accessPolicies', readPolicyList, place),
  };
}

function readPolicyList(value: unknown, place: JsonPointer): readonly PolicyAnswer[] {
  return asList(value, readPolicy, place);
}

function readPolicy(value: unknown, place: JsonPointer): PolicyAnswer {
  const policy = asObject(value, place);
  refuseStrayConditions(policy, READ_OF_POLICY, place);
  refuseFields(policy, place);
  refuseEntry(policy, place);
  return {
    name: optionalText(policy, 'name', place),
    policyName: optionalText(policy, 'policyName', place),
    metadata: optional(policy, 'metadata', readMetadata, place) ?? [],
  };
}

/** An object, or a list of keys with their values. */
function readMetadata(value: unknown, place: JsonPointer): PolicyAnswer['metadata'] {
  refusePartsIn(value, place);
  if (isObject(value)) return Object.entries(value);
  return asList(
    value,
    (one, at) => [required(asObject(one, at), 'key', asText, at), asObject(one, at)['value']],
    place,
  );
}

/** Attribute values of an asset: a string counts as a list of one. */
export function attributeValues(value: unknown, place: JsonPointer): readonly string[] {
  return asTexts(value, place);
}

/** How an entry writes a rule. Decisions have many entries, and only explanations show their places. */
export class WrittenRule implements RuleSource {
  readonly action: string;
  readonly priority: bigint | undefined;
  readonly effect: RuleSource['effect'];
  private readonly list: JsonPointer;
  private readonly index: number;
  private readonly actionIndex: number | undefined;

  /** @param actionIndex the place of its action among those of the entry; undefined if the entry has no other */
  constructor(
    { list, index }: EntryPlace,
    actionIndex: number | undefined,
    action: string,
    priority: bigint | undefined,
    effect: RuleSource['effect'],
  ) {
    this.action = action;
    this.priority = priority;
    this.effect = effect;
    this.list = list;
    this.index = index;
    this.actionIndex = actionIndex;
  }

  get place(): JsonPointer {
    const { list, index, actionIndex } = this;
    return actionIndex === undefined ? [...list, index] : [...list, index, 'actions', actionIndex];
  }
}

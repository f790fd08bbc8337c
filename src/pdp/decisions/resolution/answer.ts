import _ from 'lodash';
import type { Condition, RuleSource } from '../../../core/index.ts';
import type { DecisionSettings } from '../../../enforcement/index.ts';
import type { JsonPointer } from '../not-understood.ts';
import { refuseFields, refuseProperties, refuseRule } from '../lost-rules.ts';
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
  if (attributes === undefined) refuseMisspeltPart('attributes', Object.keys(value), place);
  else {
    const at = [...place, 'attributes'];
    const read = _.compact([names.attrName, names.object]);
    refuseMisspeltNames(Object.keys(attributes), read, at);
    refuseStrayConditions(attributes, new Set(read), at);
  }
  return {
    ...readEntry(unread, READ_OF_ACCESS),
    path: optional(value, 'path', asIdentifiers, place),
    columns: attributeNamed(names.attrName, attributes),
    prefixes: attributeNamed(names.object, attributes),
  };
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
  return readEntry(unread, READ_OF_PRIVILEGE);
}

function readEntry({ resourceType, value, place }: Unread, read: ReadonlySet<string>): EntryAnswer {
  refuseStrayConditions(value, read, place);
  refuseRule(value, () => place);
  const actions = optional(value, 'actions', (list, at) => asList(list, readActionAnswer, at), place);
  if (actions === undefined) refuseMisspeltPart('actions', Object.keys(value), place);
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
  const tree = action['asset-attributes-filter'];
  const actionValue = optional(action, 'value', asScalar, place);
  if (actionValue === undefined) refuseMisspeltPart('value', Object.keys(action), place);
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
  return {
    name: optionalText(policy, 'name', place),
    policyName: optionalText(policy, 'policyName', place),
    metadata: optional(policy, 'metadata', readMetadata, place) ?? [],
  };
}

/** An object, or a list of keys with their values. */
function readMetadata(value: unknown, place: JsonPointer): PolicyAnswer['metadata'] {
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

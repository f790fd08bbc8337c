import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { entryOf, type Entry, type Unread } from './entry.ts';
import {
  asFlag,
  asIdentifier,
  asList,
  asObject,
  asOneOrMany,
  asScalar,
  asScalars,
  asText,
  asTexts,
  isObject,
  optional,
  optionalText,
  required,
  requiredText,
  type Members,
} from './parts.ts';

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
  readonly 'asset-attributes-filter': unknown;
}

export interface EntryAnswer extends WithPolicies {
  readonly actions: readonly ActionAnswer[];
}

export interface AccessAnswer extends EntryAnswer {
  readonly path: readonly string[] | undefined;
  readonly attributes: Members | undefined;
}

export interface LeafAnswer {
  readonly attribute: string;
  readonly type: string | undefined;
  readonly operator: string;
  readonly values: readonly string[];
  readonly match: string | undefined;
}

/** The answer of a PDP, taken apart into its lists of entries (docs/pdp-contract.md#the-answer). */
export interface Answer {
  /** The embedded PDP says how its policies treat short values (docs/masks.md#short-values). */
  readonly maskShort: boolean | undefined;
  readonly access: readonly Entry[];
  readonly allowed: readonly Entry[];
  readonly denied: readonly Entry[];
}

/**
 * Takes an answer apart that is a value already.
 *
 * @param place of the value in what the PDP sent
 * @throws ServiceError `decision-not-understood`
 */
export function readAnswerValue(value: unknown, place: JsonPointer): Answer {
  const answer = asObject(value, place);
  const sections = required(answer, 'response', (list, at) => asList(list, readSections, at), place);
  return {
    maskShort: optional(answer, 'maskShort', asFlag, place),
    access: sections.flatMap(({ access }) => access),
    allowed: sections.flatMap(({ allowed }) => allowed),
    denied: sections.flatMap(({ denied }) => denied),
  };
}

function readSections(value: unknown, place: JsonPointer): Omit<Answer, 'maskShort'> {
  const response = asObject(value, place);
  const privileges = optional(response, 'privileges', asObject, place) ?? {};
  const at = [...place, 'privileges'];
  return {
    access: optional(response, 'access', readEntries, place) ?? [],
    allowed: optional(privileges, 'allowed', readEntries, at) ?? [],
    denied: optional(privileges, 'denied', readEntries, at) ?? [],
  };
}

function readEntries(value: unknown, place: JsonPointer): readonly Entry[] {
  return asList(value, entryOf, place);
}

export function readAccess(unread: Unread): AccessAnswer {
  const { value, place } = unread;
  return {
    ...readPrivilege(unread),
    path: optional(value, 'path', (path, at) => asOneOrMany(path, asIdentifier, at), place),
    attributes: optional(value, 'attributes', asObject, place),
  };
}

export function readPrivilege({ value, place }: Unread): EntryAnswer {
  const actions = optional(value, 'actions', (list, at) => asList(list, readActionAnswer, at), place) ?? [];
  return { actions: actions.length > 0 ? actions : DEFAULT_ACTIONS, ...readPolicyLists(value, place) };
}

/** The actions of an entry that names none. */
const DEFAULT_ACTIONS: readonly ActionAnswer[] = [
  {
    action: 'MASK',
    value: undefined,
    'asset-attributes-filter': undefined,
    policies: undefined,
    accessPolicies: undefined,
  },
];

function readActionAnswer(value: unknown, place: JsonPointer): ActionAnswer {
  const action = asObject(value, place);
  return {
    action: optionalText(action, 'action', place),
    value: optional(action, 'value', asScalar, place),
    'asset-attributes-filter': action['asset-attributes-filter'],
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

const LEAF_MEMBERS: ReadonlySet<string> = new Set(['attribute', 'type', 'operator', 'values', 'match']);

export function readLeaf(value: unknown, place: JsonPointer): LeafAnswer {
  const leaf = asObject(value, place);
  for (const name in leaf)
    if (!LEAF_MEMBERS.has(name)) throw notUnderstood('an unknown member', [...place, name]);
  const attribute = requiredText(leaf, 'attribute', place);
  const values = required(leaf, 'values', asScalars, place);
  if (attribute === '') throw notUnderstood('a condition without an attribute', place);
  if (values.length === 0) throw notUnderstood('a condition without values', place);
  return {
    attribute,
    type: optionalText(leaf, 'type', place),
    operator: requiredText(leaf, 'operator', place),
    values,
    match: optionalText(leaf, 'match', place),
  };
}

/** The place of a rule: its entry, or its action if the entry has several. */
export function placeOfRule({ actions }: EntryAnswer, action: JsonPointer): JsonPointer {
  return actions.length === 1 ? action.slice(0, -2) : action;
}

import type { CalculationType } from '../../port.ts';
import { accessEntries } from './access.ts';
import { AskedAssets } from './asked-assets.ts';
import { isFor } from './audience.ts';
import type { Caller } from './caller.ts';
import type { Decision, ComparisonEntry, FilterEntry, PrivilegeEntry } from './decision.ts';
import { selectMappers, mapped, namedProperties } from './names.ts';
import {
  type AssetSelector,
  type Policy,
  type PolicyFile,
  assetTypesOf,
  belongsToAccess,
  filtersRecords,
  wholeNames,
} from '../../policies/index.ts';
import { asksFor, type Question } from './question.ts';
import { PdpRefusal, quoted } from './refusal.ts';
import { actionEntry, policiesMember, type Terms } from './terms.ts';
import { ClaimedValues, filterEntry } from './condition.ts';

/**
 * Evaluates the policies on a question, in the form of a PDP's answer. Entries come in the order of the policies in the
 * file.
 *
 * @throws PdpRefusal if the answer would need a guess
 */
export function evaluate(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  caller: Caller,
): Decision {
  const { policies, terms } = applicable(file, calculationType, question, caller);
  const privilegesOf = (effect: Policy['effect']) =>
    policies
      .filter((policy) => policy.effect === effect)
      .flatMap((policy) => privilegeEntries(policy, terms));
  const access = policies.flatMap((policy) => accessEntries(policy, terms));
  const privileges = { allowed: privilegesOf('allowed'), denied: privilegesOf('denied') };
  return { tokenValidity: file.tokenValidity, maskShort: file.maskShort, response: [{ access, privileges }] };
}

/** The policies that apply to a question, and what they are written with. */
export interface Applicable {
  readonly policies: readonly Policy[];
  readonly terms: Terms;
}

/**
 * The policies that apply to a question, in the order of the file.
 *
 * @throws PdpRefusal if the question cannot be answered without guessing
 */
export function applicable(
  file: PolicyFile,
  calculationType: CalculationType,
  question: Question,
  caller: Caller,
): Applicable {
  mustKnowAssetTypes(file, question);
  const assets = new AskedAssets(file, question);
  const mappers = selectMappers(file, question);
  const terms = { file, question, caller, mappers, assets, claimed: new ClaimedValues() };
  const policies = file.policies.filter(
    (policy) => isAskedFor(policy, calculationType, question) && isFor(policy, caller),
  );
  return { policies, terms };
}

/** A type that no policy is for is probably misspelt: a decision without rules would show everything. */
function mustKnowAssetTypes({ policies }: PolicyFile, { resourceTypes = [] }: Question): void {
  const known = assetTypesOf(policies);
  const unknown = resourceTypes.find(({ name }) => !known.has(name));
  if (unknown === undefined) return;
  const detail = `No policy is for the asset type ${quoted(unknown.name)}.`;
  throw new PdpRefusal(400, detail, [{ pointer: '', detail }]);
}

/** Policies about assets answer in context only; the others answer in both calculations. */
function isAskedFor(
  { assets, assetType }: Policy,
  calculationType: CalculationType,
  question: Question,
): boolean {
  if (assets === undefined) return asksFor(question, assetType);
  return calculationType === 'context' && asksFor(question, assets.type);
}

/** The entry of a policy in the privileges section; none if the access section has it. */
function privilegeEntries(policy: Policy, terms: Terms): readonly PrivilegeEntry[] {
  const { assets, assetType } = policy;
  if (assets !== undefined)
    return allowsNone(policy, assets, terms) ? [privilegeEntry(policy, assets.type, NEVER, terms)] : [];
  if (belongsToAccess(policy)) return [];
  const condition = { AND: [...propertyConditions(policy, terms), ...recordConditions(policy, terms)] };
  return [privilegeEntry(policy, assetType, condition, terms)];
}

/**
 * Whether a policy filters records, and is about none of the assets that are asked for. Without an entry, nobody could see that there
 * is such a policy: `filterDefault: allow` would keep all records.
 */
function allowsNone({ action }: Policy, assets: AssetSelector, { assets: asked }: Terms): boolean {
  return filtersRecords(action) && asked.areAskedFor(assets.type) && asked.selectedBy(assets).length === 0;
}

/** A condition that never holds. */
const NEVER: FilterEntry = { OR: [] };

function privilegeEntry(
  policy: Policy,
  resourceType: string,
  condition: FilterEntry,
  terms: Terms,
): PrivilegeEntry {
  const action = {
    ...actionEntry(policy),
    'asset-attributes-filter': condition,
    ...policiesMember(policy, terms),
  };
  return { resourceType, actions: [action] };
}

/**
 * The properties that a policy is about, as conditions on the attributes that name them
 * (docs/enforcement.md#conditions-on-names).
 */
function propertyConditions(policy: Policy, { file, mappers }: Terms): readonly ComparisonEntry[] {
  const { prefix, names } = namedProperties(policy, mappers.get(policy.assetType));
  if (prefix !== undefined && names.length > 0) {
    const whole = wholeNames({ object: prefix, properties: names, when: policy.when }, file.object);
    if (whole !== undefined) return [nameIn(file.attrName, whole)];
  }
  return [
    ...(names.length === 0 ? [] : [nameIn(file.attrName, names)]),
    ...(prefix === undefined ? [] : [nameIn(file.object, [prefix])]),
  ];
}

function nameIn(attribute: string, values: readonly string[]): ComparisonEntry {
  return { attribute, type: 'STRING', operator: values.length === 1 ? 'EQUALS' : 'IN', values };
}

/** Names of properties in a condition are compared as they are in the decision, so they are not mapped. */
function recordConditions(
  { when, assetType }: Policy,
  { file, caller, mappers, claimed }: Terms,
): readonly FilterEntry[] {
  if (when === undefined) return [];
  const mapper = mappers.get(assetType);
  const isName = (attribute: string): boolean => attribute === file.attrName || attribute === file.object;
  const nameOf = (attribute: string): string => (isName(attribute) ? attribute : mapped(mapper, attribute));
  return [filterEntry(when, { nameOf, caller, claimed })];
}

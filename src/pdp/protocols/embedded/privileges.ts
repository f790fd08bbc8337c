import { filterEntry } from './condition.ts';
import type { ComparisonEntry, FilterEntry, PrivilegeEntry } from './decision.ts';
import { mapped, namedProperties } from './names.ts';
import { standsInAccess, type Policy } from './policy.ts';
import { actionEntry, policiesMember, type Terms } from './terms.ts';

/** What a policy adds to the privileges section: one entry, unless it stands in the access section. */
export function privilegeEntries(policy: Policy, terms: Terms): readonly PrivilegeEntry[] {
  if (policy.assets !== undefined || standsInAccess(policy)) return [];
  const action = {
    ...actionEntry(policy),
    'asset-attributes-filter': {
      AND: [...propertyConditions(policy, terms), ...recordConditions(policy, terms)],
    },
    ...policiesMember(policy, terms),
  };
  return [{ resourceType: policy.assetType, actions: [action] }];
}

/** Which properties the policy is about, as conditions on the attributes that name them (enforcement §6). */
function propertyConditions(policy: Policy, { file, mappers }: Terms): readonly ComparisonEntry[] {
  const { prefix, names } = namedProperties(policy, mappers.get(policy.assetType));
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
  { file, caller, mappers }: Terms,
): readonly FilterEntry[] {
  if (when === undefined) return [];
  const mapper = mappers.get(assetType);
  const isName = (attribute: string): boolean => attribute === file.attrName || attribute === file.object;
  const nameOf = (attribute: string): string => (isName(attribute) ? attribute : mapped(mapper, attribute));
  return [filterEntry(when, { nameOf, caller })];
}

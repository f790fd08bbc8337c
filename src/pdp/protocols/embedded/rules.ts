import { filterEntry } from './condition.ts';
import type { FilterEntry } from './decision.ts';
import type { Applicable } from './evaluate.ts';
import { mapped, namedProperties } from './names.ts';
import { type Policy, belongsToAccess, filtersRecords } from '../../policies/index.ts';
import { asksFor } from './question.ts';
import { metadataOf, type Terms } from './terms.ts';

/**
 * The policies that apply, as the rules of a rules document, in the order in which a decision has them. If the file allows
 * records by filters and none of them is for the caller, a rule removes all records: without it, a service that reads the document with
 * `filterDefault: allow` would show them all.
 */
export function documentRules({ policies, terms }: Applicable): readonly unknown[] {
  const [access, privileges] = [true, false].map((isAccess) =>
    policies.filter((policy) => policy.assets === undefined && belongsToAccess(policy) === isAccess),
  );
  const rules = [...(access ?? []), ...(privileges ?? [])].map((policy) => documentRule(policy, terms));
  const [filter] = filtersNotFor(policies, terms);
  return filter === undefined
    ? rules
    : [...rules, { policy: filter.name, effect: 'denied', action: 'FILTER' }];
}

/** The policies of the file that allow records of the asset types in question; none if one of them applies. */
function filtersNotFor(applying: readonly Policy[], { file, question }: Terms): readonly Policy[] {
  const filters = file.policies.filter(
    ({ assets, assetType, effect, action }) =>
      assets === undefined && effect === 'allowed' && filtersRecords(action) && asksFor(question, assetType),
  );
  return filters.some((filter) => applying.includes(filter)) ? [] : filters;
}

function documentRule(policy: Policy, terms: Terms): unknown {
  const { name, assetType, effect, action, priority, when } = policy;
  const { prefix, names } = namedProperties(policy, terms.mappers.get(assetType));
  const metadata = metadataOf(policy, terms);
  return {
    policy: name,
    assetType,
    ...(effect === 'denied' && { effect }),
    ...(prefix !== undefined && { object: prefix }),
    ...(policy.properties !== undefined && { properties: policy.properties === 'all' ? 'all' : names }),
    action: action.value === undefined ? action.name : action,
    ...(priority !== undefined && { priority }),
    maskShort: terms.file.maskShort,
    ...(when !== undefined && {
      when: written(filterEntry(when, { nameOf: nameIn(policy, terms), caller: terms.caller })),
    }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function nameIn({ assetType }: Policy, { file, mappers }: Terms): (attribute: string) => string {
  const mapper = mappers.get(assetType);
  return (attribute) =>
    attribute === file.attrName || attribute === file.object ? attribute : mapped(mapper, attribute);
}

/** A condition in the words of the policy file. */
function written(entry: FilterEntry): unknown {
  if ('AND' in entry) return { all: entry.AND.map(written) };
  if ('OR' in entry) return { any: entry.OR.map(written) };
  return entry;
}

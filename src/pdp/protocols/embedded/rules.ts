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
 *
 * @param areAssets whether the records are assets, so that filters of assets decide about them too
 */
export function documentRules({ policies, terms }: Applicable, areAssets: boolean): readonly unknown[] {
  const [access, privileges] = [true, false].map((isAccess) =>
    policies.filter((policy) => (policy.assets !== undefined || belongsToAccess(policy)) === isAccess),
  );
  const rules = [...(access ?? []), ...(privileges ?? [])].map((policy) => documentRule(policy, terms));
  const filters = allowingFilters(terms, areAssets);
  const [filter] = filters;
  const applying = new Set(policies);
  if (filter === undefined || filters.some((one) => applying.has(one))) return rules;
  return [...rules, { policy: filter.name, effect: 'denied', action: 'FILTER' }];
}

/** The policies of the file that allow records of the asset types in question, whoever asks. */
export function allowingFilters({ file, question }: Terms, areAssets: boolean): readonly Policy[] {
  return file.policies.filter(({ assets, assetType, effect, action }) => {
    if (effect !== 'allowed' || !filtersRecords(action)) return false;
    return assets === undefined ? asksFor(question, assetType) : areAssets && asksFor(question, assets.type);
  });
}

function documentRule(policy: Policy, terms: Terms): unknown {
  const { name, assetType, effect, action, priority, when, assets } = policy;
  const { prefix, names } = namedProperties(policy, terms.mappers.get(assetType));
  const metadata = metadataOf(policy, terms);
  const { caller, claimed } = terms;
  return {
    policy: name,
    // A document about assets of a type is for those who ask about it, whatever the type of their records.
    assetType: assets?.type ?? assetType,
    ...(assets !== undefined && { assets }),
    ...(effect === 'denied' && { effect }),
    ...(prefix !== undefined && { object: prefix }),
    ...(policy.properties !== undefined && { properties: policy.properties === 'all' ? 'all' : names }),
    action: action.value === undefined ? action.name : action,
    ...(priority !== undefined && { priority }),
    maskShort: terms.file.maskShort,
    ...(when !== undefined && {
      when: written(filterEntry(when, { nameOf: nameIn(policy, terms), caller, claimed })),
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

import { filterEntry } from './condition.ts';
import type { FilterEntry } from './decision.ts';
import type { Applicable } from './evaluate.ts';
import { mapped, namedProperties } from './names.ts';
import { type Policy, belongsToAccess } from '../../policies/index.ts';
import { metadataOf, type Terms } from './terms.ts';

/** The policies that apply, as the rules of a rules document, in the order in which a decision has them. */
export function documentRules({ policies, terms }: Applicable): readonly unknown[] {
  const [access, privileges] = [true, false].map((isAccess) =>
    policies.filter((policy) => policy.assets === undefined && belongsToAccess(policy) === isAccess),
  );
  return [...(access ?? []), ...(privileges ?? [])].map((policy) => documentRule(policy, terms));
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

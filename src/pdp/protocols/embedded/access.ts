import type { AccessEntry } from './decision.ts';
import { logicalName, namedProperties, type NamedProperties } from './names.ts';
import { type AssetSelector, type Policy, belongsToAccess } from '../../policies/index.ts';
import { actionEntry, policiesMember, type Terms } from './terms.ts';

/** What a policy adds to the access section: an entry for each property, or one for the assets that it is about. */
export function accessEntries(policy: Policy, terms: Terms): readonly AccessEntry[] {
  if (policy.assets !== undefined) return assetEntries(policy, policy.assets, terms);
  return belongsToAccess(policy) ? propertyEntries(policy, terms) : [];
}

function propertyEntries(policy: Policy, terms: Terms): readonly AccessEntry[] {
  const { prefix, names } = namedProperties(policy, terms.mappers.get(policy.assetType));
  return names.map((name) => {
    const asset = { path: logicalName(prefix, name), resourceType: policy.assetType };
    return accessEntry(asset, { prefix, names: [name] }, policy, terms);
  });
}

/** An entry whose path is the identifiers of the assets (docs/policy-file.md#context): a payload may have hundreds of thousands. */
function assetEntries(policy: Policy, assets: AssetSelector, terms: Terms): readonly AccessEntry[] {
  const properties = namedProperties(policy, terms.mappers.get(policy.assetType));
  const path = terms.assets.selectedBy(assets);
  if (path.length === 0) return [];
  return [accessEntry({ path, resourceType: assets.type }, properties, policy, terms)];
}

function accessEntry(
  asset: Pick<AccessEntry, 'path' | 'resourceType'>,
  properties: NamedProperties,
  policy: Policy,
  terms: Terms,
): AccessEntry {
  return {
    ...asset,
    ...attributesMember(properties, terms),
    actions: [actionEntry(policy)],
    ...policiesMember(policy, terms),
  };
}

function attributesMember(
  { prefix, names }: NamedProperties,
  { file, question }: Terms,
): Pick<AccessEntry, 'attributes'> {
  if (question.includeAssetAttributes !== true) return {};
  if (names.length === 0) return { attributes: {} };
  return { attributes: { [file.attrName]: names, ...(prefix !== undefined && { [file.object]: [prefix] }) } };
}

import { logicalName } from '../names.ts';
import { nearestOf } from '../../../../nearest.ts';
import { comparisonsIn, type PlacedProblem, type Policy } from '../../../policies/index.ts';
import type { Outline } from './outline.ts';

/**
 * Checks what holds between the parts of a policy file: names that must be unique, known, or complete.
 *
 * @param policies those that are right by themselves
 */
export function checkReferences(outline: Outline, policies: readonly Policy[]): PlacedProblem[] {
  return [
    ...attributeNameProblems(outline),
    ...repeated(outline.scopes.map(({ clientId }) => clientId)).map((i) =>
      isRepeated(['scopes', i, 'clientId']),
    ),
    ...repeated(outline.policies.map(({ name }) => name)).map((i) => isRepeated(['policies', i, 'name'])),
    ...unknownScopes(outline),
    ...unusedAssetTypes(outline),
    ...incompleteMappers(outline, policies),
  ];
}

function attributeNameProblems({ attrName, object }: Outline): PlacedProblem[] {
  return attrName === object ? [{ place: ['object'], message: 'must differ from attrName' }] : [];
}

/** Indexes of the names that occur before. */
function repeated(names: readonly string[]): number[] {
  const before = new Set<string>();
  return names.flatMap((name, i) => {
    const isKnown = before.has(name);
    before.add(name);
    return isKnown && name !== '' ? [i] : [];
  });
}

function isRepeated(place: PlacedProblem['place']): PlacedProblem {
  return { place, message: 'is used above already, and must be unique' };
}

function unknownScopes({ scopes, policies }: Outline): PlacedProblem[] {
  const known = new Set(scopes.map(({ clientId }) => clientId));
  return policies.flatMap((policy, i) =>
    policy.scopes.flatMap((scope, j): PlacedProblem[] => {
      if (scope === '' || known.has(scope)) return [];
      return [
        {
          place: ['policies', i, 'scopes', j],
          message: `is not one of the scopes${nearestOf(scope, [...known])}`,
        },
      ];
    }),
  );
}

/** A mapper for an asset type that no policy is for: its name is misspelt. */
function unusedAssetTypes({ mappers, policies, assetType }: Outline): PlacedProblem[] {
  const used = new Set(policies.map((policy) => policy.assetType ?? assetType));
  return Object.keys(mappers)
    .filter((mapped) => !used.has(mapped))
    .map((mapped) => ({
      place: ['mappers', mapped],
      message: `is an asset type that no policy is for${nearestOf(mapped, [...used])}`,
    }));
}

/**
 * A mapper must know every name that a policy of its asset type uses: one that it left out would be answered by its
 * logical name, which is no property of the service that chose the mapper, so that nothing would be masked.
 */
function incompleteMappers(
  { mappers, attrName, object }: Outline,
  policies: readonly Policy[],
): PlacedProblem[] {
  return Object.entries(mappers).flatMap(([assetType, byName]) => {
    const concerned = policies.filter((policy) => policy.assetType === assetType);
    const used = concerned.flatMap(namesIn).filter((name) => name !== attrName && name !== object);
    return Object.entries(byName).flatMap(([mapper, paths]): PlacedProblem[] =>
      [...new Set(used)]
        .filter((name) => !Object.hasOwn(paths, name))
        .map((name) => ({
          place: ['mappers', assetType, mapper],
          message: `has no path for ${name}, which a policy uses`,
        })),
    );
  });
}

/** The logical names that a policy uses. */
function namesIn({ object, properties, when }: Policy): string[] {
  const listed = properties === undefined || properties === 'all' ? [] : properties;
  return [
    ...listed.map((property) => logicalName(object, property)),
    ...(when ? comparisonsIn(when) : []).map(({ attribute }) => attribute),
  ];
}

import { logicalName } from '../names.ts';
import { MAX_PROBLEMS } from '../../../../errors.ts';
import { nearestOf } from '../../../../nearest.ts';
import { comparisonsIn, type PlacedProblem, type Policy } from '../../../policies/index.ts';
import type { Outline } from './outline.ts';

/** So many names that mappers lack are found: a file of 50 kB may lack millions. */
const MAX_LACKING = 1000;

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
    ...incompleteMappers(outline, policies).take(MAX_LACKING),
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
  const unknown = policies.flatMap((policy, i) =>
    policy.scopes.flatMap((scope, j) =>
      scope === '' || known.has(scope) ? [] : [{ name: scope, place: ['policies', i, 'scopes', j] }],
    ),
  );
  return unknownNames(unknown, known, 'is not one of the scopes');
}

/** Names with the nearest of many known ones, as far as they are shown: to look for that of each would take long. */
function unknownNames(
  unknown: readonly (Pick<PlacedProblem, 'place'> & { readonly name: string })[],
  known: ReadonlySet<string>,
  message: string,
): PlacedProblem[] {
  const candidates = [...known];
  return unknown.map(({ name, place }, index) => ({
    place,
    message: message + (index < MAX_PROBLEMS ? nearestOf(name, candidates) : ''),
  }));
}

/** A mapper for an asset type that no policy is for: its name is misspelt. */
function unusedAssetTypes({ mappers, policies, assetType }: Outline): PlacedProblem[] {
  const used = new Set(policies.map((policy) => policy.assetType ?? assetType));
  const unused = Object.keys(mappers).filter((mapped) => !used.has(mapped));
  return unknownNames(
    unused.map((name) => ({ name, place: ['mappers', name] })),
    used,
    'is an asset type that no policy is for',
  );
}

/**
 * A mapper must know every name that a policy of its asset type uses: one that it left out would be answered by its
 * logical name, which is no property of the service that chose the mapper, so that nothing would be masked.
 */
function* incompleteMappers(
  { mappers, attrName, object }: Outline,
  policies: readonly Policy[],
): Generator<PlacedProblem> {
  const byType = Map.groupBy(policies, ({ assetType }) => assetType);
  for (const [assetType, byName] of Object.entries(mappers)) {
    const names = (byType.get(assetType) ?? []).flatMap(namesIn);
    const used = new Set(names.filter((name) => name !== attrName && name !== object));
    for (const [mapper, paths] of Object.entries(byName))
      for (const name of used)
        if (!Object.hasOwn(paths, name))
          yield {
            place: ['mappers', assetType, mapper],
            message: `has no path for ${name}, which a policy uses`,
          };
  }
}

/** The logical names that a policy uses. */
function namesIn({ object, properties, when }: Policy): string[] {
  const listed = properties === undefined || properties === 'all' ? [] : properties;
  return [
    ...listed.map((property) => logicalName(object, property)),
    ...(when ? comparisonsIn(when) : []).map(({ attribute }) => attribute),
  ];
}

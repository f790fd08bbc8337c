import type { Mapper, Mappers, Policy, PolicyFile } from '../../policies/index.ts';
import { asksFor, type Question } from './question.ts';
import { PdpRefusal, quoted } from './refusal.ts';

/** Properties as a decision names them: each below the prefix, if there is one. */
export interface NamedProperties {
  readonly prefix?: string | undefined;
  readonly names: readonly string[];
}

/** The logical name of a property of a policy, by which mappers know it. */
export function logicalName(object: string | undefined, property: string): string {
  return object === undefined ? property : `${object}.${property}`;
}

/** The properties of a policy in the decision. A mapped name is the whole path, so that no prefix is left. */
export function namedProperties(policy: Policy, mapper: Mapper | undefined): NamedProperties {
  const properties = policy.properties === undefined || policy.properties === 'all' ? [] : policy.properties;
  if (mapper === undefined) return { prefix: policy.object, names: properties };
  return { names: properties.map((property) => mapped(mapper, logicalName(policy.object, property))) };
}

/** The name of an attribute in the decision. A mapper need not know it: the file was checked for what it must know. */
export function mapped(mapper: Mapper | undefined, name: string): string {
  return mapper?.get(name) ?? name;
}

/**
 * Chooses the data mapper of each asset type in the question: the one that `environment.resourceFullPath` names
 * (docs/policy-file.md#data-mappers). An asset type without one keeps its logical names.
 *
 * @throws PdpRefusal 400 if none of these asset types has a mapper of a name, or one of them has two
 */
export function selectMappers(file: PolicyFile, question: Question): ReadonlyMap<string, Mapper> {
  const selected = new Map<string, Mapper>();
  const names = new Set(question.environment?.resourceFullPath);
  const found = mappersNamed(names, file.mappers, question);
  for (const name of names) {
    const mappers = found.get(name);
    if (mappers === undefined) throw notChosen(`No data mapper is named ${quoted(name)}.`);
    for (const [assetType, mapper] of mappers) {
      if (selected.has(assetType))
        throw notChosen(`Two data mappers are chosen for the asset type ${quoted(assetType)}.`);
      selected.set(assetType, mapper);
    }
  }
  return selected;
}

function notChosen(detail: string): PdpRefusal {
  return new PdpRefusal(400, detail, [{ pointer: '/environment/resourceFullPath', detail }]);
}

type NamedMapper = readonly [assetType: string, mapper: Mapper];

/** The mappers of these names for the asset types in question, by name: of each type, the fewer of its names and these are looked at. */
function mappersNamed(
  names: ReadonlySet<string>,
  mappers: Mappers,
  question: Question,
): ReadonlyMap<string, readonly NamedMapper[]> {
  const found = new Map<string, NamedMapper[]>();
  if (names.size === 0) return found;
  for (const [assetType, named] of mappers) {
    if (!asksFor(question, assetType)) continue;
    for (const name of names.size < named.size ? names : named.keys()) {
      const mapper = names.has(name) ? named.get(name) : undefined;
      if (mapper === undefined) continue;
      const others = found.get(name);
      if (others === undefined) found.set(name, [[assetType, mapper]]);
      else others.push([assetType, mapper]);
    }
  }
  return found;
}

import { stationsOf, type Document } from './document.ts';
import { entersUnasked, follow, isListOfOne, mayBeListOfOne, namesStep, selectsIndex } from './follow.ts';
import { isJsonPath, type Path, type Segment } from './path.ts';
import { chainOf, childrenOf, descendantsOf, type Place } from './place.ts';
import { absent, sameProperty, type Property } from './property.ts';
import { isOfOwnJson, isOfRequest, leadsToRoot, namesMissingRoot, restsInside } from './readings.ts';

/**
 * What a literal could create in a record by a path (docs/enforcement.md#literals): what the path names through the root, or, if
 * the path does not speak of the payload, what it names in the record.
 */
export function creatableIn(document: Document, record: Place, path: Path): Property[] {
  if (record.slot.value.kind !== 'object') return [];
  const throughRoot = restsInside(document, path, record)
    .map((rest) => rest.path)
    .filter((rest) => rest.length < path.length && !followsDescent(rest, path))
    .filter((rest) => rest.length < path.length - 1 || !beginsWithMissingRoot(document, path, record));
  const speaksOfPayload =
    leadsToRoot(document, path) || (isOfRequest(document, path) && !isOfOwnJson(path, record));
  const own = speaksOfPayload ? [] : creatableAt(record, path);
  return [...throughRoot.flatMap((rest) => creatableAt(record, rest)), ...own].filter(isFirst);
}

/** Whether a path names, after `$` or `json`, the root word that the payload lacks: then it does not also begin at the record. */
function beginsWithMissingRoot(document: Document, path: Path, record: Place): boolean {
  const rest = path.slice(1);
  if (!namesMissingRoot(document, rest)) return false;
  if (isJsonPath(path)) return leadsToRoot(document, rest);
  const asWritten = follow(path, stationsOf(chainOf(record)));
  return isOfRequest(document, path) && !asWritten.some((one) => one.path.length === rest.length);
}

/** Whether the end of a path comes right after `..`, so that it must exist. */
function followsDescent(end: Path, path: Path): boolean {
  return path[path.length - end.length - 1]?.kind === 'descent';
}

/** Whether a property is the first of its kind in a list. */
export function isFirst(property: Property, at: number, properties: readonly Property[]): boolean {
  return !properties.slice(0, at).some((earlier) => sameProperty(earlier, property));
}

/**
 * Enters what exists, also by wildcards, and creates what is missing after it, by names alone: in every element of an
 * array that exists, never past its end and never through a scalar.
 */
function creatableAt(place: Place, path: Path): Property[] {
  const [segment, ...rest] = path;
  const { value } = place.slot;
  if (segment === undefined) return [];
  if (segment.kind === 'start' || isListOfOne(segment, value)) return creatableAt(place, rest);
  if (segment.kind === 'descent') return creatableAtAnyDepth(place, rest);
  if (value.kind === 'null') return byNames(place, path);
  if (value.kind === 'array') return creatableInArray(place, segment, path);
  const own = mayBeListOfOne(path, value) ? creatableAt(place, rest) : [];
  const named = childrenOf(place).filter(({ step }) => namesStep(segment, String(step)));
  if (value.kind === 'object' && named.length === 0 && own.length === 0)
    return creatableInObject(place, segment, path);
  return [...own, ...named.flatMap((child) => creatableAt(child, rest))];
}

/** What follows `..` must exist. It is searched at any depth. */
function creatableAtAnyDepth(place: Place, [segment, ...rest]: Path): Property[] {
  if (segment === undefined) return [];
  const named = descendantsOf(place).filter(({ step, parent }) => {
    if (typeof step === 'string') return namesStep(segment, step);
    const length = parent?.slot.value.kind === 'array' ? parent.slot.value.items.length : 0;
    return selectsIndex(segment, Number(step), length);
  });
  return named.flatMap((child) => creatableAt(child, rest));
}

function creatableInArray(array: Place, segment: Segment, path: Path): Property[] {
  const items = childrenOf(array);
  const entered = entersUnasked(segment) ? items : [];
  const selected = items.filter((_, at) => selectsIndex(segment, at, items.length));
  return [
    ...entered.flatMap((item) => creatableAt(item, path)),
    ...selected.flatMap((item) => creatableAt(item, path.slice(1))),
  ];
}

/** On an object that exists, digits are a name like any other; below what is missing, nobody knows. */
function creatableInObject(place: Place, segment: Segment, path: Path): Property[] {
  if (segment.kind !== 'digits') return byNames(place, path);
  return byNames(place, [{ kind: 'name', name: segment.text }, ...path.slice(1)]);
}

function byNames(base: Place, path: Path): Property[] {
  const names = path
    .map((segment) => ('name' in segment ? segment.name : undefined))
    .filter((name) => name !== undefined);
  return names.length < path.length ? [] : [absent(base, names)];
}

import { isDeepStrictEqual } from 'node:util';
import { entersUnasked, namesStep, selectsIndex } from './match.ts';
import { isContainer, memberOf, NULL, objectOf, type Json, type Slot } from './model.ts';
import type { Path, Segment } from './path.ts';
import { childrenOf, descendantsOf, isWithin, type Place, type Step } from './place.ts';

/**
 * A property of a record: one that exists, or one that could be created.
 * Of the latter, `slot` is the last place on the way that exists (an object, or a null that gives way to one), and
 * `missing` are the names below it.
 */
export interface Property extends Place {
  readonly missing: readonly string[];
}

/** Every property that a record has, at any depth, elements of arrays included. */
export function existingProperties(record: Place): Property[] {
  return descendantsOf(record).map(({ slot, route }) => ({ slot, route, missing: [] }));
}

export function isAbsent(property: Property): boolean {
  return property.missing.length > 0;
}

/** A scalar, null included: what rules without a positive name apply to. */
export function isLeaf({ slot, missing }: Property): boolean {
  return missing.length === 0 && !isContainer(slot.value);
}

export function sameProperty(one: Property, other: Property): boolean {
  return one.slot === other.slot && isDeepStrictEqual(one.missing, other.missing);
}

/** Whether a property lies inside another, so that what happens to the other happens to it. */
export function liesInside(inner: Property, outer: Property): boolean {
  if (sameProperty(inner, outer)) return false;
  if (!isAbsent(outer)) return isWithin(outer, inner.slot);
  return (
    inner.slot === outer.slot &&
    isDeepStrictEqual(inner.missing.slice(0, outer.missing.length), outer.missing)
  );
}

/**
 * The absent properties that an exact path would create (enforcement §7): in every element of an array on the way that
 * exists, never past its end and never through a scalar.
 */
export function absentProperties(place: Place, path: Path): Property[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [];
  const { value } = place.slot;
  if (value.kind === 'null') return creatable(place, path);
  if (value.kind === 'array') return absentInArray(place, segment, path);
  const named = childrenOf(place).filter(({ route }) => namesLast(segment, route));
  if (value.kind === 'object' && named.length === 0) return creatableInObject(place, segment, path);
  return named.flatMap((child) => absentProperties(child, rest));
}

function namesLast(segment: Segment, route: readonly Step[]): boolean {
  return namesStep(segment, String(route.at(-1)));
}

function absentInArray(place: Place, segment: Segment, path: Path): Property[] {
  const items = childrenOf(place);
  if (entersUnasked(segment)) return items.flatMap((item) => absentProperties(item, path));
  return items
    .filter((_, at) => selectsIndex(segment, at))
    .flatMap((item) => absentProperties(item, path.slice(1)));
}

/** On an object that exists digits are a name like any other; on one that does not, nobody knows. */
function creatableInObject(place: Place, segment: Segment, path: Path): Property[] {
  if (segment.kind !== 'digits') return creatable(place, path);
  return creatable(place, [{ kind: 'name', name: segment.text }, ...path.slice(1)]);
}

function creatable(place: Place, path: Path): Property[] {
  const missing = path.flatMap((segment) => (segment.kind === 'name' ? [segment.name] : []));
  if (missing.length < path.length) return [];
  return [{ slot: place.slot, route: [...place.route, ...missing], missing }];
}

/** Puts a value at a property, creating the objects that are missing on the way. */
export function setProperty(slot: Slot, missing: readonly string[], value: Json): void {
  const [name, ...rest] = missing;
  if (name === undefined) {
    slot.value = value;
    return;
  }
  setProperty(memberToFill(slot, name), rest, value);
}

function memberToFill(slot: Slot, name: string): Slot {
  const object = slot.value.kind === 'object' ? slot.value : objectOf([]);
  const member = object.members.find((candidate) => candidate.name === name) ?? memberOf(name, NULL);
  if (!object.members.includes(member)) object.members.push(member);
  slot.value = object;
  return member;
}

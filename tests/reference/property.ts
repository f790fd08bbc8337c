import { isDeepStrictEqual } from 'node:util';
import { isContainer, memberOf, NULL, objectOf, type Json, type Slot } from './model.ts';
import { descendantsOf, isWithin, type Place } from './place.ts';

/**
 * Something that a rule may mask or set: a place that exists, or one that could be created.
 * For the latter, `place` is where it would be, `base` the last place on the way that exists (an object, or a null that
 * is replaced by one), and `missing` are the names below it.
 */
export interface Property {
  readonly place: Place;
  readonly base: Place;
  readonly missing: readonly string[];
}

/** A record itself and every property that it has, at any depth, elements of arrays included. */
export function propertiesOf(record: Place): Property[] {
  return [record, ...descendantsOf(record)].map(existing);
}

export function existing(place: Place): Property {
  return { place, base: place, missing: [] };
}

/** A property that names below a base would create. */
export function absent(base: Place, missing: readonly string[]): Property {
  const place = missing.reduce<Place>((parent, step) => ({ slot: { value: NULL }, step, parent }), base);
  return { place, base, missing };
}

export function isAbsent(property: Property): boolean {
  return property.missing.length > 0;
}

/** A string, number or boolean: null, `{}` and `[]` hide nothing. */
export function isLeaf(property: Property): boolean {
  const { value } = property.place.slot;
  return !isAbsent(property) && !isContainer(value) && value.kind !== 'null';
}

export function sameProperty(one: Property, other: Property): boolean {
  return one.base.slot === other.base.slot && isDeepStrictEqual(one.missing, other.missing);
}

/** Whether a property is inside another, so that what happens to the other happens to it. */
export function isInside(inner: Property, outer: Property): boolean {
  if (sameProperty(inner, outer)) return false;
  if (!isAbsent(outer)) return isWithin(outer.place, inner.base);
  return (
    inner.base.slot === outer.base.slot &&
    isDeepStrictEqual(inner.missing.slice(0, outer.missing.length), outer.missing)
  );
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

import type { Json, Slot } from './model.ts';

/** A step from a value to one inside it: a property name or an index. */
export type Step = string | number;

/** A slot of the document and how it is reached from where payload paths start. */
export interface Place {
  readonly slot: Slot;
  readonly route: readonly Step[];
}

/** The places directly inside one. */
export function childrenOf({ slot, route }: Place): Place[] {
  const { value } = slot;
  if (value.kind === 'array') return value.items.map((item, at) => ({ slot: item, route: route.concat(at) }));
  if (value.kind !== 'object') return [];
  return value.members.map((member) => ({ slot: member, route: route.concat(member.name) }));
}

/** Every place inside one, at any depth, without the place itself. */
export function descendantsOf(place: Place): Place[] {
  return childrenOf(place).flatMap((child) => [child].concat(descendantsOf(child)));
}

/** Whether a slot is a place or anywhere inside it. */
export function isWithin(place: Place, slot: Slot): boolean {
  return place.slot === slot || descendantsOf(place).some((inner) => inner.slot === slot);
}

/** Takes slots out of the objects and arrays that hold them. */
export function removeSlots(value: Json, removed: ReadonlySet<Slot>): void {
  if (value.kind === 'array') value.items = value.items.filter((item) => !removed.has(item));
  if (value.kind === 'object') value.members = value.members.filter((member) => !removed.has(member));
  for (const { slot } of childrenOf({ slot: { value }, route: [] })) removeSlots(slot.value, removed);
}

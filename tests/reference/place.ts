import type { Json, Slot } from './model.ts';

/** A step from a value to one inside it: a property name or an index. */
export type Step = string | number;

/** A slot of the document, and how it is reached. */
export interface Place {
  readonly slot: Slot;
  /** The step from the parent; undefined for a place that has no parent. */
  readonly step: Step | undefined;
  readonly parent: Place | undefined;
}

/** A place without a parent: the payload, or a value that is looked at alone. */
export function topPlace(slot: Slot): Place {
  return { slot, step: undefined, parent: undefined };
}

/** The places directly inside one. */
export function childrenOf(parent: Place): Place[] {
  const { value } = parent.slot;
  if (value.kind === 'array') return value.items.map((slot, step) => ({ slot, step, parent }));
  if (value.kind !== 'object') return [];
  return value.members.map((slot) => ({ slot, step: slot.name, parent }));
}

/** Every place inside one, at any depth, without the place itself. */
export function descendantsOf(place: Place): Place[] {
  return childrenOf(place).flatMap((child) => [child].concat(descendantsOf(child)));
}

/** The places that contain one, outermost first, and the place itself at the end. */
export function chainOf(place: Place): Place[] {
  return place.parent === undefined ? [place] : [...chainOf(place.parent), place];
}

/** The part of a place's chain that begins at a given slot; empty if the place is not inside it. */
export function chainFrom(slot: Slot, place: Place): Place[] {
  const chain = chainOf(place);
  const at = chain.findIndex((outer) => outer.slot === slot);
  return at === -1 ? [] : chain.slice(at);
}

/** Whether a place is another one or anywhere inside it. */
export function isWithin(outer: Place, inner: Place): boolean {
  return chainOf(inner).some(({ slot }) => slot === outer.slot);
}

/** Takes slots out of the objects and arrays that hold them. */
export function removeSlots(value: Json, removed: ReadonlySet<Slot>): void {
  if (value.kind === 'array') value.items = value.items.filter((item) => !removed.has(item));
  if (value.kind === 'object') value.members = value.members.filter((member) => !removed.has(member));
  for (const { slot } of childrenOf(topPlace({ value }))) removeSlots(slot.value, removed);
}

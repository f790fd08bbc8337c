import { entersUnasked, namesStep, selectsIndex } from './match.ts';
import { numberOf, type Json, type Member, type Slot } from './model.ts';
import type { Path, Segment } from './path.ts';

/**
 * The values that a path reads (enforcement §3, reading): arrays stand for their elements, a last `#` for the length,
 * and of a name that stands twice the last is read.
 *
 * @param passedOver slots that are treated as if they were not there.
 */
export function readValues(slot: Slot, path: Path, passedOver: ReadonlySet<Slot>): Json[] {
  if (passedOver.has(slot)) return [];
  const [segment, ...rest] = path;
  if (segment === undefined) return elementsOf(slot.value);
  const readOn = (inner: Slot, remaining: Path): Json[] => readValues(inner, remaining, passedOver);
  if (segment.kind === 'descent') {
    return [...readOn(slot, rest), ...slotsInside(slot.value).flatMap((inner) => readOn(inner, path))];
  }
  if (slot.value.kind !== 'array')
    return namedSlots(slot.value, segment).flatMap((inner) => readOn(inner, rest));
  const { items } = slot.value;
  if (segment.kind === 'each' && rest.length === 0) return [numberOf(String(items.length))];
  if (entersUnasked(segment)) return items.flatMap((item) => readOn(item, path));
  return items.filter((_, at) => selectsIndex(segment, at)).flatMap((item) => readOn(item, rest));
}

function elementsOf(value: Json): Json[] {
  return value.kind === 'array' ? value.items.flatMap((item) => elementsOf(item.value)) : [value];
}

function slotsInside(value: Json): readonly Slot[] {
  if (value.kind === 'array') return value.items;
  return value.kind === 'object' ? lastOfEachName(value.members) : [];
}

function namedSlots(value: Json, segment: Segment): Member[] {
  if (value.kind !== 'object') return [];
  return lastOfEachName(value.members).filter((member) => namesStep(segment, member.name));
}

function lastOfEachName(members: readonly Member[]): Member[] {
  return members.filter((member, at) => !members.slice(at + 1).some((later) => later.name === member.name));
}

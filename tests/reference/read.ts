import { entersUnasked, isListOfOne, mayBeListOfOne, namesStep, selectsIndex } from './follow.ts';
import { keyIdOf, type Json, type Member, type Slot } from './model.ts';
import type { Path, Segment } from './path.ts';

/**
 * The values that a path reads (docs/path-syntax.md#reading): an array yields its elements, a last `#` the length. If a name
 * occurs twice in an object, the last occurrence is read.
 */
export function readValues(slot: Slot, path: Path): Json[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return elementsOf(slot.value);
  if (segment.kind === 'start') return readValues(slot, rest);
  if (segment.kind === 'descent') {
    return [
      ...readValues(slot, rest),
      ...slotsInside(slot.value).flatMap((inner) => readValues(inner, path)),
    ];
  }
  if (segment.kind === 'each' && rest.length === 0) return lengthOf(slot.value);
  if (isListOfOne(segment, slot.value)) return readValues(slot, rest);
  if (mayBeListOfOne(path, slot.value))
    return [
      ...readValues(slot, rest),
      ...namedSlots(slot.value, segment).flatMap((inner) => readValues(inner, rest)),
    ];
  if (slot.value.kind !== 'array')
    return namedSlots(slot.value, segment).flatMap((inner) => readValues(inner, rest));
  const { items } = slot.value;
  const entered = entersUnasked(segment) ? items : [];
  const selected = items.filter((_, at) => selectsIndex(segment, at, items.length));
  return [
    ...entered.flatMap((item) => readValues(item, path)),
    ...selected.flatMap((item) => readValues(item, rest)),
  ];
}

/** Each length: one value, in however many ways it is read. */
const LENGTHS = new Map<string, Json>();

/** A property named `#` is read as such. A single object is a list of one. */
function lengthOf(value: Json): Json[] {
  if (value.kind !== 'array' && value.kind !== 'object') return [];
  const named = namedSlots(value, { kind: 'each' });
  if (named.length > 0) return named.flatMap((inner) => elementsOf(inner.value));
  const text = value.kind === 'array' ? String(value.items.length) : '1';
  const length = LENGTHS.get(text) ?? keyIdOf(text);
  LENGTHS.set(text, length);
  return [length];
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
  const last = new Map(members.map((member) => [member.name, member]));
  return members.filter((member) => last.get(member.name) === member);
}

import { placesIn, set, valueAt, type Json, type Place } from './places.ts';
import { Reader, type Genome } from './search.ts';

/** A value is put into itself so often at most: JSON of a PDP may nest 200 levels. */
const MAX_LEVELS = 60;

/** Makes a place of a value take so many bytes, about. */
type Stretch = (place: Place, bytes: number, reader: Reader) => void;

const STRETCHES: readonly [Stretch, ...(readonly Stretch[])] = [
  (place, bytes) => set(place, copiesOf(valueAt(place), bytes)),
  ({ holder, key }, bytes) => {
    if (!Array.isArray(holder)) return;
    // One by one: there may be more than a call may have arguments.
    for (const copy of copiesOf(valueAt({ holder, key }), bytes)) holder.push(copy);
  },
  (place, bytes) => {
    const value = valueAt(place);
    const of = typeof value === 'object' && value !== null ? value : {};
    const [member = 1] = Object.values(of);
    const added = copiesOf(member, bytes / 2).map((copy, index): [string, Json] => [`n${index}`, copy]);
    set(place, { ...Object(of), ...Object.fromEntries(added) });
  },
  (place, bytes, reader) => set(place, reader.one(['x', '*', '$', '${entityId}'], 'x').repeat(bytes)),
  (place, bytes, reader) => set(place, nested(valueAt(place), bytes, reader)),
  (place, bytes) =>
    set(
      place,
      Array.from({ length: bytes / 10 }, (_, index) => `t${index}`),
    ),
  (place, bytes) =>
    set(
      place,
      Array.from({ length: bytes / 3 }, () => ({})),
    ),
];

/** A sample with a place or a few that take so many bytes together, about. */
export function stretched(sample: Json, genome: Genome, bytes: number): Json {
  const reader = new Reader(genome);
  // A sample may have one object in two places, which a clone of its structure has too.
  const whole: Json[] = [JSON.parse(JSON.stringify(sample))];
  const times = 1 + reader.number(3);
  for (let time = 0; time < times; time++) {
    const place = reader.one(placesIn(whole), { holder: whole, key: 0 });
    reader.one(STRETCHES, STRETCHES[0])(place, Math.floor(bytes / times), reader);
  }
  return whole[0] ?? null;
}

/** Copies whose texts differ. */
function copiesOf(value: Json, bytes: number): Json[] {
  return Array.from({ length: bytes / (lengthOf(value) + 6) }, (_, index) => numbered(value, index));
}

function numbered(value: Json, index: number): Json {
  if (typeof value === 'string') return `${value}${index}`;
  if (Array.isArray(value)) return value.map((one) => numbered(one, index));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, numbered(one, index)]));
}

/** A value in a place of itself, again and again. */
function nested(value: Json, bytes: number, reader: Reader): Json {
  const from = reader.mark();
  let inner = value;
  for (let level = 0; level < MAX_LEVELS && level * lengthOf(value) < bytes; level++) {
    const outer = [structuredClone(value)];
    reader.reset(from);
    set(reader.one(placesIn(outer).slice(1), { holder: outer, key: 0 }), inner);
    inner = outer[0] ?? null;
  }
  return inner;
}

function lengthOf(value: Json): number {
  return JSON.stringify(value).length;
}

/** A value of JSON that may be changed. */
export type Json = null | boolean | number | string | Json[] | JsonMembers;
interface JsonMembers {
  [name: string]: Json;
}

/** Where a value is. */
export interface Place {
  readonly holder: Json[] | JsonMembers;
  readonly key: string | number;
}

/** So many places of a value are chosen from; it may have hundreds of thousands once it is stretched. */
const MAX_PLACES = 500;

/** The places of a value, those of few steps first: that of the value itself, then those in it. */
export function placesIn(top: Json[]): readonly Place[] {
  const places: Place[] = [];
  const holders: (Json[] | JsonMembers)[] = [top];
  for (const holder of holders) {
    for (const key of Object.keys(holder).slice(0, MAX_PLACES)) {
      const place = { holder, key };
      const value = valueAt(place);
      places.push(place);
      if (typeof value === 'object' && value !== null) holders.push(value);
    }
    if (places.length > MAX_PLACES) break;
  }
  return places;
}

export function valueAt({ holder, key }: Place): Json {
  return Object(holder)[key];
}

export function set({ holder, key }: Place, value: Json): void {
  Object(holder)[key] = value;
}

import _ from 'lodash';

/** Where a value stands: names and indexes from the top. */
type Place = readonly (string | number)[];

/** A decision in which one value is of another kind. */
export interface Mutation {
  /** Names and indexes, with slashes between. */
  readonly place: string;
  readonly kind: string;
  readonly mutated: unknown;
}

export const KINDS: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'a number': 7,
  'a number beyond all': Number.MAX_VALUE,
  'a text': 'x',
  'an empty text': '',
  'an empty list': [],
  'a list of null': [null],
  'a list of lists': [[]],
  'an empty object': {},
  'an object': { x: { x: 'x' } },
};

/** What may be there instead of a text is not another text: that would be another decision and no wrong kind. */
const TEXTS: readonly string[] = ['a text', 'an empty text'];

/** Every value of a decision, replaced by every kind of value that it is not, and left out. */
export function mutationsOf(decision: unknown): readonly Mutation[] {
  return placesIn(decision).flatMap((place) => {
    const kinds = _.omit(KINDS, typeof _.get(decision, place) === 'string' ? TEXTS : []);
    const replaced = Object.entries(kinds).map(([kind, value]) => mutation(decision, place, kind, value));
    return replaced.concat({ place: place.join('/'), kind: 'nothing', mutated: without(decision, place) });
  });
}

/** The place of each value in a decision. */
export function placesIn(value: unknown, at: Place = []): readonly Place[] {
  const members = _.isObject(value) ? Object.entries(value) : [];
  const below = members.flatMap(([name, member]) => placesIn(member, [...at, name]));
  return at.length === 0 ? below : [at, ...below];
}

function mutation(decision: unknown, place: Place, kind: string, value: unknown): Mutation {
  return { place: place.join('/'), kind, mutated: _.set(_.cloneDeep(Object(decision)), place, value) };
}

function without(decision: unknown, place: Place): unknown {
  const copy = _.cloneDeep(decision);
  const parent: unknown = place.length === 1 ? copy : _.get(copy, place.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(Number(place.at(-1)), 1);
  else _.unset(copy, place);
  return copy;
}

const TWICE = '@twice';

/** Every member of a decision, there twice with the same value: the text of each decision. */
export function doublesOf(decision: unknown): readonly Mutation[] {
  return placesIn(decision).flatMap((place) => {
    const name = place.at(-1);
    const parent: unknown = place.length === 1 ? decision : _.get(decision, place.slice(0, -1));
    if (name === undefined || Array.isArray(parent)) return [];
    const { mutated } = mutation(
      decision,
      [...place.slice(0, -1), name + TWICE],
      'twice',
      _.get(decision, place),
    );
    return [{ place: place.join('/'), kind: 'twice', mutated: JSON.stringify(mutated).replace(TWICE, '') }];
  });
}

/** Every member of a decision, under a name that a person might write for its own. */
export function misspellingsOf(decision: unknown): readonly Mutation[] {
  return placesIn(decision).flatMap((place) => {
    const name = place.at(-1);
    if (typeof name !== 'string' || name.length < 4 || /^\d+$/u.test(name)) return [];
    return misspellings(name).map((misspelt) => {
      const moved = without(decision, place);
      const at = [...place.slice(0, -1), misspelt];
      return {
        place: place.join('/'),
        kind: 'misspelt',
        mutated: _.set(Object(moved), at, _.get(decision, place)),
      };
    });
  });
}

/** Words that a person might write for a name. */
export function misspellings(name: string): readonly string[] {
  const swapped = `${name.slice(0, 1)}${name[2]}${name[1]}${name.slice(3)}`;
  return [name.toUpperCase(), _.upperFirst(name), swapped, name.slice(0, -1), `${name}s`].filter(
    (word) => word !== name,
  );
}

/** What a decision may say as well as what it said, so that it may show more: a name of its own, fewer rules, a default. */
const UNDERSTOOD: readonly { readonly place: RegExp; readonly kinds: readonly string[] }[] = [
  // Fewer entries, and sections that are empty or not there.
  { place: /\/\d+$/u, kinds: ['nothing'] },
  { place: /^(?:data\/)?response$/u, kinds: ['an empty list'] },
  { place: /response\/\d+$/u, kinds: ['an empty object', 'an object'] },
  { place: /\/(?:access|allowed|denied)$/u, kinds: ['null', 'nothing', 'an empty list'] },
  { place: /\/privileges$/u, kinds: ['null', 'nothing', 'an empty object', 'an object'] },
  // What is optional.
  { place: /\/table$/u, kinds: ['null', 'nothing', 'an empty list', 'an empty text'] },
  { place: /\/(?:asset-attributes-filter|type)$/u, kinds: ['null', 'nothing'] },
  { place: /\/AND$/u, kinds: ['an empty list'] },
  // A text stands for a list of one, and what a condition names may be a number or a boolean; an identifier a number.
  { place: /\/(?:column|table|values)$/u, kinds: ['a text'] },
  { place: /\/values(?:\/\d+)?$/u, kinds: ['true', 'a number', 'a number beyond all'] },
  { place: /\/path(?:\/\d+)?$/u, kinds: ['a number', 'a number beyond all'] },
];

/** Whether a mutation only makes another decision of it, as valid as it was. */
export function isUnderstood({ place, kind }: Mutation): boolean {
  return UNDERSTOOD.some((one) => one.place.test(place) && one.kinds.includes(kind));
}

import { routesTo, withoutObjectsAsLists, type Document } from './document.ts';
import { follow, leadsAlong, type Rest } from './follow.ts';
import { arrayOf, NULL, objectOf, type Json, type Member, type Slot } from './model.ts';
import { beginsWithName, isJsonPath, spellsName, type Path, type Segment } from './path.ts';
import { descendantsOf, topPlace, type Place } from './place.ts';
import { readValues } from './read.ts';
import { isOfOwnJson, isOfRequest, leadsThroughRoot, restsInside } from './readings.ts';

/** What may match several properties. */
const OF_MANY: ReadonlySet<string> = new Set(['wildcard', 'descent', 'anyChild', 'union']);

/**
 * The values of an attribute for a record (docs/path-syntax.md#what-a-path-is-relative-to): a path through the root refers to the record, or with an
 * index to the record at that index; a path that begins with `json` or `$` and leads elsewhere reads the payload; every
 * other path reads the record.
 */
export function attributeValues(document: Document, record: Place, path: Path): Json[] {
  const rests = restsOf(document, path, record);
  if (rests.length > 0) {
    const elsewhere = valuesElsewhere(document, path);
    const isAlsoOfRecord = rests.every(({ wild }) => wild) && !isJsonPath(path);
    return distinct([
      ...elsewhere,
      ...valuesAt(record, rests),
      ...(isAlsoOfRecord ? readValues(record.slot, path) : ownJson(record, path)),
    ]);
  }
  if (leadsThroughRoot(document, path, beginningsOf(document, path))) {
    // By names alone, it says nothing of the records of other roots.
    if (!path.some(mayBeIndex)) return isJsonPath(path) ? [] : readValues(record.slot, path);
    const named = document.records.flatMap((other) => valuesAt(other, restsOfOther(document, path, other)));
    return distinct([...named, ...ownJson(record, path)]);
  }
  if (isJsonPath(path) || beginsWithName(path, 'json'))
    return distinct([...valuesOfPayload(document, path), ...ownJson(record, path)]);
  return readValues(record.slot, path);
}

/** Whether a segment may name an element of an array by where it is. */
function mayBeIndex(segment: Segment): boolean {
  if (segment.kind === 'union') return segment.options.some(mayBeIndex);
  return segment.kind === 'digits' || segment.kind === 'slice';
}

/** What remains of a path that leads into a record, without what names the payload alone. */
function restsOf(document: Document, path: Path, record: Place): Rest[] {
  const beginnings = beginningsOf(document, path);
  return restsInside(document, path, record).filter((rest) => !beginnings.includes(rest.path.length));
}

/** The same for a record that is not the one that is asked about: a leading `json` is then no property on the way. */
function restsOfOther(document: Document, path: Path, other: Place): Rest[] {
  const rests = restsOf(document, path, other);
  if (!isOfRequest(document, path)) return rests;
  const behindJson = routesTo(document, other).flatMap((route) => follow(path.slice(1), route));
  const lengths = new Set(behindJson.map((rest) => rest.path.length));
  return rests.filter((rest) => lengths.has(rest.path.length));
}

function valuesAt(place: Place, rests: readonly { readonly path: Path }[]): Json[] {
  return rests.flatMap((rest) => readValues(place.slot, rest.path));
}

/** What a path that begins with `json` reads of a record that has a property of that name. */
function ownJson(record: Place, path: Path): Json[] {
  return isOfOwnJson(path, record) ? readValues(record.slot, path) : [];
}

function valuesOfPayload(document: Document, path: Path): Json[] {
  const isOfAny = path.some(({ kind }) => kind === 'anyChild');
  const payload = isOfAny ? withoutBareRecords(document) : document.payload;
  return restsAtPayload(document, path).flatMap((rest) => readValues(payload, rest));
}

/** What remains of a path at the payload: `json` and the root word name it, if the path begins with them. */
function restsAtPayload(document: Document, path: Path): Path[] {
  const beginnings = beginningsOf(document, path);
  const written = isOfRequest(document, path) ? path.slice(1) : path;
  const routes = routesTo(document, topPlace(document.payload));
  const rests = routes.flatMap((route) =>
    follow(written, [...route.slice(0, -1), ...withoutObjectsAsLists(route.slice(-1))]),
  );
  return rests
    .filter(({ path: rest, wild }) => rest.length > 0 || !wild)
    .map((rest) => rest.path)
    .filter((rest) => !beginnings.includes(rest.length))
    .filter((rest, _at, all) => !all.some((longer) => isReadWith(rest, longer)));
}

/** Whether a path is read with another one, which may begin with no step at all. */
function isReadWith(path: Path, longer: Path): boolean {
  return longer.length === path.length + 1 && ['start', 'descent'].includes(longer[0]?.kind ?? '');
}

/** The payload with null for the records that are no objects: a condition finds no attribute in them. */
function withoutBareRecords({ payload, records }: Document): Member {
  const bare = new Set(records.map(({ slot }) => slot).filter(({ value }) => value.kind !== 'object'));
  const cleared = ({ value }: Slot): Json => {
    if (value.kind === 'array')
      return arrayOf(value.items.map((item) => (bare.has(item) ? NULL : cleared(item))));
    if (value.kind !== 'object') return value;
    return objectOf(value.members.map((member) => ({ ...member, value: cleared(member) })));
  };
  return { ...payload, value: cleared(payload) };
}

/** What a path with wildcards reads of the payload, if it does not lead to what is in the roots, or in the arrays that they are in. */
function valuesElsewhere(document: Document, path: Path): Json[] {
  const isAnchored = isJsonPath(path) || beginsWithName(path, 'json');
  if (!isAnchored || !path.some(({ kind }) => OF_MANY.has(kind))) return [];
  const regions = document.roots.map(regionOf);
  const top = topPlace(document.payload);
  const asWritten = [path, ...(isOfRequest(document, path) ? [path.slice(1)] : [])];
  const leadsInside = regions.some((region) =>
    [region, ...descendantsOf(region)].some((place) =>
      asWritten.some((some) => isReadAt(document, place, some)),
    ),
  );
  return leadsInside || regions.some(({ slot }) => slot === top.slot) ? [] : valuesOfPayload(document, path);
}

function isReadAt(document: Document, place: Place, path: Path): boolean {
  if (!isLastOfItsName(place)) return false;
  const walked = path.at(-1)?.kind === 'each' ? path.slice(0, -1) : path;
  return routesTo(document, place).some((route) => leadsAlong(walked, route));
}

/** If a name occurs twice in an object, the last occurrence is read. */
function isLastOfItsName({ slot, step, parent }: Place): boolean {
  if (parent === undefined) return true;
  const { value } = parent.slot;
  const last = value.kind === 'object' ? value.members.findLast(({ name }) => name === step) : slot;
  return last === slot && isLastOfItsName(parent);
}

/** A root, or the array of which it is an element. */
function regionOf(root: Place): Place {
  return root.parent !== undefined && typeof root.step === 'number' ? regionOf(root.parent) : root;
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Set(values)];
}

/** How long what remains of a path is after each beginning of what names the payload: that is then no property of a record. */
function beginningsOf(document: Document, path: Path): number[] {
  const { missingRootWord } = document;
  const written = isJsonPath(path) || isOfRequest(document, path) ? [path, path.slice(1)] : [path];
  const [first] = written.at(-1) ?? path;
  const isWord = missingRootWord !== undefined && first !== undefined && spellsName(first, missingRootWord);
  if (isJsonPath(path) && !isWord) return [];
  return (isWord ? written : written.slice(0, -1)).map(({ length }) => length);
}

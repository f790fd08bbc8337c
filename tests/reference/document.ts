import { entersUnasked, isListOfOne, leadsAlong, type Station } from './follow.ts';
import { memberOf, NULL, objectOf, type Json, type Member } from './model.ts';
import { beginsWithName, parsePath, type Path, type Segment } from './path.ts';
import { chainOf, childrenOf, descendantsOf, topPlace, type Place } from './place.ts';
import { Refusal } from './refusal.ts';

/** The payload with its roots and records (docs/enforcement.md#root-and-records). */
export interface Document {
  readonly payload: Member;
  /** The root word, if the payload lacks it and is treated as if it were nested under it. */
  readonly missingRootWord: string | undefined;
  /** The roots that have records, and so may be changed. */
  readonly roots: readonly Place[];
  /** Every element of a root that is not an array, whether or not it is an object. */
  readonly records: readonly Place[];
}

/**
 * Finds the roots and records of a payload.
 *
 * @throws Refusal 400 if the root is no path; 422 if it points at nothing or at a scalar, or is inside another root.
 */
export function openDocument(
  json: Json,
  rootPath: string | undefined,
  rootWord: string | undefined,
): Document {
  const payload = memberOf('', json);
  const top = topPlace(payload);
  const roots = rootPath === undefined ? rootsByWord(top, rootWord) : rootsByPath(top, rootPath);
  refuseBadRoots(roots);
  const missingRootWord = rootWord === undefined || hasMember(json, rootWord) ? undefined : rootWord;
  const usable = roots.filter(({ slot: { value } }) => value.kind !== 'null' && !isEmptyArray(value));
  return { payload, missingRootWord, roots: usable, records: usable.flatMap(recordsIn) };
}

/** Whether a leading `json` of a path names the payload and not a property of it. */
export function jsonNamesPayload({ payload }: Document): boolean {
  return !hasMember(payload.value, 'json');
}

/** The route to a place from the payload, and from what is around it if the root word is missing. */
export function routesTo(document: Document, place: Place): Station[][] {
  const route = stationsOf(chainOf(place));
  const { missingRootWord, payload } = document;
  if (missingRootWord === undefined) return [route];
  const around = { value: aroundPayload(document), step: undefined };
  return [route, [around, { value: payload.value, step: missingRootWord }, ...route.slice(1)]];
}

/** The payload nested under the root word if it lacks it. */
function aroundPayload({ payload, missingRootWord }: Document): Json {
  return missingRootWord === undefined ? NULL : objectOf([memberOf(missingRootWord, payload.value)]);
}

export function stationsOf(chain: readonly Place[]): Station[] {
  return chain.map(({ slot, step }) => ({ value: slot.value, step }));
}

export function isRoot({ roots }: Document, place: Place): boolean {
  return roots.some(({ slot }) => slot === place.slot);
}

export function hasMember(value: Json, name: string): boolean {
  return value.kind === 'object' && value.members.some((member) => member.name === name);
}

/** Without the property of the root word, the payload itself is the root. */
function rootsByWord(top: Place, rootWord: string | undefined): Place[] {
  const named = childrenOf(top).filter(({ step }) => step === rootWord && rootWord !== undefined);
  return named.length > 0 ? named : [top];
}

function rootsByPath(top: Place, text: string): Place[] {
  const written = parsePath(text);
  if (written === undefined) throw new Refusal(400, 'The root is no path');
  const isOfRequest = beginsWithName(written, 'json') && !hasMember(top.slot.value, 'json');
  const path = isOfRequest ? written.slice(1) : written;
  const roots = [top, ...descendantsOf(top)].filter((place) => isPlainlyNamed(path, place));
  if (roots.length === 0 && !hasEmptyArrayOnTheWay(top, path))
    throw new Refusal(422, 'The root is not there');
  if (path.every(({ kind }) => ['start', 'name', 'digits', 'each'].includes(kind)))
    refuseSingleObjects(top, path);
  return roots;
}

/** What is in a single object where the root's other branches have a list would not be enforced. */
function refuseSingleObjects(top: Place, path: Path): void {
  for (const place of [top, ...descendantsOf(top)]) {
    const isMet = path.some(
      (segment, at) => isListOfOne(segment, place.slot.value) && isPlainlyNamed(path.slice(0, at), place),
    );
    if (isMet) throw new Refusal(422, 'The root leads by # to a single object');
  }
}

function isPlainlyNamed(path: Path, place: Place): boolean {
  return leadsPlainly(path, chainOf(place));
}

/** A root is named without `#` for a single object: that is for masks and conditions. */
function leadsPlainly(path: Path, chain: readonly Place[]): boolean {
  return leadsAlong(path, withoutObjectsAsLists(stationsOf(chain)));
}

/** Hides from `#` that a value is an object. */
export function withoutObjectsAsLists(route: readonly Station[]): Station[] {
  return route.map(({ value, step }) => ({ value: value.kind === 'object' ? NULL : value, step }));
}

/** What a path asks for after so many segments. */
interface Asked {
  readonly length: number;
  readonly next: Segment;
}

/**
 * Whether the root was not found only because an array that could lead to it has no elements. An object or a scalar to which the path leads
 * as far shows that the path does not go on.
 */
function hasEmptyArrayOnTheWay(top: Place, path: Path): boolean {
  const places = [top, ...descendantsOf(top)];
  const asked = path.flatMap((_, length): Asked[] => {
    const next = nextAsked(path, length);
    return next === undefined ? [] : [{ length, next }];
  });
  const isAskedOf = (among: readonly Place[], one: Asked): boolean =>
    among.some((place) => leadsTo(place, path, one));
  const others = places.filter(({ slot: { value } }) => value.kind !== 'array');
  const contradicted = Math.max(
    -1,
    ...asked.filter((one) => isAskedOf(others, one)).map(({ length }) => length),
  );
  const empty = places.filter(({ slot: { value } }) => isEmptyArray(value));
  return asked.some((one) => {
    if (['digits', 'slice', 'union'].includes(one.next.kind)) return false;
    const isOpen = entersUnasked(one.next) ? one.length > contradicted : one.length >= contradicted;
    return isOpen && isAskedOf(empty, one);
  });
}

/** Whether the beginning of a path leads to a place, also by entering arrays that it does not ask for. */
function leadsTo(place: Place, path: Path, { length, next }: Asked): boolean {
  const chain = chainOf(place);
  const names = chain.findLastIndex(({ step }) => typeof step !== 'number') + 1;
  const around = chain.map((_, at) => chain.slice(0, at + 1)).slice(names - 1);
  const entered = entersUnasked(next) ? around : [chain];
  return entered.some((outer) => leadsPlainly(path.slice(0, length), outer));
}

/** What a path asks for next. `$` asks for nothing, and `..` for what comes after it. */
function nextAsked(path: Path, length: number): Segment | undefined {
  const segment = path[length];
  if (segment?.kind === 'start') return undefined;
  return segment?.kind === 'descent' ? path[length + 1] : segment;
}

function isEmptyArray(value: Json): boolean {
  return value.kind === 'array' && value.items.length === 0;
}

function refuseBadRoots(roots: readonly Place[]): void {
  for (const root of roots) {
    if (!['object', 'array', 'null'].includes(root.slot.value.kind))
      throw new Refusal(422, 'The root is a scalar');
    const inside = new Set(descendantsOf(root).map(({ slot }) => slot));
    if (roots.some(({ slot }) => inside.has(slot))) throw new Refusal(422, 'A root is inside another');
  }
}

function recordsIn(place: Place): Place[] {
  return place.slot.value.kind === 'array' ? childrenOf(place).flatMap(recordsIn) : [place];
}

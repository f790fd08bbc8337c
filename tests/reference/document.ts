import { memberOf, objectOf, type Json, type Member, type Slot } from './model.ts';
import { beginsWith, parsePath, type Path } from './path.ts';
import { childrenOf, descendantsOf, type Place } from './place.ts';
import { leadsAlong } from './match.ts';
import { readValues } from './read.ts';
import { Refusal } from './refusal.ts';

/** The payload with its roots and records (enforcement §2). */
export interface Document {
  readonly payload: Member;
  /** Where payload paths start: the payload, or what stands for the root word around it. */
  readonly start: Place;
  /** A property path that begins with one of these is relative to the payload. */
  readonly rootPaths: readonly Path[];
  readonly records: readonly Place[];
  /** What stands beside the records in an array and is none: only a filter removes it. */
  readonly strays: readonly Slot[];
}

interface Frame {
  readonly payload: Member;
  readonly start: Place;
  readonly rootPaths: readonly Path[];
  readonly roots: readonly Place[];
}

/**
 * Finds the roots and records of a payload.
 *
 * @throws Refusal 422 where the root is not there, is a scalar, or lies inside another.
 */
export function openDocument(
  json: Json,
  rootPath: string | undefined,
  rootWord: string | undefined,
): Document {
  const frame = rootPath === undefined ? frameByWord(json, rootWord) : frameByPath(json, rootPath);
  refuseBadRoots(frame.roots);
  const inside = frame.roots.flatMap(recordsAndStrays);
  return {
    ...frame,
    records: inside.filter(isRecord),
    strays: inside.filter((place) => !isRecord(place)).map(({ slot }) => slot),
  };
}

function isRecord({ slot }: Place): boolean {
  return slot.value.kind === 'object';
}

/** Whether a property path of a decision is relative to the payload and not to the record (enforcement §3). */
export function startsAtPayload({ rootPaths }: Document, path: Path): boolean {
  return rootPaths.some((rootPath) => beginsWith(path, rootPath));
}

/** What a path reads of one record, wherever the path starts. */
export function readOfRecord(document: Document, record: Place, path: Path): Json[] {
  if (!startsAtPayload(document, path)) return readValues(record.slot, path, new Set());
  const others = document.records.filter((other) => other !== record);
  return readValues(document.start.slot, path, new Set(others.map(({ slot }) => slot)));
}

function frameByPath(json: Json, text: string): Frame {
  const written = parsePath(text);
  if (written === undefined) throw new Refusal(400, 'The root is no path');
  const path = namesOwnMember(json, written) ? written : withoutRequestMember(written);
  const payload = memberOf('', json);
  const start = { slot: payload, route: [] };
  const roots = [start, ...descendantsOf(start)].filter(({ route }) => leadsAlong(path, route));
  if (roots.length === 0 && !hasEmptyArrayOnTheWay(start, path))
    throw new Refusal(422, 'The root is not there');
  return { payload, start, rootPaths: path.length === 0 ? [] : [path, written], roots };
}

/** A payload without the root word is taken as if it stood under it. */
function frameByWord(json: Json, rootWord: string | undefined): Frame {
  const payload = memberOf(rootWord ?? '', json);
  const start = { slot: payload, route: [] };
  if (rootWord === undefined) return { payload, start, rootPaths: [], roots: [start] };
  const rootPaths: Path[] = [[{ kind: 'name', name: rootWord }]];
  const roots = descendantsOf(start).filter(({ route }) => route.length === 1 && route[0] === rootWord);
  if (roots.length > 0) return { payload, start, rootPaths, roots };
  const wrapped = { slot: { value: objectOf([payload]) }, route: [] };
  return { payload, start: wrapped, rootPaths, roots: [{ slot: payload, route: [rootWord] }] };
}

function namesOwnMember(json: Json, path: Path): boolean {
  const names = json.kind === 'object' ? json.members.map(({ name }) => name) : [];
  return names.includes('json') || !beginsWith(path, REQUEST_MEMBER);
}

const REQUEST_MEMBER: Path = [{ kind: 'name', name: 'json' }];

function withoutRequestMember(path: Path): Path {
  return path.slice(REQUEST_MEMBER.length);
}

/** Whether the root was not found only because an array that could lead to it has no elements. */
function hasEmptyArrayOnTheWay(start: Place, path: Path): boolean {
  const emptyArrays = [start, ...descendantsOf(start)].filter(({ slot: { value } }) => {
    return value.kind === 'array' && value.items.length === 0;
  });
  return emptyArrays.some(({ route }) =>
    path.some((_, length) => leadsInto(path.slice(0, length), path, route)),
  );
}

function leadsInto(beginning: Path, path: Path, route: Place['route']): boolean {
  const entered = route.slice(0, route.findLastIndex((step) => typeof step === 'string') + 1);
  const asksForOneElement = path[beginning.length]?.kind === 'digits';
  return !asksForOneElement && (leadsAlong(beginning, route) || leadsAlong(beginning, entered));
}

function refuseBadRoots(roots: readonly Place[]): void {
  for (const root of roots) {
    if (!['object', 'array', 'null'].includes(root.slot.value.kind))
      throw new Refusal(422, 'The root is a scalar');
    const inside = new Set(descendantsOf(root).map(({ slot }) => slot));
    if (roots.some(({ slot }) => inside.has(slot))) throw new Refusal(422, 'A root lies inside another');
  }
}

function recordsAndStrays(root: Place): Place[] {
  const { value } = root.slot;
  if (value.kind === 'null') return [];
  return value.kind === 'object' ? [root] : entriesOfArray(root);
}

function entriesOfArray(array: Place): Place[] {
  return childrenOf(array).flatMap((child) =>
    child.slot.value.kind === 'array' ? entriesOfArray(child) : [child],
  );
}

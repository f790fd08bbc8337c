import _ from 'lodash';
import { ALWAYS, allOf, type Condition, type Leaf } from '../conditions/condition.ts';
import type { Path, Segment } from '../paths/path.ts';
import { beginsWithJson } from './frame.ts';

/** What is behind a prefix at any depth. */
const BELOW: Segment = { kind: 'descend', isBelowPrefix: true };
/** The records that are there. */
const RECORD: Segment = { kind: 'record', purpose: 'match' };
/** The most paths that one condition is taken apart into, by prefixes and names. */
const MAX_BELOW = 64;

/** A condition of more parts is remembered if it mentions no names: any number of alternatives may share it. */
const MANY = 8;
const NAMELESS = new WeakSet<Condition>();

/**
 * Takes a condition apart into alternatives of which any may hold, as far as that keeps their size, so that each can be
 * about properties of its own.
 */
export function alternativesOf(condition: Condition): readonly Condition[] {
  if (isConjunction(condition) || !mentionsNames(condition)) return [condition];
  if (condition.kind === 'any') return condition.names ? [condition] : condition.of.flatMap(alternativesOf);
  const parts = flattened(condition);
  const [named, others] = _.partition(parts, mentionsNames);
  const [only, ...more] = named;
  if (only?.kind !== 'any' || more.length > 0) return [{ kind: 'all', of: parts }];
  if (others.length === 0) return alternativesOf(only);
  const rest = allOf(others);
  return alternativesOf(only).map((one) => ({ kind: 'all', of: [...partsOf(one), rest] }));
}

/** Whether a condition consists of leaves of which all have to hold: it has one alternative. */
export function isConjunction(condition: Condition): boolean {
  if (condition.kind !== 'all') return condition.kind === 'leaf';
  for (const part of condition.of) if (part.kind !== 'leaf') return false;
  return true;
}

/** Names that a condition is about, and what is left of it for them. */
interface NamedPaths {
  readonly paths: readonly Path[];
  readonly condition: Condition;
  /** If the names are behind prefixes: both, and what names absent properties, right behind a prefix and in records at or below one. */
  readonly below?: NamesBelow & { readonly absent: readonly Path[] };
}

/** Names, and prefixes that they may be below. */
export interface NamesBelow {
  readonly names: readonly Path[];
  readonly prefixes: readonly Path[];
}

/**
 * The names that a condition is about, with what is left of it for them.
 *
 * @returns undefined if it is not about certain names alone
 */
export function nameOf(condition: Condition): NamedPaths | undefined {
  if (condition.kind !== 'all') {
    const paths = pathsNamedBy(condition);
    return paths && { paths, condition: ALWAYS };
  }
  const { of } = condition;
  let paths: readonly Path[] | undefined;
  let place = 0;
  for (let at = 0; at < of.length; at++) {
    const part = of[at];
    if (part === undefined || !mentionsNames(part)) continue;
    if (paths !== undefined) return undefined;
    paths = pathsNamedBy(part);
    if (paths === undefined) return undefined;
    place = at;
  }
  return paths && { paths, condition: without(of, place) };
}

/**
 * The same of a condition that also names prefixes: the paths to what is named, at any depth below them.
 *
 * @returns undefined if it is not about certain names below certain prefixes alone
 */
export function nameBelowOf(condition: Condition): NamedPaths | undefined {
  if (condition.kind !== 'all') return undefined;
  const [named, others] = _.partition(condition.of, mentionsNames);
  const prefix = named.find((part) => isNamed(part, 'prefix'));
  const name = named.find((part) => part !== prefix);
  const names = name && pathsNamedBy(name);
  if (prefix === undefined || names === undefined || named.length > 2) return undefined;
  const { paths: prefixes } = prefix;
  if (names.length * prefixes.length > MAX_BELOW || ![...names, ...prefixes].every(isOfPlainNames))
    return undefined;
  const paths = prefixes.flatMap((path) => names.map((behind) => path.concat(BELOW, behind)));
  const absent = prefixes.flatMap((path) =>
    names.flatMap((behind) => [path.concat(behind), path.concat(BELOW, RECORD, behind)]),
  );
  return { paths, below: { names, prefixes, absent }, condition: allOf(others) };
}

function isOfPlainNames(path: Path): boolean {
  return path.length > 0 && path.every((segment) => segment.kind === 'name') && !beginsWithJson(path);
}

/** What is left of the parts of a condition of which all have to hold. */
function without(of: readonly Condition[], place: number): Condition {
  const other = of.length === 2 ? of[1 - place] : undefined;
  return other ?? allOf(of.toSpliced(place, 1));
}

function pathsNamedBy(condition: Condition): readonly Path[] | undefined {
  if (condition.kind === 'any') return condition.names;
  return isNamed(condition, 'property') ? condition.paths : undefined;
}

/** What a condition names one by one. */
export function namesToCreate(condition: Condition): NamesBelow {
  return { names: pathsOn(condition, 'property'), prefixes: pathsOn(condition, 'prefix') };
}

/** The names as they are, and below each prefix. */
export function namesCombined({ names, prefixes }: NamesBelow): readonly Path[] {
  return [...names, ...prefixes.flatMap((prefix) => names.map((name) => prefix.concat(name)))];
}

export function mentionsNames(condition: Condition): boolean {
  if (condition.kind === 'leaf') return condition.subject !== 'record';
  if (condition.kind === 'any' && condition.names) return true;
  if (NAMELESS.has(condition)) return false;
  for (const part of condition.of) if (mentionsNames(part)) return true;
  if (condition.of.length > MANY) NAMELESS.add(condition);
  return false;
}

function pathsOn(condition: Condition, subject: 'property' | 'prefix'): readonly Path[] {
  if (condition.kind === 'leaf') return isNamed(condition, subject) ? condition.paths : [];
  return condition.of.flatMap((part) => pathsOn(part, subject));
}

function isNamed(condition: Condition, subject: 'property' | 'prefix'): condition is Leaf {
  if (condition.kind !== 'leaf' || condition.subject !== subject) return false;
  const { relation, negated } = condition.comparison.operator;
  return relation === 'equals' && !negated;
}

function partsOf(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.of : [condition];
}

function flattened(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(flattened) : [condition];
}

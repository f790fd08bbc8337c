import { after, firstIn, Kind, kindOf, nameAfter, valueOf } from '../json/document.ts';
import type { JsonDocument, Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { ElementStates } from './element-states.ts';
import { stateAtObject } from './sole-element.ts';
import type { State } from './state.ts';

/** What is visited if a name occurs twice in one object: rules meet all of them, conditions the last (docs/enforcement.md). */
export type Duplicates = 'all' | 'last';

/** @param paths those that end at the value, by number */
type Visit = (node: Node, paths: readonly number[]) => void;

/**
 * Visits every value at which a path ends, in the order of the text, also below one another.
 *
 * @param from the automaton's state at `node`
 */
export function visitMatches(
  doc: JsonDocument,
  node: Node,
  from: State,
  duplicates: Duplicates,
  visit: Visit,
): void {
  const state = stateAtObject(doc, node, from);
  if (state.accepts.length > 0) visit(node, state.accepts);
  const kind = kindOf(doc, node);
  if (kind === Kind.array) visitElements(doc, node, state, duplicates, visit);
  else if (kind === Kind.object) visitMembers(doc, node, state, duplicates, visit);
}

function visitElements(
  doc: JsonDocument,
  array: Node,
  state: State,
  duplicates: Duplicates,
  visit: Visit,
): void {
  const stop = after(doc, array);
  const states = state.isIndexed ? new ElementStates(state, doc, array) : undefined;
  const every = states === undefined ? state.anyElement() : undefined;
  for (let element = firstIn(array), index = 0; element < stop; element = after(doc, element), index++) {
    const next = states === undefined ? every : states.at(index);
    if (next) visitMatches(doc, element, next, duplicates, visit);
  }
}

function visitMembers(
  doc: JsonDocument,
  object: Node,
  state: State,
  duplicates: Duplicates,
  visit: Visit,
): void {
  const stop = after(doc, object);
  for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
    const next = state.member(doc, name);
    if (next === undefined) continue;
    const others = nameAfter(doc, name);
    if (others === stop || duplicates === 'all') visitMatches(doc, valueOf(name), next, duplicates, visit);
    else return visitLast(doc, membersThatMatch(doc, name, stop, state), visit);
  }
}

/** Of each name the last one. */
function visitLast(doc: JsonDocument, matches: readonly Match[], visit: Visit): void {
  for (const [name, next] of lastOfEachName(doc, matches))
    visitMatches(doc, valueOf(name), next, 'last', visit);
}

type Match = readonly [name: Node, next: State];

function membersThatMatch(doc: JsonDocument, first: Node, stop: Node, state: State): readonly Match[] {
  const matches: Match[] = [];
  for (let name = first; name < stop; name = nameAfter(doc, name)) {
    const next = state.member(doc, name);
    if (next) matches.push([name, next]);
  }
  return matches;
}

function lastOfEachName(doc: JsonDocument, matches: readonly Match[]): Iterable<Match> {
  if (matches.length < 2) return matches;
  return new Map(matches.map((match) => [stringAt(doc, match[0]), match])).values();
}

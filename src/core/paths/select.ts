import { after, firstIn, Kind, kindOf, namesOf, valueOf } from '../json/document.ts';
import type { JsonDocument, Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { ElementStates } from './element-states.ts';
import { stateAtObject } from './sole-element.ts';
import type { State } from './state.ts';

/** What is visited if a name occurs twice in one object: rules meet all of them, conditions the last (docs/enforcement.md). */
export type Duplicates = 'all' | 'last';

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
  visit: (node: Node) => void,
): void {
  const state = stateAtObject(doc, node, from);
  if (state.accepts.length > 0) visit(node);
  const kind = kindOf(doc, node);
  if (kind === Kind.array) visitElements(doc, node, state, duplicates, visit);
  else if (kind === Kind.object) visitMembers(doc, node, state, duplicates, visit);
}

function visitElements(
  doc: JsonDocument,
  array: Node,
  state: State,
  duplicates: Duplicates,
  visit: (node: Node) => void,
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
  visit: (node: Node) => void,
): void {
  const matches = membersThatMatch(doc, object, state);
  const met = duplicates === 'last' ? lastOfEachName(doc, matches) : matches;
  for (const [name, next] of met) visitMatches(doc, valueOf(name), next, duplicates, visit);
}

function membersThatMatch(doc: JsonDocument, object: Node, state: State): [name: Node, next: State][] {
  const matches: [Node, State][] = [];
  for (const name of namesOf(doc, object)) {
    const next = state.member(doc, name);
    if (next) matches.push([name, next]);
  }
  return matches;
}

function lastOfEachName(doc: JsonDocument, matches: [Node, State][]): Iterable<[Node, State]> {
  if (matches.length < 2) return matches;
  return new Map(matches.map((match) => [stringAt(doc, match[0]), match])).values();
}

import { after, firstIn, Kind, kindOf, nameAfter, valueOf } from '../json/document.ts';
import type { JsonDocument, Node } from '../json/document.ts';
import { stringAt } from '../json/text.ts';
import { ScalarTexts } from '../scalar-texts.ts';
import { ElementStates } from './element-states.ts';
import { stateAtObject } from './sole-element.ts';
import type { State } from './state.ts';

/** What is visited if a name occurs twice in one object: rules meet all of them, conditions the last (docs/enforcement.md). */
export type Duplicates = 'all' | 'last';

/** If an object has fewer names to compare, they are decoded. */
const MANY = 32;

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
function visitLast(doc: JsonDocument, { names, states }: Members, visit: Visit): void {
  for (const at of lastOfEachName(doc, names))
    visitMatches(doc, valueOf(names[at]!), states[at]!, 'last', visit);
}

/** Members of an object to which paths lead. */
interface Members {
  readonly names: readonly Node[];
  readonly states: readonly State[];
}

function membersThatMatch(doc: JsonDocument, first: Node, stop: Node, state: State): Members {
  const names: Node[] = [];
  const states: State[] = [];
  for (let name = first; name < stop; name = nameAfter(doc, name)) {
    const next = state.member(doc, name);
    if (next === undefined) continue;
    names.push(name);
    states.push(next);
  }
  return { names, states };
}

/** The places of the last of each name, in the order in which the names come first. */
function lastOfEachName(doc: JsonDocument, names: readonly Node[]): Iterable<number> {
  if (names.length < 2) return names.keys();
  if (names.length < MANY) return new Map(names.map((name, at) => [stringAt(doc, name), at])).values();
  const texts = new ScalarTexts(doc);
  const last: number[] = [];
  for (let at = 0; at < names.length; at++) last[texts.add(names[at]!) ?? last.length] = at;
  return last;
}

import { ServiceError } from '../errors.ts';
import {
  behind,
  firstIn,
  isEmpty,
  Kind,
  kindOf,
  namesOf,
  valueOf,
  type Located,
  type Node,
} from '../core/json/located.ts';
import { stringAt } from '../core/json/text.ts';
import { Automaton, type State } from '../core/paths/automaton.ts';
import type { Path } from '../core/paths/path.ts';
import { visitMatches } from '../core/paths/select.ts';

/** Where enforcement starts. */
export interface Roots {
  /** The places in the payload, in order, none within another. */
  readonly nodes: readonly Node[];
  /** The root's own path, with which a decision's paths may begin; empty where the root is the payload. */
  readonly path: Path;
}

/**
 * Finds the root (enforcement §2).
 *
 * @param root `parameters.root`
 * @param rootWord the configured root word
 * @throws ServiceError `root-not-found` where it points at nothing, at a scalar, or at places within each other
 */
export function findRoots(
  doc: Located,
  payload: Node,
  root: Path | undefined,
  rootWord: string | undefined,
): Roots {
  if (root) return rootsAt(doc, payload, withoutJson(doc, payload, root), '/parameters/root');
  if (rootWord === undefined) return { nodes: [payload], path: [] };
  const path: Path = [{ kind: 'name', name: rootWord }];
  return hasProperty(doc, payload, rootWord)
    ? rootsAt(doc, payload, path, '/json')
    : { nodes: [payload], path };
}

/** A leading `json` names the request's own member, unless the payload has a property of that name. */
function withoutJson(doc: Located, payload: Node, root: Path): Path {
  const [first, ...rest] = root;
  const namesMember = first?.kind === 'name' && first.name === 'json' && !hasProperty(doc, payload, 'json');
  return namesMember ? rest : root;
}

/**
 * @param pointer what of the request says where the root is
 */
function rootsAt(doc: Located, payload: Node, path: Path, pointer: string): Roots {
  const { start } = new Automaton([path]);
  const nodes: Node[] = [];
  visitMatches(doc, payload, start, 'all', (node) => nodes.push(node));
  if (nodes.length === 0 && !meetsEmptyArray(doc, payload, start))
    throw notFound(pointer, 'points at nothing in the payload');
  for (const [i, node] of nodes.entries()) {
    if (!mayBeRoot(kindOf(doc, node))) throw notFound(pointer, 'has to point at an object or an array');
    if (i > 0 && node < behind(doc, nodes[i - 1] ?? node))
      throw notFound(pointer, 'points at places that lie within each other');
  }
  return { nodes, path };
}

function mayBeRoot(kind: Kind): boolean {
  return kind === Kind.object || kind === Kind.array || kind === Kind.null;
}

/** Whether a path leads into an array that has no elements: then what it points at is there, none of it. */
function meetsEmptyArray(doc: Located, node: Node, state: State): boolean {
  const kind = kindOf(doc, node);
  if (kind === Kind.array) return isEmpty(doc, node) || someElement(doc, node, state);
  if (kind !== Kind.object) return false;
  for (const name of namesOf(doc, node)) {
    const next = state.member(doc, name);
    if (next && meetsEmptyArray(doc, valueOf(name), next)) return true;
  }
  return false;
}

function someElement(doc: Located, array: Node, state: State): boolean {
  const stop = behind(doc, array);
  for (let element = firstIn(array), index = 0; element < stop; element = behind(doc, element), index++) {
    const next = state.element(index, () => Number.MAX_SAFE_INTEGER);
    if (next && meetsEmptyArray(doc, element, next)) return true;
  }
  return false;
}

function hasProperty(doc: Located, node: Node, property: string): boolean {
  return (
    kindOf(doc, node) === Kind.object &&
    Array.from(namesOf(doc, node)).some((name) => stringAt(doc, name) === property)
  );
}

function notFound(pointer: string, problem: string): ServiceError {
  return new ServiceError('root-not-found', `The root ${problem}.`, {
    errors: [{ pointer, detail: `The root ${problem}.` }],
  });
}

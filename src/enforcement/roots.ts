import { ServiceError } from '../errors.ts';
import {
  Automaton,
  ElementStates,
  Kind,
  NO_STEP,
  NameToken,
  RootList,
  after,
  firstIn,
  isEmpty,
  kindOf,
  nameAfter,
  namesOf,
  valueOf,
  type Frame,
  type JsonPart,
  type JsonDocument,
  type Node,
  type Path,
  type RootStep,
  type State,
} from '../core/index.ts';

/** The values at which enforcement starts. */
export interface Roots {
  /** None is within another. */
  readonly places: RootList;
  /** What names the payload itself in paths that begin at it. */
  readonly frame: Frame;
}

const JSON_MEMBER = new NameToken('json');

/**
 * Finds the root (docs/enforcement.md#root-and-records).
 *
 * @param root `parameters.root`
 * @param rootWord the configured root word
 * @throws ServiceError `root-not-found` if it selects nothing, a scalar, or one value inside another
 */
export function findRoots(
  { doc, node: payload }: JsonPart,
  root: Path | undefined,
  rootWord: string | undefined,
): Roots {
  const isJsonNamed = !hasProperty(doc, payload, JSON_MEMBER);
  const lacksRootWord = rootWord !== undefined && !hasProperty(doc, payload, new NameToken(rootWord));
  const frame = { isJsonNamed, rootWord: lacksRootWord ? rootWord : undefined };
  if (root)
    return { places: rootsAt(doc, payload, withoutJson(root, isJsonNamed), '/parameters/root'), frame };
  if (rootWord === undefined || lacksRootWord) return { places: RootList.ofPayload(payload), frame };
  return { places: rootsAt(doc, payload, [{ kind: 'name', name: rootWord }], '/json'), frame };
}

/** A leading `json` names the request's own member, unless the payload has a property of that name. */
function withoutJson(root: Path, isJsonNamed: boolean): Path {
  const [first, ...rest] = root;
  return isJsonNamed && first?.kind === 'name' && first.name === 'json' ? rest : root;
}

/**
 * @param pointer the part of the request that names the root
 */
function rootsAt(doc: JsonDocument, payload: Node, path: Path, pointer: string): RootList {
  const { start } = new Automaton([path]);
  const roots = new RootList();
  findMatches(doc, payload, NO_STEP, start, roots);
  if (roots.length === 0 && !meetsEmptyArray(doc, payload, start))
    throw notFound(pointer, 'points at nothing in the payload');
  let end: Node = payload;
  for (let root = 0; root < roots.length; root++) {
    const node = roots.nodeOf(root);
    if (!mayBeRoot(kindOf(doc, node))) throw notFound(pointer, 'has to point at an object or an array');
    if (node < end) throw notFound(pointer, 'points at places that lie within each other');
    end = after(doc, node);
  }
  return roots;
}

/** Finds the places at which a path ends, in order, with the way to each. */
function findMatches(doc: JsonDocument, node: Node, step: RootStep, state: State, found: RootList): void {
  if (state.accepts.length > 0) found.add(node, step);
  const kind = kindOf(doc, node);
  if (kind === Kind.object) findInObject(doc, node, step, state, found);
  else if (kind === Kind.array) findInArray(doc, node, step, state, found);
}

function findInObject(doc: JsonDocument, object: Node, step: RootStep, state: State, found: RootList): void {
  const stop = after(doc, object);
  for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
    const next = state.member(doc, name);
    if (next) findBehind(doc, valueOf(name), found.addMember(step, object, name), next, found);
  }
}

function findInArray(doc: JsonDocument, array: Node, step: RootStep, state: State, found: RootList): void {
  const stop = after(doc, array);
  const states = state.isIndexed ? new ElementStates(state, doc, array) : undefined;
  const every = states === undefined ? state.anyElement() : undefined;
  if (states === undefined && every === undefined) return;
  for (let element = firstIn(array), index = 0; element < stop; element = after(doc, element), index++) {
    const next = states === undefined ? every : states.at(index);
    if (next) findBehind(doc, element, found.addElement(step, array, index), next, found);
  }
}

function findBehind(doc: JsonDocument, node: Node, step: RootStep, state: State, found: RootList): void {
  const before = found.length;
  findMatches(doc, node, step, state, found);
  if (found.length === before) found.drop(step);
}

function mayBeRoot(kind: Kind): boolean {
  return kind === Kind.object || kind === Kind.array || kind === Kind.null;
}

/** Whether a path leads by `#` or a wildcard into an array that has no elements: then the root is there, without records. */
function meetsEmptyArray(doc: JsonDocument, node: Node, state: State): boolean {
  const kind = kindOf(doc, node);
  if (kind === Kind.array)
    return isEmpty(doc, node) ? state.goesOnInElements() : someElement(doc, node, state);
  if (kind !== Kind.object) return false;
  for (const name of namesOf(doc, node)) {
    const next = state.member(doc, name);
    if (next && meetsEmptyArray(doc, valueOf(name), next)) return true;
  }
  return false;
}

function someElement(doc: JsonDocument, array: Node, state: State): boolean {
  const stop = after(doc, array);
  for (let element = firstIn(array), index = 0; element < stop; element = after(doc, element), index++) {
    const next = state.element(index, () => Number.MAX_SAFE_INTEGER);
    if (next && meetsEmptyArray(doc, element, next)) return true;
  }
  return false;
}

function hasProperty(doc: JsonDocument, node: Node, name: NameToken): boolean {
  return kindOf(doc, node) === Kind.object && name.lastIn(doc, node) !== undefined;
}

function notFound(pointer: string, problem: string): ServiceError {
  return new ServiceError('root-not-found', `The root ${problem}.`, {
    errors: [{ pointer, detail: `The root ${problem}.` }],
  });
}

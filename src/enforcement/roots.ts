import { ServiceError } from '../errors.ts';
import {
  Automaton,
  Kind,
  NameToken,
  after,
  firstIn,
  isEmpty,
  kindOf,
  lengthOf,
  namesOf,
  valueOf,
  type Frame,
  type JsonPart,
  type JsonDocument,
  type Node,
  type Path,
  type Root,
  type RootStep,
  type State,
} from '../core/index.ts';

/** The values at which enforcement starts. */
export interface Roots {
  /** The places in the payload, in order, none within another. */
  readonly places: readonly Root[];
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
  if (rootWord === undefined || lacksRootWord) return { places: [{ node: payload, step: undefined }], frame };
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
function rootsAt(doc: JsonDocument, payload: Node, path: Path, pointer: string): readonly Root[] {
  const { start } = new Automaton([path]);
  const roots: Root[] = [];
  findMatches(doc, { node: payload, step: undefined }, start, roots);
  if (roots.length === 0 && !meetsEmptyArray(doc, payload, start))
    throw notFound(pointer, 'points at nothing in the payload');
  let end: Node = payload;
  for (const { node } of roots) {
    if (!mayBeRoot(kindOf(doc, node))) throw notFound(pointer, 'has to point at an object or an array');
    if (node < end) throw notFound(pointer, 'points at places that lie within each other');
    end = after(doc, node);
  }
  return roots;
}

/** Finds the places at which a path ends, in order, with the way to each. */
function findMatches(doc: JsonDocument, place: Root, state: State, found: Root[]): void {
  if (state.accepts.length > 0) found.push(place);
  const { node } = place;
  const kind = kindOf(doc, node);
  if (kind !== Kind.object && kind !== Kind.array) return;
  const stop = after(doc, node);
  const length = lengthOf(doc, node);
  for (let first = firstIn(node), index = 0; first < stop; index++) {
    const value = kind === Kind.object ? valueOf(first) : first;
    const next = kind === Kind.object ? state.member(doc, first) : state.element(index, length);
    if (next) findMatches(doc, { node: value, step: stepTo(place, kind, first, index) }, next, found);
    first = after(doc, value);
  }
}

function stepTo({ node, step }: Root, kind: Kind, first: Node, index: number): RootStep {
  return { before: step, container: node, name: kind === Kind.object ? first : undefined, index };
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

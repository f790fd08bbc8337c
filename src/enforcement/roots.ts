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
  valueOf,
  type Frame,
  type JsonPart,
  type JsonDocument,
  type Node,
  type Path,
  type RootStep,
} from '../core/index.ts';
import { RootProgress, type Reach, type RootState } from './root-progress.ts';

/** The values at which enforcement starts. */
export interface Roots {
  /** None is within another. */
  readonly places: RootList;
  /** What names the payload itself in paths that begin at it. */
  readonly frame: Frame;
}

// What is exported is looked up each time, what is not is a constant in compiled code.
const OBJECT = Kind.object;
const ARRAY = Kind.array;

const JSON_MEMBER = new NameToken('json');
const EACH_MEMBER = new NameToken('#');

/** What writes out the way to a root, so that each list on it is meant. */
const WRITTEN_OUT: ReadonlySet<Path[number]['kind']> = new Set(['name', 'index', 'each']);

/**
 * Finds the root (docs/enforcement.md#root-and-records).
 *
 * @param root `parameters.root`
 * @param rootWord the configured root word
 * @throws ServiceError `root-not-found` if it selects nothing, a scalar, one value inside another, or elements of some lists where
 *   others are a single object
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
  const finder = new RootFinder(doc, payload, pointer, new RootProgress(path));
  finder.find(payload, NO_STEP, new Automaton<Reach>([path]).start);
  if (finder.found.length === 0 && !finder.progress.lacksRecordsOnly)
    throw notFound(pointer, 'points at nothing in the payload');
  // What is in the object would not be enforced.
  if (finder.meetsSoleObject && path.every(({ kind }) => WRITTEN_OUT.has(kind)))
    throw notFound(pointer, 'leads by # to a list and to a single object');
  return finder.found;
}

/** Finds the places at which a path ends, in order, with the way to each. */
class RootFinder {
  readonly found: RootList;
  readonly progress: RootProgress;
  /** Whether `#` comes next at an object without a property of that name. */
  meetsSoleObject = false;
  private readonly doc: JsonDocument;
  private readonly pointer: string;
  /** The node after the last root. */
  private end: Node;

  constructor(doc: JsonDocument, payload: Node, pointer: string, progress: RootProgress) {
    this.progress = progress;
    this.doc = doc;
    this.pointer = pointer;
    this.end = payload;
    this.found = new RootList(payload, after(doc, payload));
  }

  find(node: Node, step: RootStep, state: RootState): void {
    if (state.accepts.length > 0) this.add(node, step);
    const kind = kindOf(this.doc, node);
    if (kind === ARRAY) {
      this.findInArray(node, step, state);
      return;
    }
    this.progress.meet(state);
    if (kind === OBJECT) this.findInObject(node, step, state);
  }

  private add(node: Node, step: RootStep): void {
    const kind = kindOf(this.doc, node);
    if (kind < Kind.null) throw notFound(this.pointer, 'has to point at an object or an array');
    if (node < this.end) throw notFound(this.pointer, 'points at places that lie within each other');
    this.end = after(this.doc, node);
    this.found.add(node, step);
  }

  private findInObject(object: Node, step: RootStep, state: RootState): void {
    const { doc, found } = this;
    if (state.awaitsElement) this.meetsSoleObject ||= !hasProperty(doc, object, EACH_MEMBER);
    const stop = after(doc, object);
    for (let name = firstIn(object); name < stop; name = nameAfter(doc, name)) {
      const next = state.member(doc, name);
      if (next) this.findBehind(valueOf(name), found.addMember(step, object, name), next);
    }
  }

  private findInArray(array: Node, step: RootStep, state: RootState): void {
    const { doc, found } = this;
    if (isEmpty(doc, array)) {
      this.progress.meetEmptyArray(state);
      return;
    }
    const stop = after(doc, array);
    const states = state.isIndexed ? new ElementStates(state, doc, array) : undefined;
    const every = states === undefined ? state.anyElement() : undefined;
    if (states === undefined && every === undefined) return;
    for (let element = firstIn(array), index = 0; element < stop; element = after(doc, element), index++) {
      const next = states === undefined ? every : states.at(index);
      if (next) this.findBehind(element, found.addElement(step, array, element, index), next);
    }
  }

  private findBehind(node: Node, step: RootStep, state: RootState): void {
    const { found } = this;
    const before = found.length;
    this.find(node, step, state);
    if (found.length === before) found.drop(step);
  }
}

function hasProperty(doc: JsonDocument, node: Node, name: NameToken): boolean {
  return kindOf(doc, node) === Kind.object && name.lastIn(doc, node) !== undefined;
}

function notFound(pointer: string, problem: string): ServiceError {
  return new ServiceError('root-not-found', `The root ${problem}.`, {
    errors: [{ pointer, detail: `The root ${problem}.` }],
  });
}

import {
  Kind,
  TOP,
  bufferOf,
  kindOf,
  namesOf,
  rawAt,
  scan,
  stringAt,
  valueOf,
  type JsonDocument,
  type Node,
} from '../../../core/index.ts';
import { DEEPEST_DECISION } from '../deepest.ts';

const MEMBER = 'tokenValidity';
/** The member that the decision may be wrapped in. */
const WRAPPING = 'data';

/**
 * How long a decision is valid: its `tokenValidity`, the shortest if there are several.
 *
 * @param decision as the PDP sent it
 * @returns seconds; 0 if it has no valid `tokenValidity`
 */
export function validityOf(decision: Uint8Array): number {
  return validityIn(decision, WRAPPING);
}

/**
 * The same for a decision that another member wraps.
 *
 * @param wrapping the name of that member
 */
export function validityIn(decision: Uint8Array, wrapping: string): number {
  const doc = located(decision);
  const said = doc === undefined ? [] : [...validitiesIn(doc, TOP, wrapping)];
  return said.length === 0 ? 0 : said.reduce((least, one) => Math.min(least, one));
}

function located(decision: Uint8Array): JsonDocument | undefined {
  try {
    return scan(bufferOf(decision), DEEPEST_DECISION);
  } catch {
    return undefined;
  }
}

function* validitiesIn(doc: JsonDocument, node: Node, wrapping?: string): Generator<number> {
  if (kindOf(doc, node) !== Kind.object) return;
  for (const name of namesOf(doc, node)) {
    const member = stringAt(doc, name);
    if (member === MEMBER) yield secondsAt(doc, valueOf(name));
    if (member === wrapping) yield* validitiesIn(doc, valueOf(name));
  }
}

function secondsAt(doc: JsonDocument, node: Node): number {
  return kindOf(doc, node) === Kind.number ? Math.max(Number(rawAt(doc, node)), 0) : 0;
}

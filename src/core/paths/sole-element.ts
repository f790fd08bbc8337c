import { Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { NameToken } from './name-token.ts';
import type { State } from './state.ts';

const HASH = new NameToken('#');

/**
 * The state at an object: if it has no property named `#`, the `#` of a path is the object itself, a list of one
 * (docs/path-syntax.md).
 */
export function stateAtObject<Note>(doc: JsonDocument, object: Node, state: State<Note>): State<Note> {
  if (!state.awaitsElement || kindOf(doc, object) !== Kind.object) return state;
  return HASH.lastIn(doc, object) === undefined ? state.atSoleElement() : state;
}

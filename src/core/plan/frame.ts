import type { Automaton } from '../paths/automaton.ts';
import { isOfSoleElement, matchesName, spellsName, type Path } from '../paths/path.ts';
import { PATH_STRIDE, type Position } from '../paths/position.ts';
import type { State } from '../paths/state.ts';

/** What names the payload itself, besides `$`, in paths that begin at it (docs/path-syntax.md). */
export interface Frame {
  /** Whether a leading `json` does: not if the payload is an object that has a property `json`. */
  readonly isJsonNamed: boolean;
  /** The root word, if it does: if the payload lacks it. */
  readonly rootWord: string | undefined;
}

/**
 * The state of an automaton at the payload.
 *
 * @param paths which of its paths are read from the payload, by number
 */
export function stateAtPayload<Note>(
  automaton: Automaton<Note>,
  paths: readonly (readonly [path: Path, number: number])[],
  frame: Frame,
): State<Note> {
  const positions: Position[] = [];
  for (const [path, number] of paths)
    for (const matched of matchedAtPayload(path, frame)) positions.push(number * PATH_STRIDE + matched);
  return automaton.startAt(positions);
}

/** How many segments of a path may be matched by the payload itself: each of these, once, is a way to read the path. */
export function matchedAtPayload(path: Path, { isJsonNamed, rootWord }: Frame): readonly number[] {
  const behindJson = isJsonNamed && beginsWithJson(path) ? BOTH : AT_START;
  if (rootWord === undefined) return behindJson;
  const behindWord = behindJson.flatMap((matched) => matchedByWord(path, rootWord, matched));
  // A `..` is there before and after the root word.
  return [...new Set([...behindJson, ...behindWord])];
}

/** Whether a path begins with the name that may name the payload. */
export function beginsWithJson([first]: Path): boolean {
  return first?.kind === 'name' && first.name === 'json';
}

const AT_START: readonly number[] = [0];
const BOTH: readonly number[] = [0, 1];

/** How many segments of a path are matched by a step into the property of the root word, if the path allows it. */
export function matchedByWord(path: Path, name: string, from = 0): readonly number[] {
  const segment = path[from];
  if (segment === undefined) return [];
  if (segment.kind === 'descend') return [from, ...matchedByWord(path, name, from + 1)];
  // The object around the payload is a list of one, unless its property is named `#`.
  const more =
    isOfSoleElement(segment, path[from + 1]) && name !== '#' ? matchedByWord(path, name, from + 1) : [];
  // A wildcard matches on the way to a property. It does not name the payload itself.
  const isLast = from + 1 === path.length;
  const matches = isLast && segment.kind !== 'each' ? spellsName(segment, name) : matchesName(segment, name);
  return matches ? [...more, from + 1] : more;
}

import {
  PathSyntaxError,
  parseAttributePath,
  parsePath,
  type AttributePath,
  type Path,
} from '../../core/index.ts';
import { notUnderstood, type JsonPointer, type Place } from './not-understood.ts';

/** Parses a path of a decision. @throws ServiceError `decision-not-understood` */
export function readPath(text: string, place: Place): Path {
  return understood(parsePath, text, place);
}

/** How many paths are kept, and their longest length in characters: decisions name few attributes, each many times. */
const MAX_KNOWN = 512;
const MAX_KNOWN_LENGTH = 64;
const known = new Map<string, AttributePath>();

/** Parses the path of an attribute that a decision names. @throws ServiceError `decision-not-understood` */
export function readAttributePath(text: string, place: JsonPointer): AttributePath {
  const before = known.get(text);
  if (before) return before;
  const path = understood(parseAttributePath, text, place);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length <= MAX_KNOWN_LENGTH) known.set(text, path);
  return path;
}

/** Parses each path of a list. @throws ServiceError `decision-not-understood`, with the place of the path */
export function readPaths(texts: readonly string[], place: JsonPointer): readonly Path[] {
  const paths: Path[] = [];
  try {
    for (const text of texts) paths.push(parsePath(text));
  } catch (error) {
    throw explained(error, [...place, paths.length]);
  }
  return paths;
}

function understood<T>(parse: (text: string) => T, text: string, place: Place): T {
  try {
    return parse(text);
  } catch (error) {
    throw explained(error, place);
  }
}

function explained(error: unknown, place: Place): unknown {
  if (!(error instanceof PathSyntaxError)) return error;
  return notUnderstood(`a path that cannot be parsed (${error.message})`, place);
}

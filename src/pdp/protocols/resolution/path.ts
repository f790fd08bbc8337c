import {
  PathSyntaxError,
  parseAttributePath,
  parsePath,
  type AttributePath,
  type Path,
} from '../../../core/index.ts';
import { notUnderstood, type Place } from './error.ts';

/** Parses a path of a decision. @throws ServiceError `decision-not-understood` */
export function readPath(text: string, place: Place): Path {
  return understood(parsePath, text, place);
}

/** Parses the path of an attribute that a decision names. @throws ServiceError `decision-not-understood` */
export function readAttributePath(text: string, place: Place): AttributePath {
  return understood(parseAttributePath, text, place);
}

function understood<T>(parse: (text: string) => T, text: string, place: Place): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof PathSyntaxError)
      throw notUnderstood(`a path that cannot be parsed (${error.message})`, place);
    throw error;
  }
}

import { parsePath } from '../../../core/paths/parse.ts';
import type { Path } from '../../../core/paths/path.ts';
import { PathSyntaxError } from '../../../core/paths/syntax-error.ts';
import { notUnderstood, type Place } from './error.ts';

/** Parses a path that stands in a decision. @throws ServiceError `decision-not-understood` */
export function readPath(text: string, place: Place): Path {
  try {
    return parsePath(text);
  } catch (error) {
    if (error instanceof PathSyntaxError)
      throw notUnderstood(`a path that cannot be parsed (${error.message})`, place);
    throw error;
  }
}

import { parsePath } from '../masking/path/parse.ts';
import type { Path } from '../masking/path/path.ts';
import { PathSyntaxError } from '../masking/path/syntax-error.ts';
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

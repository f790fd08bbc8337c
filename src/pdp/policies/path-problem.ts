import { PathSyntaxError, parsePath } from '../../core/index.ts';

/** Why a text is not a path to a property; undefined if it is one. */
export function problemWithPath(path: string): string | undefined {
  try {
    parsePath(path);
    return undefined;
  } catch (error) {
    if (error instanceof PathSyntaxError) return `is not a path: ${error.message}`;
    throw error;
  }
}

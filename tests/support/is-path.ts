import { parsePath } from '../../src/core/index.ts';

/** Whether a text is a path (docs/path-syntax.md), in whatever dialect it is meant. */
export function isPath(text: string): boolean {
  try {
    parsePath(text);
    return true;
  } catch {
    return false;
  }
}

import { isDeepStrictEqual } from 'node:util';

/**
 * Makes what reads files again when they change. They may have changed between the reading at start and the first look at
 * them: the first call compares what is in them, and leaves it at that if it is known.
 *
 * @param known what was read at start
 * @param read reads the files again
 * @param use takes what was read
 * @returns throws what `read` and `use` throw
 */
export function unlessKnown<T>(known: T, read: () => T, use: (content: T) => void): () => void {
  let isFirst = true;
  return () => {
    const mayBeKnown = isFirst;
    isFirst = false;
    const content = read();
    if (!(mayBeKnown && isDeepStrictEqual(content, known))) use(content);
  };
}

import { after, firstIn, type JsonDocument, type Node } from './document.ts';

/** How many elements an array has, counted when it is asked for first. */
export function lengthOf(doc: JsonDocument, array: Node): () => number {
  let length: number | undefined;
  return () => {
    if (length !== undefined) return length;
    length = 0;
    const stop = after(doc, array);
    for (let element = firstIn(array); element < stop; element = after(doc, element)) length++;
    return length;
  };
}

/** A place within one of an automaton's paths: the path's number times {@link PATH_STRIDE}, and how many segments are matched. */
export type Position = number;

/** How far apart the positions of one path are from the next path's: more than a path has segments. */
export const PATH_STRIDE = 2 ** 13;

/** The number of the path of a position. */
export function pathOf(position: Position): number {
  return Math.floor(position / PATH_STRIDE);
}

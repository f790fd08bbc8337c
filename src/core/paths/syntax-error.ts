/** A path that cannot be parsed. The message names what is wrong, and where, in characters from the start of the path. */
export class PathSyntaxError extends Error {
  constructor(problem: string, at: number) {
    super(`${problem} at character ${at + 1} of the path`);
    this.name = 'PathSyntaxError';
  }
}

/** The text is not JSON (RFC 8259). The message names the byte, never its content. */
export class JsonSyntaxError extends Error {
  /** Where the grammar broke, in bytes from the start of the text. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** The text nests deeper than is allowed. */
export class JsonDepthError extends Error {
  /** The deepest nesting that is allowed, in levels of objects and arrays. */
  readonly limit: number;

  constructor(limit: number) {
    super(`more than ${limit} levels of nesting`);
    this.name = 'JsonDepthError';
    this.limit = limit;
  }
}

/** `*`: any characters, also none. */
export const MANY: unique symbol = Symbol('*');
/** `?`: one character. */
export const ONE: unique symbol = Symbol('?');
export type WildcardToken = string | typeof MANY | typeof ONE;

/** A property name with `*` and `?` in it (specification 2.6). */
export class Wildcard {
  private readonly tokens: readonly WildcardToken[];

  constructor(tokens: readonly WildcardToken[]) {
    this.tokens = tokens;
  }

  /** Tells patterns apart. */
  toJSON(): string {
    return this.tokens
      .map((token) => (typeof token === 'string' ? `\\${token}` : token.description))
      .join('');
  }

  /**
   * Whether the pattern covers the whole name. Goes back to the last `*` only, never further: for a given pattern the
   * time is linear in the length of the name.
   */
  matches(name: string): boolean {
    const { tokens } = this;
    const characters = Array.from(name);
    let at = 0;
    let token = 0;
    let retryAt = -1;
    let retryToken = -1;
    while (at < characters.length) {
      if (tokens[token] === MANY) {
        retryToken = token++;
        retryAt = at;
      } else if (token < tokens.length && (tokens[token] === ONE || tokens[token] === characters[at])) {
        token++;
        at++;
      } else if (retryToken >= 0) {
        token = retryToken + 1;
        at = ++retryAt;
      } else return false;
    }
    while (tokens[token] === MANY) token++;
    return token === tokens.length;
  }
}

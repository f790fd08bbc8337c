import { PartMatcher } from './wildcard-part.ts';

/** `*`: any characters, also none. */
export const MANY: unique symbol = Symbol('*');
/** `?`: one character. */
export const ONE: unique symbol = Symbol('?');
export type WildcardToken = string | typeof MANY | typeof ONE;

/** A property name with `*` and `?` in it (specification 2.6). */
export class Wildcard {
  private readonly tokens: readonly WildcardToken[];
  /** What is between the `*`; made when the pattern is first compared. */
  private compiled: readonly PartMatcher[] | undefined;

  constructor(tokens: readonly WildcardToken[]) {
    this.tokens = tokens;
  }

  /** Tells patterns apart. */
  toJSON(): string {
    return this.tokens
      .map((token) => (typeof token === 'string' ? `\\${token}` : token.description))
      .join('');
  }

  /** The longest text that every name has in it that the pattern covers. */
  longestText(): string {
    let longest = '';
    let text = '';
    for (const token of this.tokens) {
      text = typeof token === 'string' ? text + token : '';
      if (text.length > longest.length) longest = text;
    }
    return longest;
  }

  /**
   * Whether the pattern covers the whole name. The parts between the `*` are looked for one after another, each at its first
   * place: no character is met by more than one part, so the time is linear in the length of the name for every pattern.
   */
  matches(name: string): boolean {
    this.compiled ??= partsOf(this.tokens);
    const parts = this.compiled;
    const [first, ...others] = parts;
    const last = others.pop();
    if (first === undefined) return false;
    const characters = codePointsOf(name);
    if (last === undefined) return characters.length === first.length && first.isAt(characters, 0);
    let at = first.isAt(characters, 0) ? first.length : -1;
    const stop = characters.length - last.length;
    for (const part of others) if (at >= 0) at = part.endFrom(characters, at, stop);
    return at >= 0 && at <= stop && last.isAt(characters, stop);
  }
}

function partsOf(tokens: readonly WildcardToken[]): readonly PartMatcher[] {
  const parts: (number | undefined)[][] = [[]];
  for (const token of tokens) {
    if (token === MANY) parts.push([]);
    else parts.at(-1)?.push(token === ONE ? undefined : token.codePointAt(0));
  }
  return parts.map((part) => new PartMatcher(part));
}

function codePointsOf(name: string): Uint32Array {
  const codes = new Uint32Array(name.length);
  let count = 0;
  for (let at = 0; at < name.length; count++) {
    const unit = name.charCodeAt(at);
    const code = (unit & 0xfc00) === 0xd800 ? (name.codePointAt(at) ?? unit) : unit;
    codes[count] = code;
    at += code > 0xffff ? 2 : 1;
  }
  return codes.subarray(0, count);
}

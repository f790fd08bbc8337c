import { PartMatcher } from './wildcard-part.ts';

/** `*`: any characters, also none. */
export const MANY: unique symbol = Symbol('*');
/** `?`: one character. */
export const ONE: unique symbol = Symbol('?');
export type WildcardToken = string | typeof MANY | typeof ONE;

/** A property name with `*` and `?` in it (docs/path-syntax.md). */
export class Wildcard {
  readonly tokens: readonly WildcardToken[];
  /** What is between the `*`; made when the pattern is first compared. */
  private compiled: Parts | undefined;

  constructor(tokens: readonly WildcardToken[]) {
    this.tokens = tokens;
  }

  /** Another one for each pattern. */
  toJSON(): string {
    return this.tokens
      .map((token) => (typeof token === 'string' ? `\\${token}` : token.description))
      .join('');
  }

  /**
   * Whether the pattern covers the whole name. The parts between the `*` are looked for one after another, each at its first
   * place: no character is met by more than one part, so the time is linear in the length of the name for every pattern.
   */
  matches(name: string): boolean {
    const characters = roomForCharacters(name.length);
    return this.matchesCharacters(characters, readCodePoints(name, characters));
  }

  /**
   * The same for a name given as code points.
   *
   * @param length how many there are
   */
  matchesCharacters(characters: Uint32Array, length: number): boolean {
    this.compiled ??= partsOf(this.tokens);
    const { first, others, last } = this.compiled;
    if (last === undefined) return length === first.length && first.isAt(characters, 0, length);
    let at = first.isAt(characters, 0, length) ? first.length : -1;
    const stop = length - last.length;
    for (const part of others) if (at >= 0) at = part.endFrom(characters, at, stop);
    return at >= 0 && at <= stop && last.isAt(characters, stop, length);
  }
}

/** The parts of a pattern between its `*`. */
interface Parts {
  readonly first: PartMatcher;
  readonly others: readonly PartMatcher[];
  /** Undefined without a `*`. */
  readonly last: PartMatcher | undefined;
}

function partsOf(tokens: readonly WildcardToken[]): Parts {
  const parts: (number | undefined)[][] = [[]];
  for (const token of tokens) {
    if (token === MANY) parts.push([]);
    else parts.at(-1)?.push(token === ONE ? undefined : token.codePointAt(0));
  }
  const [first = new PartMatcher([]), ...others] = parts.map((part) => new PartMatcher(part));
  const last = others.pop();
  return { first, others, last };
}

/** Serves one name after another: making room for each takes longer than reading it. */
const SHORT = new Uint32Array(256);

/** @param length the most characters that a name has, as it holds until the next one is asked for */
export function roomForCharacters(length: number): Uint32Array {
  return length <= SHORT.length ? SHORT : new Uint32Array(length);
}

/** @returns how many code points there are */
export function readCodePoints(name: string, into: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < name.length; count++) {
    const unit = name.charCodeAt(at);
    const code = (unit & 0xfc00) === 0xd800 ? (name.codePointAt(at) ?? unit) : unit;
    into[count] = code;
    at += code > 0xffff ? 2 : 1;
  }
  return count;
}

import { charactersOf } from './characters.ts';

/** Which characters of a value stay visible. */
export const WINDOWS = ['first', 'middle', 'last', 'edges'] as const;
type Window = (typeof WINDOWS)[number];

/** A mask that leaves a window of a value visible (docs/masks.md). */
export interface PartialMask {
  readonly window: Window;
  /** How many characters or digits stay visible; with `edges`, on each side. */
  readonly visible: number;
  /** What the others become; without it `*` in a text and `9` in a number. */
  readonly character: string | undefined;
}

const DEFAULT_VISIBLE = 4;
/** More than any value has: small enough for an integer of 32 bits. */
const MAX_VISIBLE = 2 ** 30;
/** Longer than any that people write: the cost of reading one is bounded. */
const MAX_LENGTH = 200;
/** One character, or several in which no two of ASCII are neighbours: a person may count those as one. */
const CHARACTER = String.raw`[!-~]|[!-~]?[^\s!-~]+(?:[!-~][^\s!-~]+)*[!-~]?`;
/** The form of a partial mask, for any letter case; the groups are the window, the number without and with brackets, and the character. */
export const PARTIAL_MASK = String.raw`(first|middle|last|edges)(?:(\d+)|\s*\(\s*(?:(\d+)\s*)?(?:,\s*(${CHARACTER})\s*)?\))?`;
/** Longer texts, which begin with a partial mask. */
export const TOO_LONG = `(?:${WINDOWS.map((window) => `${window}.{${MAX_LENGTH - window.length}}`).join('|')}).*\\S`;
const FORM = new RegExp(`^${PARTIAL_MASK}$`, 'iu');

/**
 * Reads `last`, `last4`, `last(4)`, `last(4, *)`, `last(, *)` and `last()`, and so for the other windows.
 *
 * @returns undefined if the text is no partial mask
 */
export function parsePartialMask(text: string): PartialMask | undefined {
  const match = text.length <= MAX_LENGTH ? FORM.exec(text) : undefined;
  const name = match?.[1]?.toLowerCase();
  const window = WINDOWS.find((known) => known === name);
  if (!match || !window) return undefined;
  const character = match[4];
  if (character !== undefined && charactersOf(character).length !== 1) return undefined;
  const visible = Number(match[2] || match[3] || DEFAULT_VISIBLE);
  return { window, visible: Math.min(visible, MAX_VISIBLE), character };
}

/** How many halves of what a mask hides come before what it shows. */
const HALVES_BEFORE: Readonly<Record<Window, number>> = { first: 0, middle: 1, last: 2, edges: 0 };

/** The range of a value that a mask shows or hides: within the value, whatever the mask says. */
export class MaskRange {
  /** Whether the mask shows the range and hides the rest; otherwise it hides the range. */
  readonly isShown: boolean;
  private readonly visible: number;
  private readonly halvesBefore: number;

  constructor({ window, visible }: PartialMask) {
    this.isShown = window !== 'edges';
    this.visible = visible;
    this.halvesBefore = HALVES_BEFORE[window];
  }

  /** Where it begins in a value of so many characters. */
  startIn(length: number): number {
    const shown = Math.min(this.visible, length);
    return this.isShown ? ((length - shown) * this.halvesBefore) >> 1 : shown;
  }

  /**
   * The character after it.
   *
   * @param start where it begins
   */
  endIn(length: number, start: number): number {
    return this.isShown ? start + Math.min(this.visible, length) : Math.max(start, length - start);
  }
}

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
/** Longer than any that people write: the cost of reading one is bounded. */
const MAX_LENGTH = 200;
/** The form of a partial mask, for any letter case; the groups are the window, the number without and with brackets, and the character. */
export const PARTIAL_MASK = String.raw`(first|middle|last|edges)\s*(?:(\d+)|\(\s*(?:(\d+)\s*)?(?:,\s*(\S+)\s*)?\))?`;
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
  return { window, visible: Math.min(visible, Number.MAX_SAFE_INTEGER), character };
}

/** Whether a mask shows what lies from {@link rangeStart} up to {@link rangeEnd}, and hides the rest; otherwise it hides that. */
export function showsRange({ window }: PartialMask): boolean {
  return window !== 'edges';
}

/** Where the range begins that a mask shows or hides: within the value, whatever the mask says. */
export function rangeStart({ window, visible }: PartialMask, length: number): number {
  const shown = Math.min(visible, length);
  switch (window) {
    case 'first':
      return 0;
    case 'middle':
      return Math.floor((length - shown) / 2);
    case 'last':
      return length - shown;
    case 'edges':
      return shown;
  }
}

/**
 * The character after that range.
 *
 * @param start where the range begins
 */
export function rangeEnd({ window, visible }: PartialMask, length: number, start: number): number {
  return window === 'edges' ? Math.max(start, length - start) : start + Math.min(visible, length);
}

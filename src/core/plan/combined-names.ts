import type { MaskSettings } from '../actions/action.ts';
import type { PropertyRule } from '../rule.ts';
import type { NamesBelow } from './alternatives.ts';
import { compiledAction } from './compiled-actions.ts';

/** The most absent properties that one condition may be tried at, by prefixes and names. */
const MAX_OF_ONE = 4096;
/**
 * The most absent properties that the conditions of a decision may be tried at, and may create, by combining names with prefixes, beyond
 * the number of these. Each takes time and memory, and a few kilobytes could ask for any number.
 */
const MAX_TRIED = 65_536;
const MAX_CREATED = 8192;

/** Conditions combine too many names and prefixes. */
export class TooManyNamesError extends Error {
  override readonly name = 'TooManyNamesError';
}

/** Counts the absent properties that rules are tried at because their conditions combine names with prefixes. */
export class CombinedNames {
  private readonly masks: MaskSettings;
  private tried = 0;
  private created = 0;

  constructor(masks: MaskSettings) {
    this.masks = masks;
  }

  /** Whether there are no more than names and prefixes. */
  get isEmpty(): boolean {
    return this.tried === 0;
  }

  /** @throws TooManyNamesError */
  count({ action }: PropertyRule, { names, prefixes }: NamesBelow): void {
    const combined = names.length * prefixes.length;
    const added = Math.max(0, combined - names.length - prefixes.length);
    this.tried += added;
    if (compiledAction(action, this.masks).created !== undefined) this.created += added;
    if (names.length + combined > MAX_OF_ONE || this.tried > MAX_TRIED || this.created > MAX_CREATED)
      throw new TooManyNamesError();
  }
}

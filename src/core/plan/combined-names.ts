import type { MaskSettings } from '../actions/action.ts';
import type { PropertyRule } from '../rule.ts';
import { compiledAction } from './compiled-actions.ts';

/** How many absent properties one condition may be tried at, by prefixes and names. */
const MAX_OF_ONE = 4096;
/**
 * How many properties the conditions of a decision may be tried at, and how many they may create, by combining names and prefixes,
 * besides as many as there are of these. Each takes time and memory, and a few kilobytes could ask for any number.
 */
const MAX_TRIED = 65_536;
const MAX_CREATED = 8192;

/** Conditions combine more names and prefixes than are allowed. */
export class TooManyNamesError extends Error {
  override readonly name = 'TooManyNamesError';
}

/** Counts the absent properties that the rules of a plan are tried at because of names and prefixes in their conditions. */
export class CombinedNames {
  private readonly masks: MaskSettings;
  private tried = 0;
  private created = 0;

  constructor(masks: MaskSettings) {
    this.masks = masks;
  }

  /** @throws TooManyNamesError */
  count({ action }: PropertyRule, names: number, prefixes: number): void {
    const added = Math.max(0, names * prefixes - names - prefixes);
    this.tried += added;
    if (compiledAction(action, this.masks).created !== undefined) this.created += added;
    if (names * (prefixes + 1) > MAX_OF_ONE || this.tried > MAX_TRIED || this.created > MAX_CREATED)
      throw new TooManyNamesError();
  }
}

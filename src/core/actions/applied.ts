import { Piece } from '../json/piece.ts';
import { isEmpty, isString, Kind, kindOf, startOf, type Located, type Node } from '../json/located.ts';

/** What becomes of a property: masked, a null or empty value set, an absent one created, or removed. */
export type Effect = 'masked' | 'set' | 'created' | 'removed';

/** What an action makes of a value: the JSON to stand in its place, nothing at all, or the same. */
export type Applied =
  | {
      readonly effect: 'masked' | 'set';
      /** Holds until the action is applied again. */
      readonly text: Piece;
    }
  | { readonly effect: 'removed' }
  | { readonly effect: 'unchanged' };

/** An action, ready to be applied to any number of values (enforcement §7). */
export interface Applier {
  /**
   * Applies it to a value that is present.
   *
   * @param end the byte behind the value
   */
  apply(doc: Located, node: Node, end: number): Applied;
  /** The JSON that it sets where there is no property; undefined where it creates none. */
  readonly created: string | undefined;
}

export const UNCHANGED: Applied = { effect: 'unchanged' };
export const REMOVED: Applied = { effect: 'removed' };
/** What every value that is no string becomes under a mask. */
export const MASKED_TO_NULL = applied('masked', 'null');

/**
 * @param json what stands in the value's place
 */
export function applied(effect: 'masked' | 'set', json: string): Applied {
  return { effect, text: Piece.of(json) };
}

/** Whether there is nothing to mask but a place to fill: null, `""`, `[]` or `{}`. */
export function isNothing(doc: Located, node: Node): boolean {
  const kind = kindOf(doc, node);
  if (isString(kind)) return doc.bytes[startOf(doc, node) + 1] === QUOTE;
  return kind === Kind.null || (kind >= Kind.object && isEmpty(doc, node));
}

const QUOTE = 0x22;

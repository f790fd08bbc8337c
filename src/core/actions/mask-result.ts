import { Piece } from '../json/piece.ts';
import { isEmpty, isString, Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';

/** What becomes of a property: masked, a null or empty value set, an absent one created, or removed. */
export type Effect = 'masked' | 'set' | 'created' | 'removed';

interface Replaced {
  readonly effect: 'masked' | 'set';
  /** Holds until an action is applied again. */
  readonly text: Piece;
}

/**
 * What an action makes of a value: the JSON that replaces it, nothing at all, or the same. A value that is what its mask makes
 * of it is replaced all the same: whoever counts changes must not learn that it is.
 */
export type MaskResult = Replaced | { readonly effect: 'removed' } | { readonly effect: 'unchanged' };

/** What replaces every scalar that is not null, if its kind is all that decides that. */
export interface FixedMask {
  /** In the place of a string. */
  readonly texts: Piece;
  /** In the place of a number or boolean. */
  readonly others: Piece;
  /** Whether an empty string is set, and not masked. */
  readonly setsEmpty?: true;
}

/** An action, ready to be applied to any number of values (docs/enforcement.md). */
export interface CompiledAction {
  /**
   * Applies it to a value that is present.
   *
   * @param end the byte after the value
   */
  apply(doc: JsonDocument, node: Node, end: number): MaskResult;
  /** The JSON that it sets if the property is absent; undefined if it creates nothing. */
  readonly created: string | undefined;
  /** What {@link apply} makes of scalars, if it is always the same, with the effect `masked` unless that says otherwise. */
  readonly fixed?: FixedMask;
  /** Whether {@link apply} removes values. */
  readonly removes?: true;
}

export const UNCHANGED: MaskResult = { effect: 'unchanged' };
export const REMOVED: MaskResult = { effect: 'removed' };
/** What every value that is no string becomes under a mask. */
export const MASKED_TO_NULL = maskResult('masked', 'null');
export const NULL_PIECE = MASKED_TO_NULL.text;

/**
 * @param json what replaces the value
 */
export function maskResult(effect: 'masked' | 'set', json: string): Replaced {
  return { effect, text: Piece.of(json) };
}

/** Room for a short text: pieces of their own cost more than what is written. */
const SHORT = new Piece(256);
const SHORT_RESULT = { effect: 'masked', text: SHORT } as const;
/** The most bytes that a UTF-16 unit takes in UTF-8. */
const BYTES_PER_UNIT = 3;

/** The result for one value: it holds until an action is applied again. */
export function passingResult(json: string): MaskResult {
  if (json.length * BYTES_PER_UNIT > SHORT.bytes.length) return maskResult('masked', json);
  SHORT.length = SHORT.bytes.write(json);
  return SHORT_RESULT;
}

/** Whether a value has nothing to mask and can be filled: null, `""`, `[]` or `{}`. */
export function isNothing(doc: JsonDocument, node: Node): boolean {
  const kind = kindOf(doc, node);
  if (isString(kind)) return doc.bytes[startOf(doc, node) + 1] === QUOTE;
  return kind === Kind.null || (kind >= Kind.object && isEmpty(doc, node));
}

const QUOTE = 0x22;

import type { CompiledAction } from './mask-result.ts';
import type { MaskKeys } from './mask-keys.ts';

/** What masks depend on besides the action's own text. */
export interface MaskSettings {
  /** What strings become under the default mask. */
  readonly maskString: string;
  /** Whether a value that a partial mask would show in full gets the default mask instead (masks.md). */
  readonly maskShort: boolean;
}

/** What is done to a property (docs/masks.md). */
export interface Action {
  readonly kind: 'change';
  /** Makes the action ready to be applied to any number of values. */
  compile(settings: MaskSettings): CompiledAction;
}

/** Why a text that names an action is none: in words that fit after "an action that", without quoting the text. */
export interface ActionProblem {
  readonly problem: string;
}

/** The row of an action in `docs/masks.md`. */
export interface ActionRow {
  /** How it is written. */
  readonly forms: readonly string[];
  /** One use of it: the action, a JSON value, and the JSON that comes out; undefined if the property is removed. */
  readonly example: { readonly action: string; readonly before: string; readonly after: string | undefined };
  /** Which purpose it suits. */
  readonly suits: string;
  /** What a reader still learns of the value. */
  readonly reveals: string;
}

/** One action of the registry. */
export interface ActionKind {
  /** The words that it begins with, in lower case. */
  readonly names: readonly string[];
  readonly row: ActionRow;
  /**
   * The form of every text that `read` takes, and of few others: a regular expression without anchors, for any letter
   * case, in the syntax that JavaScript and Go share. The chart refuses texts by it before anything reads them.
   */
  readonly pattern: string;
  /** The same for texts of this form that `read` refuses all the same, because they are too long or too large; without a limit, none. */
  readonly beyond?: string;
  /**
   * Reads a text, without spaces around it, that begins with one of the names and no further letter.
   *
   * @returns undefined if the text is no such action
   */
  read(text: string, keys: MaskKeys): Action | ActionProblem | undefined;
}

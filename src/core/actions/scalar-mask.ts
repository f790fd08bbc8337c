import { isString, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import { rawAt, stringAt } from '../json/text.ts';
import {
  maskResult,
  passingResult,
  MASKED_TO_NULL,
  UNCHANGED,
  type MaskResult,
  type CompiledAction,
} from './mask-result.ts';
import type { MaskSettings } from './action.ts';

/** A mask of single values. */
export interface ScalarMask {
  /** What a text becomes; undefined if it gets the default mask. */
  readonly text?: (text: string) => string | undefined;
  /** What a number becomes, as JSON; undefined if it gets the default mask. */
  readonly number?: (number: string) => string | undefined;
}

/**
 * Makes a mask of texts and numbers ready to be applied. What it does not know gets the default mask: strings the mask
 * string, everything else null.
 */
export function scalarMask(mask: ScalarMask) {
  return ({ maskString }: MaskSettings): CompiledAction => new CompiledScalarMask(mask, maskString);
}

class CompiledScalarMask implements CompiledAction {
  readonly created = undefined;
  private readonly mask: ScalarMask;
  private readonly maskedText: MaskResult;

  constructor(mask: ScalarMask, maskString: string) {
    this.mask = mask;
    this.maskedText = maskResult('masked', JSON.stringify(maskString));
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    const kind = kindOf(doc, node);
    if (isString(kind)) return this.ofText(stringAt(doc, node));
    if (kind === Kind.number) return this.ofNumber(rawAt(doc, node));
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }

  private ofText(text: string): MaskResult {
    const masked = this.mask.text?.(text);
    return masked === undefined ? this.maskedText : passingResult(JSON.stringify(masked));
  }

  private ofNumber(number: string): MaskResult {
    const masked = this.mask.number?.(number);
    return masked === undefined ? MASKED_TO_NULL : passingResult(masked);
  }
}

import { isString, Kind, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Action, ActionKind } from './action.ts';
import {
  maskResult,
  MASKED_TO_NULL,
  NULL_PIECE,
  UNCHANGED,
  type MaskResult,
  type CompiledAction,
  type FixedMask,
} from './mask-result.ts';

/** `MASK`: strings become the mask string, everything else null. */
export const MASK: Action = {
  kind: 'change',
  compile: ({ maskString }) => new DefaultMask(maskString),
};

export const mask: ActionKind = {
  names: ['mask'],
  row: {
    forms: ['MASK'],
    example: { action: 'MASK', before: '"Ann Lee"', after: '"***"' },
    suits: 'Everything, unless another mask suits better.',
    reveals: 'That there is a value, and whether it is a text.',
  },
  pattern: 'mask',
  read: (text) => (text.length === 'mask'.length ? MASK : undefined),
};

export class DefaultMask implements CompiledAction {
  readonly created = undefined;
  readonly fixed: FixedMask;
  private readonly masked: MaskResult;

  /** @param maskString what strings become */
  constructor(maskString: string) {
    const masked = maskResult('masked', JSON.stringify(maskString));
    this.masked = masked;
    this.fixed = { texts: masked.text, others: NULL_PIECE };
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    const kind = kindOf(doc, node);
    if (isString(kind)) return this.masked;
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }
}

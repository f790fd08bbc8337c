import { isString, Kind, kindOf, type Located, type Node } from '../json/located.ts';
import type { Action, ActionKind } from './action.ts';
import { applied, MASKED_TO_NULL, UNCHANGED, type Applied, type Applier } from './applied.ts';

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
  read: (text) => (text.length === 'mask'.length ? MASK : undefined),
};

export class DefaultMask implements Applier {
  readonly created = undefined;
  private readonly masked: Applied;

  /** @param maskString what strings become */
  constructor(maskString: string) {
    this.masked = applied('masked', JSON.stringify(maskString));
  }

  apply(doc: Located, node: Node): Applied {
    const kind = kindOf(doc, node);
    if (isString(kind)) return this.masked;
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }
}

import type { Action } from './action.ts';
import type { Applier } from './applied.ts';
import { DefaultMask } from './default-mask.ts';
import { Literal } from './literal.ts';
import { PartialApplier } from './partial-applier.ts';
import { SetValue } from './set-value.ts';

/**
 * Makes an action ready to be applied.
 *
 * @param maskString what strings become under the default mask
 */
export function applierOf(action: Action, maskString: string): Applier {
  switch (action.kind) {
    case 'mask':
      return new DefaultMask(maskString);
    case 'partial':
      return new PartialApplier(action.mask);
    case 'literal':
      return new Literal(action.text);
    case 'value':
      return new SetValue(action.json);
  }
}

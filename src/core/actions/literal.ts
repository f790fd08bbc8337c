import { isString, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Action } from './action.ts';
import {
  maskResult,
  isNothing,
  MASKED_TO_NULL,
  NULL_PIECE,
  type MaskResult,
  type CompiledAction,
  type FixedMask,
} from './mask-result.ts';

/** The action of a text that is no other action: the property's own mask, or the value to set if the property has none. */
export function literal(text: string): Action {
  return { kind: 'change', compile: () => new Literal(text) };
}

/** A literal is the property's own mask if there is something to mask, else the value that is set: always a string. */
class Literal implements CompiledAction {
  readonly created: string;
  // Made when a value is met: decisions have many literals, and payloads few of their properties.
  private made:
    { readonly masked: MaskResult; readonly set: MaskResult; readonly fixed: FixedMask } | undefined;

  constructor(text: string) {
    this.created = JSON.stringify(text);
  }

  get fixed(): FixedMask {
    return this.results.fixed;
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    const { set, masked } = this.results;
    if (isNothing(doc, node)) return set;
    return isString(kindOf(doc, node)) ? masked : MASKED_TO_NULL;
  }

  private get results(): NonNullable<Literal['made']> {
    return (this.made ??= this.makeResults());
  }

  private makeResults(): NonNullable<Literal['made']> {
    const masked = maskResult('masked', this.created);
    const set = { effect: 'set', text: masked.text } as const;
    return { masked, set, fixed: { texts: masked.text, others: NULL_PIECE, setsEmpty: true } };
  }
}

import { isString, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Action } from './action.ts';
import {
  maskResult,
  isNothing,
  MASKED_TO_NULL,
  NULL_PIECE,
  type MaskResult,
  type CompiledAction,
} from './mask-result.ts';

/** The action of a text that is no other action: the property's own mask, or the value to set if the property has none. */
export function literal(text: string): Action {
  return { kind: 'change', compile: () => new Literal(text) };
}

/** A literal is the property's own mask if there is something to mask, else the value that is set: always a string. */
class Literal implements CompiledAction {
  readonly created: string;
  readonly others = NULL_PIECE;
  /** Made when a value is met: decisions have many literals, and payloads few of their properties. */
  private results: { readonly masked: MaskResult; readonly set: MaskResult } | undefined;

  constructor(text: string) {
    this.created = JSON.stringify(text);
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    const { created } = this;
    this.results ??= { masked: maskResult('masked', created), set: maskResult('set', created) };
    if (isNothing(doc, node)) return this.results.set;
    return isString(kindOf(doc, node)) ? this.results.masked : MASKED_TO_NULL;
  }
}

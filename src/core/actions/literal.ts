import { isString, kindOf, type JsonDocument, type Node } from '../json/document.ts';
import type { Action } from './action.ts';
import {
  maskResult,
  isNothing,
  MASKED_TO_NULL,
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
  private readonly masked: MaskResult;
  private readonly set: MaskResult;

  constructor(text: string) {
    this.created = JSON.stringify(text);
    this.masked = maskResult('masked', this.created);
    this.set = maskResult('set', this.created);
  }

  apply(doc: JsonDocument, node: Node): MaskResult {
    if (isNothing(doc, node)) return this.set;
    return isString(kindOf(doc, node)) ? this.masked : MASKED_TO_NULL;
  }
}

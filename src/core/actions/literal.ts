import { isString, kindOf, type Located, type Node } from '../json/located.ts';
import type { Action } from './action.ts';
import { applied, isNothing, MASKED_TO_NULL, type Applied, type Applier } from './applied.ts';

/** The action of a text that is no other action: the property's own mask, or the value to set if there is none. */
export function literal(text: string): Action {
  return { kind: 'change', compile: () => new Literal(text) };
}

/** A literal is the property's own mask if there is something to mask, else the value that is set: always a string. */
class Literal implements Applier {
  readonly created: string;
  private readonly masked: Applied;
  private readonly set: Applied;

  constructor(text: string) {
    this.created = JSON.stringify(text);
    this.masked = applied('masked', this.created);
    this.set = applied('set', this.created);
  }

  apply(doc: Located, node: Node): Applied {
    if (isNothing(doc, node)) return this.set;
    return isString(kindOf(doc, node)) ? this.masked : MASKED_TO_NULL;
  }
}

import type { Located, Node } from '../json/located.ts';
import { applied, isNothing, type Applied, type Applier } from './applied.ts';

/** A JSON value in the place of whatever is there, and where nothing is. */
export class SetValue implements Applier {
  readonly created: string;
  private readonly masked: Applied;
  private readonly set: Applied;

  /** @param json the value's text */
  constructor(json: string) {
    this.created = json;
    this.masked = applied('masked', json);
    this.set = applied('set', json);
  }

  apply(doc: Located, node: Node): Applied {
    return isNothing(doc, node) ? this.set : this.masked;
  }
}

import { isString, Kind, kindOf, type Located, type Node } from '../json/located.ts';
import { applied, MASKED_TO_NULL, UNCHANGED, type Applied, type Applier } from './applied.ts';

/** `MASK`: strings become the mask string, everything else null. */
export class DefaultMask implements Applier {
  readonly created = undefined;
  private readonly masked: Applied;

  constructor(maskString: string) {
    this.masked = applied('masked', JSON.stringify(maskString));
  }

  apply(doc: Located, node: Node): Applied {
    const kind = kindOf(doc, node);
    if (isString(kind)) return this.masked;
    return kind === Kind.null ? UNCHANGED : MASKED_TO_NULL;
  }
}

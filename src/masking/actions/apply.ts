import { isEmpty, isString, Kind, kindOf, type Located, type Node } from '../../json/located.ts';
import { rawAt, stringAt, stringToken } from '../../json/text.ts';
import type { Action } from './action.ts';
import { maskNumber, maskText, type PartialMask } from './partial.ts';

const NULL = Buffer.from('null');

/** What an action makes of a value: the JSON to stand in its place, or the same. */
export type Applied =
  | { readonly effect: 'masked' | 'set'; readonly text: Buffer }
  | { readonly effect: 'unchanged'; readonly text?: undefined };

const UNCHANGED: Applied = { effect: 'unchanged' };
const MASKED_TO_NULL: Applied = { effect: 'masked', text: NULL };

/** Actions with the texts that they put in place (enforcement §7). */
export class ActionTexts {
  private readonly maskToken: Buffer;

  /**
   * @param maskString what strings become under the default mask
   */
  constructor(maskString: string) {
    this.maskToken = stringToken(maskString);
  }

  /** Applies an action to a value that is present. */
  apply(action: Action, doc: Located, node: Node): Applied {
    const kind = kindOf(doc, node);
    if (action.kind === 'literal') return literal(action.text, doc, node, kind);
    if (kind === Kind.null) return UNCHANGED;
    if (action.kind === 'partial') return partial(action.mask, doc, node, kind);
    return isString(kind) ? { text: this.maskToken, effect: 'masked' } : MASKED_TO_NULL;
  }
}

function literal(text: string, doc: Located, node: Node, kind: Kind): Applied {
  if (isNothing(doc, node, kind)) return { text: stringToken(text), effect: 'set' };
  return isString(kind) ? { text: stringToken(text), effect: 'masked' } : MASKED_TO_NULL;
}

/** Null, `""`, `[]` or `{}`. */
function isNothing(doc: Located, node: Node, kind: Kind): boolean {
  if (isString(kind)) return rawAt(doc, node) === '""';
  if (kind === Kind.object || kind === Kind.array) return isEmpty(doc, node);
  return kind === Kind.null;
}

function partial(mask: PartialMask, doc: Located, node: Node, kind: Kind): Applied {
  if (isString(kind)) {
    const text = stringAt(doc, node);
    return changed(text, maskText(text, mask), stringToken);
  }
  if (kind !== Kind.number) return MASKED_TO_NULL;
  const text = rawAt(doc, node);
  return changed(text, maskNumber(text, mask), (masked) => Buffer.from(masked));
}

function changed(before: string, after: string, token: (text: string) => Buffer): Applied {
  return before === after ? UNCHANGED : { text: token(after), effect: 'masked' };
}

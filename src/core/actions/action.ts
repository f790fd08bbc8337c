import type { PartialMask } from './partial.ts';

/** What is done to a property (specification 2.5, enforcement §7). */
export type Action =
  /** The default mask. */
  | { readonly kind: 'mask' }
  /** A mask that leaves a window visible. */
  | { readonly kind: 'partial'; readonly mask: PartialMask }
  /** The property's own mask, or the value to set where there is none. */
  | { readonly kind: 'literal'; readonly text: string }
  /** A JSON value, whatever the property is. */
  | { readonly kind: 'value'; readonly json: string };

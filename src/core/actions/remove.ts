import { plain } from './bracketed.ts';
import { REMOVED, type CompiledAction } from './mask-result.ts';

const REMOVAL: CompiledAction = { created: undefined, removes: true, apply: () => REMOVED };

/** `remove()`: the property goes, or the element of a list. */
export const remove = plain(
  'remove',
  {
    forms: ['remove()'],
    example: { action: 'remove()', before: '"Ann Lee"', after: undefined },
    suits: 'What the reader has no business with at all; clients that treat a missing property as unknown.',
    reveals: 'Nothing of the value. A list that loses elements shows how many are left.',
  },
  () => REMOVAL,
);

import { plain } from './bracketed.ts';
import { Kind, kindOf } from '../json/document.ts';
import { MASKED_TO_NULL, NULL_PIECE, UNCHANGED, type CompiledAction } from './mask-result.ts';

const NULLING: CompiledAction = {
  created: undefined,
  fixed: { texts: NULL_PIECE, others: NULL_PIECE },
  apply: (doc, node) => (kindOf(doc, node) === Kind.null ? UNCHANGED : MASKED_TO_NULL),
};

/** `null()`: every value becomes null. */
export const nulling = plain(
  'null',
  {
    forms: ['null()'],
    example: { action: 'null()', before: '"Ann Lee"', after: 'null' },
    suits: 'Clients that expect the property and accept null, such as databases and reports.',
    reveals: 'That there may be a value.',
  },
  () => NULLING,
);

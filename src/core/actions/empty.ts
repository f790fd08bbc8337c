import { Kind, kindOf } from '../json/document.ts';
import { maskResult, UNCHANGED, type MaskResult, type CompiledAction } from './mask-result.ts';
import { plain } from './bracketed.ts';

const EMPTY_TEXT = maskResult('masked', '""');
const ZERO = maskResult('masked', '0');
const FALSE = maskResult('masked', 'false');
const EMPTY_OBJECT = maskResult('masked', '{}');
const EMPTY_ARRAY = maskResult('masked', '[]');

const EMPTYING: CompiledAction = {
  created: undefined,
  apply: (doc, node) => emptyOf(kindOf(doc, node)),
};

/** `empty()`: the empty value of the same type. */
export const empty = plain(
  'empty',
  {
    forms: ['empty()'],
    example: { action: 'empty()', before: '"Ann Lee"', after: '""' },
    suits: 'Clients that check a schema and refuse null.',
    reveals: 'The type. A reader may take the empty value for a real one: 0 looks like an amount.',
  },
  () => EMPTYING,
);

function emptyOf(kind: Kind): MaskResult {
  switch (kind) {
    case Kind.plainString:
    case Kind.escapedString:
      return EMPTY_TEXT;
    case Kind.number:
      return ZERO;
    case Kind.true:
    case Kind.false:
      return FALSE;
    case Kind.object:
      return EMPTY_OBJECT;
    case Kind.array:
      return EMPTY_ARRAY;
    case Kind.null:
      return UNCHANGED;
  }
}

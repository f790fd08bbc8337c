import { Kind, kindOf, startOf, type JsonDocument, type Node } from '../json/document.ts';
import { maskResult, isNothing, UNCHANGED, type MaskResult, type CompiledAction } from './mask-result.ts';
import { plain } from './bracketed.ts';

const EMPTY_TEXT = maskResult('masked', '""');
const ZERO = maskResult('masked', '0');
const FALSE = maskResult('masked', 'false');
const EMPTY_OBJECT = maskResult('masked', '{}');
const EMPTY_ARRAY = maskResult('masked', '[]');
const DIGIT_ZERO = 0x30;

const EMPTYING: CompiledAction = {
  created: undefined,
  apply: (doc, node, end) => (isEmptyAlready(doc, node, end) ? UNCHANGED : emptyOf(kindOf(doc, node))),
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

function isEmptyAlready(doc: JsonDocument, node: Node, end: number): boolean {
  const kind = kindOf(doc, node);
  if (kind === Kind.number) return end === startOf(doc, node) + 1 && doc.bytes[end - 1] === DIGIT_ZERO;
  return kind === Kind.false || isNothing(doc, node);
}

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

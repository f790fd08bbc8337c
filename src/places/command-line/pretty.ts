import {
  after,
  firstIn,
  isEmpty,
  Kind,
  kindOf,
  rawAt,
  valueOf,
  type JsonPart,
  type JsonDocument,
  type Node,
} from '../../core/index.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';

/** Writes one line. */
type WriteLine = (line: string) => void;

/**
 * Writes JSON with one member or element a line, indented by two spaces. Numbers and strings stay as they are spelled, but for what could
 * drive a terminal: that is escaped.
 */
export function writePretty({ doc, node }: JsonPart, writeLine: WriteLine): void {
  writeValue(doc, node, { indent: '', label: '', comma: '' }, writeLine);
}

/** The text before and after a value on its lines. */
interface Surroundings {
  readonly indent: string;
  /** The name of a member, with its colon. */
  readonly label: string;
  readonly comma: string;
}

function writeValue(doc: JsonDocument, node: Node, around: Surroundings, writeLine: WriteLine): void {
  const { indent, label, comma } = around;
  const kind = kindOf(doc, node);
  const isObject = kind === Kind.object;
  if (!isObject && kind !== Kind.array) return writeLine(`${indent}${label}${shownAt(doc, node)}${comma}`);
  const [open, close] = isObject ? ['{', '}'] : ['[', ']'];
  if (isEmpty(doc, node)) return writeLine(`${indent}${label}${open}${close}${comma}`);
  writeLine(`${indent}${label}${open}`);
  const stop = after(doc, node);
  for (let first = firstIn(node); first < stop;) {
    const value = isObject ? valueOf(first) : first;
    const next = after(doc, value);
    const inner = {
      indent: `${indent}  `,
      label: isObject ? `${shownAt(doc, first)}: ` : '',
      comma: next < stop ? ',' : '',
    };
    writeValue(doc, value, inner, writeLine);
    first = next;
  }
  writeLine(`${indent}${close}${comma}`);
}

function shownAt(doc: JsonDocument, node: Node): string {
  return escapeUnprintable(rawAt(doc, node));
}

import type { JsonValue } from '../../src/core/json/value.ts';
import { isObject, scalarText } from './json.ts';

/** A line of indented JSON, and a key by which the same line is found in another version of the payload. */
export interface OutlineLine {
  readonly key: string;
  readonly text: string;
}

/** The members by which the records of the sample payloads are told apart. */
const IDENTIFIERS = ['id', 'customerId'];

/** Writes a value as indented JSON, one member or element a line. */
export function outline(value: JsonValue): readonly OutlineLine[] {
  return linesOf(value, '$', '', '');
}

function linesOf(value: JsonValue, key: string, indent: string, label: string): OutlineLine[] {
  const children = childrenOf(value);
  if (children === undefined) return [{ key, text: `${indent}${label}${scalarText(value)}` }];
  const [open = '', close = ''] = Array.isArray(value) ? '[]' : '{}';
  if (children.length === 0) return [{ key, text: `${indent}${label}${open}${close}` }];
  return [
    { key, text: `${indent}${label}${open}` },
    ...children.flatMap((child, i) =>
      withComma(
        linesOf(child.value, `${key}.${child.key}`, `${indent}  `, child.label),
        i < children.length - 1,
      ),
    ),
    { key: `${key} end`, text: `${indent}${close}` },
  ];
}

interface Child {
  readonly key: string;
  readonly label: string;
  readonly value: JsonValue;
}

function childrenOf(value: JsonValue): readonly Child[] | undefined {
  if (Array.isArray(value))
    return value.map((element, i) => ({ key: elementKey(element, i), label: '', value: element }));
  if (!isObject(value)) return undefined;
  return Object.entries(value).map(([name, member]) => ({
    key: name,
    label: `${JSON.stringify(name)}: `,
    value: member,
  }));
}

/** Elements are found by their identifier, since others before them may be gone. */
function elementKey(element: JsonValue, index: number): string {
  const identifier = isObject(element) ? IDENTIFIERS.find((name) => Object.hasOwn(element, name)) : undefined;
  return isObject(element) && identifier !== undefined
    ? scalarText(element[identifier] ?? null)
    : String(index);
}

function withComma(lines: OutlineLine[], hasNext: boolean): OutlineLine[] {
  const last = lines.at(-1);
  if (!hasNext || last === undefined) return lines;
  return [...lines.slice(0, -1), { ...last, text: `${last.text},` }];
}

import { isMap, isScalar, isSeq, Scalar } from 'yaml';

/** Numbers as JSON has them. `007`, `.5` and `0x1F` are text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?$/u;

/**
 * A value of a YAML file as JSON text. Numbers keep their digits; what is in quotes is text, like everything that is not a
 * number, `true`, `false` or null.
 *
 * @param node a value without aliases and tags
 */
export function jsonOf(node: unknown): string {
  if (isMap(node))
    return `{${node.items.map(({ key, value }) => `${JSON.stringify(textOf(key))}:${jsonOf(value)}`).join(',')}}`;
  if (isSeq(node)) return `[${node.items.map(jsonOf).join(',')}]`;
  return isScalar(node) ? scalarJson(node) : 'null';
}

function textOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function scalarJson({ type, value }: Scalar): string {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  // Of the types of YAML, only these and text are read.
  const text = typeof value === 'string' ? value : '';
  return type === Scalar.PLAIN && NUMBER.test(text) ? text : JSON.stringify(text);
}

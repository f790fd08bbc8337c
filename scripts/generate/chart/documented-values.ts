import { readFileSync } from 'node:fs';
import { isMap, isNode, parseDocument, type Document, type Pair } from 'yaml';
import * as z from 'zod';

/** A value of a chart, as its `values.yaml` has it. */
export interface DocumentedValue {
  readonly path: readonly string[];
  /** The default, as JSON. */
  readonly value: unknown;
  /** From the comment that begins with `# --`. */
  readonly description: string;
}

/** What is told apart in `values.yaml`: documented values, and groups of them. */
const MARK = /^ ?-- /;

const named = z.object({
  key: z.object({ value: z.string(), commentBefore: z.string().nullish() }),
  value: z.unknown(),
});

function jsonOf(node: unknown, document: Document): unknown {
  return isNode(node) ? node.toJS(document) : null;
}

/** The comment in front of a key, joined to one line. The comment of a map's first key belongs to the map in the tree. */
function commentOf(pair: z.output<typeof named>, before: string | null | undefined): string | undefined {
  const comment = pair.key.commentBefore ?? before ?? '';
  // Only the last block is the key's own.
  const block = comment.split(/\n\s*\n/).at(-1) ?? '';
  return MARK.test(block) ? block.replace(MARK, '').replaceAll(/\n ?/g, ' ').trim() : undefined;
}

function valuesIn(document: Document, node: unknown, path: readonly string[]): DocumentedValue[] {
  if (!isMap(node)) throw new Error(`${path.join('.')} in values.yaml is neither documented nor a group`);
  return node.items.flatMap((pair: Pair, index) => {
    const item = named.parse(pair);
    const description = commentOf(item, index === 0 ? node.commentBefore : undefined);
    const own = [...path, item.key.value];
    if (description === undefined) return valuesIn(document, pair.value, own);
    return [{ path: own, value: jsonOf(pair.value, document), description }];
  });
}

/**
 * Every value of a chart, in the order of its `values.yaml`.
 *
 * @param chart the chart's folder
 * @throws Error where a value has neither a comment nor values below it
 */
export function documentedValues(chart: string): readonly DocumentedValue[] {
  const document: Document = parseDocument(readFileSync(`${chart}/values.yaml`, 'utf8'));
  return valuesIn(document, document.contents, []);
}

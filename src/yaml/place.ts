import { isPair, isScalar, isSeq, type YAMLSeq } from 'yaml';
import { shownKey } from './problem.ts';

/** The path of a value in the file: keys of maps and indexes of lists, from the outside in. */
export type YamlPath = readonly PropertyKey[];

/** How deep maps and lists may nest, counted in steps of the YAML document: far more than any policy needs. */
export const MAX_STEPS = 400;

/** A place as it is written in messages: `policies[0].action`. */
export function keyOf(place: YamlPath): string {
  const steps = place.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '');
}

/** The place of a node as it may be shown, by what is around it. */
export function placeOf(node: unknown, around: readonly unknown[]): YamlPath {
  return around.flatMap((outer, depth): YamlPath => {
    const inner = around[depth + 1] ?? node;
    if (isPair(outer) && isScalar(outer.key)) return [shownKey(String(outer.key.value))];
    return isSeq(outer) ? [indexIn(outer, inner)] : [];
  });
}

/** The indexes of lists that were asked for: one may have as many problems as elements. */
const known = new WeakMap<YAMLSeq, ReadonlyMap<unknown, number>>();

function indexIn(list: YAMLSeq, item: unknown): number {
  const indexes = known.get(list) ?? new Map(list.items.map((one, index) => [one, index]));
  known.set(list, indexes);
  return indexes.get(item) ?? -1;
}

import _ from 'lodash';
import type { Leaf } from '../conditions/condition.ts';
import { pathKey, type Path } from '../paths/path.ts';
import { ValueSets, type FoundValues, type ValueUse } from './found-values.ts';
import type { Frame } from './frame.ts';
import type { Matching } from './match.ts';
import { matchingOf } from './naming.ts';
import { PathMatching } from './path-match.ts';
import { isSearch, SearchSpeller } from './search-speller.ts';
import { TextMatching } from './text-match.ts';

/** A value of a leaf: a path, or a text that its key is. */
interface Value {
  readonly key: string;
  readonly path: Path;
}

/** The values of leaves of one kind, one leaf of each rule: which of them fit is found for all at once. */
export class JointValues {
  readonly matching: Matching;
  readonly sets: ValueSets;
  /** Whether what fits a part of a path fits a longer one as well, although it is found only once. */
  readonly isLasting: boolean;
  /** The rules with each value, and the values of each rule, by their places. */
  private readonly rulesOf: readonly (readonly number[])[];
  private readonly valuesOf: readonly (readonly number[])[];

  /**
   * @param leaves those of the rules, in order
   * @param uses how each rule uses its values
   */
  constructor(leaves: readonly [Leaf, ...(readonly Leaf[])], uses: readonly ValueUse[], frame: Frame) {
    const [first] = leaves;
    const { relation } = first.comparison.operator;
    const values = new Map<string, Path>();
    const places = new Map<string, number>();
    const rulesOf: number[][] = [];
    this.valuesOf = leaves.map((leaf, rule) =>
      valuesIn(leaf).map(({ key, path }) => {
        const place = places.get(key) ?? places.size;
        if (place === rulesOf.length) rulesOf.push([]);
        places.set(key, place);
        values.set(key, path);
        rulesOf[place]?.push(rule);
        return place;
      }),
    );
    this.rulesOf = rulesOf;
    this.matching = matchingFor(first, values, frame);
    this.isLasting = hasOwnValues(first) && (relation === 'contains' || relation === 'startsWith');
    this.sets = new ValueSets(rulesOf.map((rules) => rules.flatMap((rule) => uses[rule] ?? [])));
  }

  /** The rules that have any of some values; the same one may be there several times. */
  rulesWith({ values }: FoundValues): readonly number[] {
    return values.flatMap((value) => this.rulesOf[value] ?? []);
  }

  /** How many that are. */
  countWith({ values }: FoundValues): number {
    return _.sumBy(values, (value) => this.rulesOf[value]?.length ?? 0);
  }

  /** Those among some rules that have any of some values. */
  rulesAmong(rules: readonly number[], { values }: FoundValues): readonly number[] {
    const fitting = new Set(values);
    return rules.filter((rule) => this.valuesOf[rule]?.some((value) => fitting.has(value)) === true);
  }
}

/** Whether it can be found which of the values of many leaves fit. */
export function hasOwnValues({ comparison, paths, values }: Leaf): boolean {
  const { relation } = comparison.operator;
  if (relation === 'equals') return paths.length > 0;
  return isSearch(relation) && comparison.type === 'STRING' && !values.includes('');
}

/** The values of a leaf, each once; one that has none of its own is a value itself. */
function valuesIn(leaf: Leaf): readonly Value[] {
  if (!hasOwnValues(leaf)) return [{ key: leaf.key, path: [] }];
  const { paths, values, comparison } = leaf;
  return comparison.operator.relation === 'equals'
    ? _.uniqBy(paths, pathKey).map((path) => ({ key: pathKey(path), path }))
    : _.uniq(values).map((key) => ({ key, path: [] }));
}

function matchingFor(leaf: Leaf, values: ReadonlyMap<string, Path>, frame: Frame): Matching {
  const { relation } = leaf.comparison.operator;
  if (!hasOwnValues(leaf)) return matchingOf(leaf, frame);
  return isSearch(relation)
    ? new TextMatching(new SearchSpeller(relation, [...values.keys()], frame.isJsonNamed))
    : new PathMatching([...values.values()], frame.isJsonNamed);
}

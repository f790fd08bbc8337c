import type { Comparison } from '../conditions/comparison.ts';
import type { Leaf } from '../conditions/condition.ts';
import { Kind, kindOf, type JsonDocument } from '../json/document.ts';
import type { FoundValue } from '../paths/attribute.ts';
import { UNSORTED, ValueClasses } from './value-classes.ts';

/** So few values, or values compared with so few others, are compared one by one. */
const FEW = 8;

// What is exported is looked up each time, what is not is a constant in compiled code.
const TRUE = Kind.true;

/** One of the values of an attribute that are alike for all comparisons. */
interface Sample {
  readonly value: FoundValue;
  /** How many are like it, itself included, and were not reported as unreadable. */
  count: number;
}

/**
 * Compares one of the values that are alike instead of all, so that a record with many values that many conditions compare costs
 * what is in the record and not that times what is in the decision.
 */
export class ValueSamples {
  private readonly leaves: readonly Leaf[];
  private readonly keys: ReadonlySet<Leaf['key']>;
  private sorted: ValueClasses | undefined;
  private readonly known = new WeakMap<readonly FoundValue[], readonly Sample[]>();

  /** @param leaves all that the plan asks of the attribute */
  constructor(leaves: readonly Leaf[]) {
    // Which texts read as booleans is no matter of classes.
    this.leaves = leaves.filter(({ comparison }) => comparison.type !== 'BOOLEAN');
    this.keys = new Set(this.leaves.map(({ key }) => key));
  }

  /** The samples of a list of values that stays as it is; undefined if a leaf compares all of them. */
  of(doc: JsonDocument, values: readonly FoundValue[], { key }: Leaf): readonly Sample[] | undefined {
    if (values.length <= FEW || this.keys.size <= FEW || !this.keys.has(key)) return undefined;
    const known = this.known.get(values);
    if (known) return known;
    const samples = this.sample(doc, values);
    this.known.set(values, samples);
    return samples;
  }

  private sample(doc: JsonDocument, values: readonly FoundValue[]): readonly Sample[] {
    this.sorted ??= new ValueClasses(this.leaves.map(({ comparison }) => comparison));
    const samples: Sample[] = [];
    const byClass = new Map<string | number, Sample>();
    let latest: { readonly like: string | number; readonly sample: Sample } | undefined;
    for (const value of values) {
      const like = this.classOf(doc, value, this.sorted);
      let sample = latest?.like === like ? latest.sample : byClass.get(like);
      if (sample === undefined || like === UNSORTED) {
        sample = { value, count: 0 };
        samples.push(sample);
        byClass.set(like, sample);
      }
      sample.count++;
      if (latest?.sample !== sample && like !== UNSORTED) latest = { like, sample };
    }
    return samples;
  }

  /** All that are true are alike, and so are all that are false, and all objects: those are below {@link UNSORTED}. */
  private classOf(doc: JsonDocument, value: FoundValue, classes: ValueClasses): string | number {
    if (typeof value === 'string') return value;
    const kind = kindOf(doc, value);
    return kind < TRUE ? classes.of(doc, value) : UNSORTED - kind;
  }
}

/**
 * Whether a comparison holds for the values that these are samples of.
 *
 * @param onUnreadable called once for each value that does not read as the type, however many comparisons come to it
 */
export function holdsForSamples(
  comparison: Comparison,
  doc: JsonDocument,
  samples: readonly Sample[],
  onUnreadable: () => void,
): boolean {
  let holds = comparison.operator.negated;
  for (const [at, sample] of samples.entries()) {
    const holdsHere = comparison.holdsFor(doc, [sample.value], () => {
      for (; sample.count > 0; sample.count--) onUnreadable();
    });
    holds = at === 0 ? holdsHere : comparison.together(holds, holdsHere);
    // No other value changes that.
    if (comparison.together(holds, !holds) === holds) break;
  }
  return holds;
}

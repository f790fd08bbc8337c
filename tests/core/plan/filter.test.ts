import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { parseAttributePath } from '../../../src/core/paths/parse.ts';
import { FilterPlan } from '../../../src/core/plan/filter.ts';
import { RecordAttribute } from '../../../src/core/plan/record-attribute.ts';
import { RecordConditions } from '../../../src/core/plan/record-condition.ts';
import { RecordViews, Subject } from '../../../src/core/plan/record.ts';
import { recordsAt } from '../../../src/core/records.ts';
import { RootList } from '../../../src/core/roots.ts';
import type { FilterRule } from '../../../src/core/rule.ts';
import { leaf } from './leaf.ts';

const FRAME = { isJsonNamed: true, rootWord: undefined };
const ATTRIBUTES = ['a', 'b', 'c'] as const;

type Sample = Record<(typeof ATTRIBUTES)[number], string> & { readonly id: string };

/** A filter that allows records whose attribute is `x`. */
interface Allowing {
  readonly attribute: (typeof ATTRIBUTES)[number];
  readonly isDry: boolean;
  readonly list: number | undefined;
  readonly ids: readonly string[] | undefined;
}

const sample: fc.Arbitrary<Sample> = fc.record({
  a: fc.constantFrom('x', 'y'),
  b: fc.constantFrom('x', 'y'),
  c: fc.constantFrom('x', 'y'),
  id: fc.constantFrom('1', '2'),
});
const allowing: fc.Arbitrary<Allowing> = fc
  .record({
    attribute: fc.constantFrom(...ATTRIBUTES),
    list: fc.constantFrom(undefined, undefined, 0, 1, 2, 10),
    ids: fc.constantFrom(undefined, undefined, undefined, ['1']),
    isDry: fc.boolean(),
  })
  // Only lists that are in dry run as a whole are lists by themselves.
  .filter(({ isDry, list }) => isDry || list === undefined);

function ruleOf({ attribute, isDry, list, ids }: Allowing, at: number): FilterRule {
  const dryRun = isDry ? { property: 'id', path: parseAttributePath('id') } : undefined;
  return {
    source: { place: [], action: 'FILTER', priority: undefined, effect: 'allowed' },
    policies: [{ name: `p${at}`, dryRun }],
    effect: 'allow',
    condition: leaf(attribute),
    assetIds: ids && new Set(ids),
    ...(list !== undefined && { list }),
  };
}

function allows({ attribute, ids }: Allowing, record: Sample): boolean {
  return record[attribute] === 'x' && ids?.includes(record.id) !== false;
}

/** The policies without which the record would go: all of those that decide together, if none of them allows it. */
function wanted(filters: readonly Allowing[], record: Sample): readonly string[] {
  const groups = Map.groupBy(filters.entries(), ([, { list }]) => list);
  return [...groups.values()]
    .filter((group) => !group.some(([, one]) => allows(one, record)))
    .flatMap((group) => group.filter(([, { isDry }]) => isDry).map(([at]) => `p${at}`));
}

test('each list of filters in dry run is reported for the records of which it allows none', () => {
  fc.assert(
    fc.property(
      fc.array(allowing, { minLength: 1, maxLength: 8 }),
      fc.array(sample, { maxLength: 30 }),
      (filters, samples) => {
        const doc = scan(Buffer.from(JSON.stringify(samples)), 10);
        const conditions = new RecordConditions(FRAME, () => []);
        const rules = { properties: [], filters: filters.map(ruleOf), filterDefault: 'deny' as const };
        const plan = new FilterPlan(rules, conditions);
        const subject = new Subject(doc, TOP, RootList.ofPayload(TOP));
        subject.conditions = conditions;
        const views = new RecordViews(subject, new RecordAttribute(parseAttributePath('id'), FRAME), false);
        const skipped = Array.from(recordsAt(doc, TOP), (record) =>
          plan
            .skippedFor(views.of(record, 0))
            .map(({ name }) => name)
            .toSorted(),
        );
        expect(skipped).toEqual(samples.map((record) => wanted(filters, record).toSorted()));
      },
    ),
    { numRuns: 1000 },
  );
});

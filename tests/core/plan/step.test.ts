import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { DefaultMask } from '../../../src/core/actions/default-mask.ts';
import { TOP } from '../../../src/core/json/document.ts';
import { scan } from '../../../src/core/json/scan.ts';
import { parseAttributePath } from '../../../src/core/paths/parse.ts';
import { RecordAttribute } from '../../../src/core/plan/record-attribute.ts';
import { RecordConditions } from '../../../src/core/plan/record-condition.ts';
import { RecordView, Subject } from '../../../src/core/plan/record.ts';
import { StepList, type PlanStep } from '../../../src/core/plan/step.ts';
import { RootList } from '../../../src/core/roots.ts';
import { leaf } from './leaf.ts';

const FRAME = { isJsonNamed: true, rootWord: undefined };
const DRY_RUN = [{ name: 'P', dryRun: { property: 'id', path: parseAttributePath('id') } }];

/** What a step is about, and when. */
interface Asked {
  readonly assets?: readonly string[];
  /** The attribute that has to be `x`. */
  readonly when?: string;
  readonly isDry?: boolean;
}

/** Steps in order, and how often somebody asked for the place of one. */
function stepsOf(asked: readonly Asked[]): { steps: readonly PlanStep[]; reads: { count: number } } {
  const conditions = new RecordConditions(FRAME, () => []);
  const reads = { count: 0 };
  const steps = asked.map(({ assets, when, isDry }, place) => {
    return {
      number: place,
      get rank() {
        reads.count++;
        return place;
      },
      action: new DefaultMask('***'),
      condition: when === undefined ? undefined : conditions.compile(leaf(when)),
      tree: leaf(when ?? 'a'),
      policies: [],
      dryRun: isDry === true ? DRY_RUN : undefined,
      assetIds: assets && new Set(assets),
      isPerRecord: false,
    };
  });
  return { steps, reads };
}

function recordOf(json: string): RecordView {
  const subject = new Subject(scan(Buffer.from(json), 10), TOP, RootList.ofPayload(TOP));
  return new RecordView(subject, TOP, 0, new RecordAttribute(parseAttributePath('id'), FRAME));
}

function holdsFor(record: RecordView): (step: PlanStep) => boolean {
  return ({ condition }) => condition?.holds(record) ?? true;
}

function isAbout({ assetIds }: PlanStep, ids: readonly string[]): boolean {
  return assetIds === undefined || ids.some((id) => assetIds.has(id));
}

/** The first steps, up to one that is not in dry run. */
function untilApplied(steps: readonly PlanStep[]): readonly PlanStep[] {
  const applied = steps.findIndex(({ dryRun }) => dryRun === undefined);
  return applied === -1 ? steps : steps.slice(0, applied + 1);
}

function numbersOf(steps: readonly PlanStep[]): readonly number[] {
  return steps.map(({ number }) => number);
}

const asked: fc.Arbitrary<Asked> = fc.record(
  {
    assets: fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 2 }),
    when: fc.constantFrom('a', 'b'),
    isDry: fc.boolean(),
  },
  { requiredKeys: [] },
);
const record = fc
  .tuple(fc.constantFrom('1', '"2"', '9', '[1,"2"]', '["2",3,1]', '{}'), fc.constantFrom('x', 'y'))
  .map(([id, a]) => `{"id":${id},"a":"${a}","b":"x"}`);

test('the steps that hold for a record are those about it, in order, up to the one that is applied', () => {
  let most = 0;
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 12 }), record, (some, json) => {
      const list = StepList.of(stepsOf(some).steps);
      const view = recordOf(json);
      const about = list.all.filter((step) => isAbout(step, view.assetIds));
      expect(numbersOf(list.about(view))).toEqual(numbersOf(about));
      const tried = untilApplied([...list.for(view)].filter(holdsFor(view)));
      expect(numbersOf(tried)).toEqual(numbersOf(untilApplied(about.filter(holdsFor(view)))));
      most = Math.max(most, tried.length);
    }),
    { numRuns: 2000 },
  );
  expect(most).toBeGreaterThan(4);
});

test.each([
  ['before it', 0],
  ['behind it', 5000],
])('thousands of steps about one asset cost a record no more than one, with another %s', (_name, place) => {
  const ofAsset = Array.from({ length: 5000 }, (): Asked => ({ assets: ['1', '2'] }));
  const others = Array.from({ length: 3 }, (): Asked => ({ when: 'a' }));
  const { steps, reads } = stepsOf(ofAsset.toSpliced(place, 0, ...others));
  const list = StepList.of(steps);
  reads.count = 0;
  for (const json of ['{"id":1,"a":"y"}', '{"id":[1,"2"],"a":"y"}']) {
    const view = recordOf(json);
    expect([...list.for(view)].find(holdsFor(view))?.assetIds).toBeDefined();
  }
  expect(reads.count).toBeLessThan(40);
});

import process from 'node:process';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import lodash from 'lodash';
import { violations } from './support/kubeconform.ts';
import { rulesBrokenBy } from './support/kubernetes-rules.ts';
import { EVERYTHING } from './support/matrix.ts';
import { oddValue } from './support/odd-value.ts';
import { renderTogether } from './support/together.ts';
import { describeChart } from './support/tools.ts';

/** How often {@link TOGETHER} values are tried. More by hand: `RUNS=50 npx jest tests/chart/odd-values.test.ts`. */
const RUNS = Number(process.env['RUNS'] ?? 2);
const TOGETHER = 40;
/** The same in each usual run: what a search finds is for who searches, and must not stop a change that has nothing to do with it. */
const SEED = process.env['RUNS'] === undefined ? { seed: 1 } : {};

/** A member without a value, which Kubernetes takes like none. */
function withoutNull(_: string, value: unknown): unknown {
  return value ?? undefined;
}

describeChart('Any value, of the right type or not', () => {
  it('is refused, or rendered as Kubernetes takes it', () => {
    let taken = 0;
    let refused = 0;
    const property = fc.property(
      fc.array(oddValue, { minLength: TOGETHER, maxLength: TOGETHER }),
      (changes) => {
        const values = changes.map(({ place, value }) =>
          lodash.set(lodash.cloneDeep(EVERYTHING), place, value),
        );
        const outcomes = renderTogether(values.map((one) => lodash.omit(one, 'nameOverride')));
        const rendered = outcomes.map(({ manifests, problems }) => (problems.length > 0 ? [] : manifests));
        const broken = rendered.flatMap((manifests, index) =>
          manifests.flatMap(rulesBrokenBy).map((rule) => `${JSON.stringify(changes[index])}: ${rule}`),
        );
        taken += rendered.filter((manifests) => manifests.length > 0).length;
        refused += outcomes.filter(({ problems }) => problems.length > 0).length;
        expect(broken).toEqual([]);
        const texts = rendered.map((manifests) =>
          manifests.map((one) => JSON.stringify(one, withoutNull)).join('\n---\n'),
        );
        const named = Object.fromEntries(texts.map((text, index) => [JSON.stringify(index), text]));
        expect(violations(named, '1.37.1')).toBe('');
      },
    );
    fc.assert(property, { numRuns: RUNS, endOnFailure: true, ...SEED });
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});

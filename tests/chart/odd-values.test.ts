import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { rulesBrokenBy } from './support/kubernetes-rules.ts';
import { EVERYTHING } from './support/matrix.ts';
import { oddValue } from './support/odd-value.ts';
import { search } from './support/search.ts';
import { describeChart } from './support/tools.ts';

describeChart('Any value, of the right type or not', () => {
  it('is refused, or rendered as Kubernetes takes it', () => {
    const trials = {
      generated: oddValue,
      chart: 'authz-jsonmasking',
      valuesOf: ({ place, value }: { place: string; value: unknown }) =>
        lodash.omit(lodash.set(lodash.cloneDeep(EVERYTHING), place, value), 'nameOverride'),
      together: 40,
      runs: 2,
    } as const;
    const { wrong, taken, refused } = search(trials, (_, { manifests }) => manifests.flatMap(rulesBrokenBy));
    expect(wrong).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});

import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { render, type ChartName, type Values } from './support/helm.ts';
import { theOnly } from './support/manifest.ts';
import { MINIMAL } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

function ofMinimal(values: Values): Values {
  return lodash.merge({}, MINIMAL, values);
}

/** The same values where each chart has them. */
function inCharts(values: Values): readonly (readonly [chart: ChartName, values: Values])[] {
  return [
    ['authz-jsonmasking', ofMinimal(values)],
    ['policy-agent', { pdp: values }],
    ['example-microservice', values],
  ];
}

describeChart('A Deployment that the API server takes', () => {
  it.each(inCharts({ updateStrategy: { type: 'Recreate' } }))(
    'has no fields of a rolling update if %s recreates its pods',
    (chart, values) => {
      const manifest = theOnly(render(values, { chart }), 'Deployment');
      expect(lodash.get(manifest, 'spec.strategy')).toEqual({ type: 'Recreate' });
    },
  );
});

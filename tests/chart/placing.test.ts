import { expect, it } from '@jest/globals';
import { problems, render, renderText, type ChartName, type Values } from './support/helm.ts';
import { theOnly } from './support/manifest.ts';
import { EVERYTHING, MINIMAL } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

const AGENT: Values = {
  'authz-jsonmasking': { enabled: true, namespaceOverride: 'vault' },
  namespaceOverride: 'vault',
};

describeChart('A namespace in the values', () => {
  it.each<[ChartName, Values]>([
    ['authz-jsonmasking', { ...EVERYTHING, extraObjects: [], namespaceOverride: 'vault' }],
    ['policy-agent', AGENT],
  ])('is that of every resource of %s', (chart, values) => {
    const namespaces = render(values, { chart }).map(({ metadata }) => metadata['namespace']);
    expect(new Set(namespaces)).toEqual(new Set(['vault']));
  });

  it('is the one that alerts, the ServiceMonitor and the test use', () => {
    const text = renderText({ ...EVERYTHING, extraObjects: [], namespaceOverride: 'vault' });
    expect(text).toContain('namespace="vault"');
    expect(text).not.toContain('bank');
  });
});

describeChart('A VerticalPodAutoscaler', () => {
  const values: Values = {
    ...MINIMAL,
    verticalPodAutoscaler: { enabled: true, maxAllowed: { memory: '1Gi' } },
  };

  it('recommends for the container of the service, and changes nothing unless it is asked to', () => {
    expect(theOnly(render(values), 'VerticalPodAutoscaler')).toMatchObject({
      spec: {
        targetRef: { kind: 'Deployment', name: 'my-authz-jsonmasking' },
        updatePolicy: { updateMode: 'Off' },
        resourcePolicy: {
          containerPolicies: [
            {
              containerName: 'authz-jsonmasking',
              controlledResources: ['cpu', 'memory'],
              maxAllowed: { memory: '1Gi' },
            },
          ],
        },
      },
    });
  });

  it('may not set what a HorizontalPodAutoscaler scales by', () => {
    const both = { ...MINIMAL, autoscaling: { enabled: true } };
    const setting = { ...both, verticalPodAutoscaler: { enabled: true, updateMode: 'Recreate' } };
    expect(problems(setting)).toEqual([
      'verticalPodAutoscaler.controlledResources must not have cpu, because autoscaling already scales by it',
    ]);
    const ofMemory = { enabled: true, updateMode: 'Recreate', controlledResources: ['memory'] };
    expect(problems({ ...both, verticalPodAutoscaler: ofMemory })).toEqual([]);
    expect(problems({ ...both, verticalPodAutoscaler: { enabled: true } })).toEqual([]);
  });
});

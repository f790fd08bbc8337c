import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { renderText } from './support/helm.ts';
import { violations } from './support/kubeconform.ts';
import { VARIANTS } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

describeChart('What the charts render', () => {
  it.each([['1.28.15'], ['1.37.1']])('is what the API of Kubernetes %s accepts', (kubeVersion) => {
    const texts = VARIANTS.map(({ name, chart, values }) => [
      name,
      renderText(values, { chart, kubeVersion }),
    ]);
    expect(violations(Object.fromEntries(texts), kubeVersion)).toBe('');
  });

  it('is held to schemas that refuse what Kubernetes does not know', () => {
    const text = 'apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { prots: [] }\n';
    expect(violations({ text }, '1.37.1')).toContain('prots');
    expect(violations({ text: text.replace('Service', 'Mystery') }, '1.37.1')).toContain('Mystery');
  });

  it.each(['istio.yaml', 'envoy-gateway.yaml'])(
    'and the example %s are valid for the definitions of their custom resources',
    (file) => {
      const text = readFileSync(`examples/envoy/${file}`, 'utf8');
      expect(violations({ text }, '1.37.1')).toBe('');
      expect(
        violations({ text: text.replace(/^ {2}(?:configPatches|extProc):/mu, '  other:') }, '1.37.1'),
      ).toContain('other');
    },
  );
});

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
});

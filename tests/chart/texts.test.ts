import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import * as z from 'zod';
import { renderText, type ChartName, type Values } from './support/helm.ts';
import { violations } from './support/kubeconform.ts';
import { VARIANTS } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** Text that YAML reads as something else unless it is in quotes. Names may be like this. */
const ODD_TEXT = 'true';

/** What becomes text of another file, which other tests are about. */
const OTHERS = /^(config|policies|pdp\.policies|pdp\.opa|routes|extra)/u;

const schema = z.looseObject({
  type: z.unknown().optional(),
  enum: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** The values of a chart that may be any text. */
function textValues(written: unknown, path: readonly string[] = []): string[] {
  const { type, properties, enum: words } = schema.parse(written);
  const below = Object.entries(properties).flatMap(([name, one]) => textValues(one, [...path, name]));
  const isText = words === undefined && lodash.castArray(type).includes('string');
  return isText && !OTHERS.test(path.join('.')) ? [path.join('.'), ...below] : below;
}

function renderedOrRefused(values: Values, chart: ChartName): string | undefined {
  try {
    return renderText(values, { chart });
  } catch {
    return undefined;
  }
}

describeChart('Texts in the values', () => {
  it.each(VARIANTS.filter(({ name }) => name.includes('everything')))(
    'are texts for Kubernetes whatever they say: $name',
    ({ chart, values }) => {
      const file = readFileSync(`charts/${chart}/values.schema.json`, 'utf8');
      const texts: Record<string, string> = {};
      for (const key of textValues(JSON.parse(file))) {
        const changed = lodash.set(lodash.cloneDeep(values), key, ODD_TEXT);
        const rendered = renderedOrRefused(changed, chart);
        if (rendered !== undefined) texts[key] = rendered;
      }
      expect(Object.keys(texts).length).toBeGreaterThan(0);
      expect(violations(texts, '1.37.1')).toBe('');
    },
  );
});

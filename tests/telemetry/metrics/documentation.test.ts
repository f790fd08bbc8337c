import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import * as z from 'zod';
import { closeAll } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const PAGE = readFileSync('docs/operations.md', 'utf8');
const ROW = /^\| `(?<name>authz_jsonmasking_\w+)(?:\{[a-z_,]+\})?`\s+\| (?<type>counter|gauge|histogram) /gmu;

const metric = z.object({ name: z.string(), type: z.string() });

test('docs/operations.md has every metric of the service, and no other, with its type', async () => {
  const { metrics } = await startEnforcement({}, { metrics: { port: 9464 } });
  const all = z.array(metric).parse(await metrics?.registry.getMetricsAsJSON());
  const own = all.filter(({ name }) => name.startsWith('authz_jsonmasking_'));
  const documented = [...PAGE.matchAll(ROW)].map((row) => metric.parse(row.groups));
  expect(documented.toSorted(byName)).toEqual(own.toSorted(byName));
});

function byName(one: z.output<typeof metric>, other: z.output<typeof metric>): number {
  return one.name.localeCompare(other.name);
}

import { readFileSync } from 'node:fs';
import { describe } from '@jest/globals';
import { parse } from 'yaml';
import { ensureTool } from '../../../scripts/tools/tool.ts';
import type { RealPdpName } from '../../../scripts/tools/real-pdp.ts';

/** Describes tests that need a PDP of another project. If it cannot be had, they count as skipped, and a line says so. */
export function describeReal(name: RealPdpName): typeof describe.skip {
  if (ensureTool(name) !== undefined) return describe;
  process.stderr.write(`${name} cannot be installed here: its tests are SKIPPED.\n`);
  return describe.skip;
}

/** The configuration of an example, for a PDP on another port. */
export function exampleConfig(name: RealPdpName, port: number): Record<string, unknown> {
  const { pdpUrl, ...written }: Record<string, unknown> = parse(
    readFileSync(`examples/${name}/config.yaml`, 'utf8'),
  );
  return { ...written, pdpUrl: String(pdpUrl).replace(/:\d+/u, `:${port}`) };
}

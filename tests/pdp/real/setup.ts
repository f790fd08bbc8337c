import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { RealPdpName } from '../../../scripts/tools/real-pdp.ts';

/** The configuration of an example, on any free port: someone may try the example meanwhile. Its PDP is on another one, too. */
export function exampleConfig(name: RealPdpName, port: number): Record<string, unknown> {
  const { pdpUrl, ...written }: Record<string, unknown> = parse(
    readFileSync(`examples/${name}/config.yaml`, 'utf8'),
  );
  return { ...written, port: 0, pdpUrl: String(pdpUrl).replace(/:\d+/u, `:${port}`) };
}

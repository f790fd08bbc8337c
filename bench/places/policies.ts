import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { PROPERTIES } from '../payloads/decision.ts';

/** What all places mask. `bench/baseline/proxy.ts` knows it by heart. */
export const MASKED = PROPERTIES.slice(0, 4);

/**
 * Writes a policy file with the default mask on each of these properties.
 *
 * @returns its absolute path
 */
export function writePolicies(folder: string): string {
  const file = path.resolve(folder, 'policies.yaml');
  const policies = MASKED.map((property) => ({
    name: `Protect ${property}`,
    properties: [property],
    action: 'MASK',
  }));
  writeFileSync(file, stringify({ policies }));
  return file;
}

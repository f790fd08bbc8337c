import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage. V8 returns the memory of a collected buffer in the background and counts it in
 * `process.memoryUsage()` until then, but at the latest until the next collection starts: hence more than one.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 has no gc()');
  for (let i = 0; i < 4; i++) collect();
}

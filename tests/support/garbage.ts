import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage. V8 returns the memory of a collected buffer in the background and counts it in
 * `process.memoryUsage()` until then, but at the latest until the next collection starts: hence two.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 has no gc()');
  collect();
  collect();
}

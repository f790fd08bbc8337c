import type { Logger } from '../../../telemetry/log/index.ts';
import type { BreakerState } from './breaker.ts';

/**
 * Logs each change of a breaker: at `warn` when it opens, at `info` when it closes, at `debug` in between.
 *
 * @param probeAfter how long the breaker stays open before it lets a question through, in milliseconds
 */
export function logState(log: Logger, probeAfter: number): (state: BreakerState) => void {
  let isDown = false;
  return (state) => {
    if (state === 'closed') log.info('Circuit closed: PDP available');
    else if (isDown) log.debug(`Circuit ${state}`);
    else log.warn(`Circuit open: PDP unavailable, next probe in ${probeAfter} ms`);
    isDown = state !== 'closed';
  };
}

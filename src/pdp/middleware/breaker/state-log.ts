import type { Logger } from '../../../telemetry/log/index.ts';
import type { BreakerState } from './breaker.ts';

/** Logs each change of a breaker: loudly when the PDP goes down and comes back, quietly while it stays down. */
export function logState(log: Logger): (state: BreakerState) => void {
  let isDown = false;
  return (state) => {
    if (state === 'closed') log.info('PDP breaker closed: the PDP answers again');
    else if (isDown) log.debug(`PDP breaker ${state}`);
    else log.warn('PDP breaker open: the PDP is down, and is tried every now and then');
    isDown = state !== 'closed';
  };
}

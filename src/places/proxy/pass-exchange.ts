import { performance } from 'node:perf_hooks';
import { endToEnd } from '../listener/index.ts';
import { passAnswer, sendInterim, upstreamRequest, type Transit } from './transit.ts';

/** Passes an exchange through as it is. */
export function passExchange(transit: Transit): Promise<void> {
  const { exchange, options } = transit;
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const done = (error?: Error): void => (error === undefined ? resolve() : reject(error));
    options.upstream.send(upstreamRequest(transit, false), {
      inform: (head) => sendInterim(transit, head),
      begin: (head, flow) => {
        exchange.times.upstream = performance.now() - start;
        return passAnswer(transit, { ...head, fields: endToEnd(head.fields) }, flow, done);
      },
      fail: reject,
    });
  });
}

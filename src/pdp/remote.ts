/** What a remote PDP is asked through. */
export { withBreaker } from './middleware/breaker/breaker.ts';
export { logState } from './middleware/breaker/state-log.ts';
export { withDecisionCache } from './middleware/cache/cache.ts';
export { createHttpTransport } from './transport/adapter.ts';

/** The PDP: protocols, the middleware around them, and the transport below them. */
export { withBreaker, type BreakerState } from './middleware/breaker/breaker.ts';
export { logState } from './middleware/breaker/state-log.ts';
export { withDecisionCache } from './middleware/cache/cache.ts';
export { withMetrics } from './middleware/metrics.ts';
export { withTracing } from './middleware/tracing.ts';
export type { Asked, Pdp, PdpConnection, Port, Transport } from './port.ts';
export { filtersRecords, type Condition, type PolicyFile } from './policies/index.ts';
export {
  createEmbeddedPdp,
  loadPolicyFile,
  loadPolicyTests,
  parsePolicyText,
  readPolicyText,
  startPdpServer,
  userOfTest,
  watchPolicyFile,
  type CurrentPolicies,
  type PolicyTest,
  type WatchedPolicies,
} from './protocols/embedded/index.ts';
export { createRemotePdp, PROTOCOL_KEYS } from './protocols/index.ts';
export { createHttpTransport } from './transport/adapter.ts';

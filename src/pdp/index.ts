/** The PDP: protocols, the middleware around them, and the transport below them. */
export { withBreaker, type BreakerState } from './middleware/breaker/breaker.ts';
export { logState } from './middleware/breaker/state-log.ts';
export { withDecisionCache } from './middleware/cache/cache.ts';
export { withMetrics } from './middleware/metrics.ts';
export { withTracing } from './middleware/tracing.ts';
export type { Asked, Pdp, PdpConnection, Port, Transport } from './port.ts';
export {
  createEmbeddedPdp,
  filtersRecords,
  loadPolicyFile,
  parsePolicyText,
  readPolicyText,
  watchPolicyFile,
  type CurrentPolicies,
  type WatchedPolicies,
} from './protocols/embedded/index.ts';
export type { Condition, PolicyFile } from './protocols/embedded/policy.ts';
export { loadPolicyTests, type PolicyTest } from './protocols/embedded/policy-file/load-tests.ts';
export { userOfTest } from './protocols/embedded/test-user.ts';
export { startPdpServer } from './protocols/embedded/server.ts';
export { createRemotePdp } from './protocols/index.ts';
export { PROTOCOL_KEYS } from './protocols/sections.ts';
export { createHttpTransport } from './transport/adapter.ts';

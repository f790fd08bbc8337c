/** The PDP: protocols, the middleware around them, and the transport below them. */
export type { BreakerState } from './middleware/breaker/breaker.ts';
export { withTracing } from './middleware/tracing.ts';
export type { Asked, Pdp, PdpConnection, Port, Transport } from './port.ts';
export {
  assetTypesOf,
  filtersRecords,
  doubtfulTexts,
  ordersNumbersAsText,
  overruledPolicies,
  type Condition,
  type PolicyFile,
} from './policies/index.ts';
export type { CurrentPolicies, PolicyTest, WatchedPolicies } from './protocols/embedded/index.ts';
export { createRemotePdp, problemsWithMaskKeys, PROTOCOL_KEYS } from './protocols/index.ts';
export type { RetryReason } from './transport/retries.ts';

/** Policy files, and the PDP that decides by them. */
export const loadEmbeddedPdp = () => import('./protocols/embedded/index.ts');
/** The transport to a PDP over HTTP, with the breaker and the cache in front of it. */
export const loadTransport = () => import('./remote.ts');
/** The files of TLS to a remote PDP. */
export const loadClientTls = () => import('./transport/client-tls.ts');
/** Counts and times the calls of a PDP. */
export const loadPdpMetrics = () => import('./middleware/metrics.ts');

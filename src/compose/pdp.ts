import { BYTES_PER_MB, errorIn, pdpAddress, resolveEndpoints, type Configuration } from '../config/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { ConfigurationError } from '../yaml/index.ts';
import {
  createRemotePdp,
  loadEmbeddedPdp,
  loadTransport,
  type Asked,
  type BreakerState,
  type CurrentPolicies,
  type Pdp,
  type Port,
  type RetryReason,
  type Transport,
} from '../pdp/index.ts';

/** The longest decision that is read, in bytes: far more than any real one, and no danger to the process. */
const MAX_ANSWER_BYTES = 16 * BYTES_PER_MB;

type BreakerListener = (state: BreakerState) => void;
type RetryListener = (reason: RetryReason) => void;

/** What observes the calls of the PDP. */
export interface PdpObservers {
  readonly log: Logger;
  /** Wraps the PDP with metrics and traces of each call. */
  readonly instrument: <Q extends Asked, A>(pdp: Port<Q, A>) => Port<Q, A>;
  /** Called if there is a breaker. Returns what gets each new state. */
  readonly observeBreaker: () => BreakerListener;
  /** Called if the PDP is remote. Returns what is called before each retry. */
  readonly observeRetries: () => RetryListener;
}

/**
 * The PDP of a configuration with its middleware. A question passes the cache before the breaker, so that cached decisions
 * are served while the PDP is down.
 *
 * @param policies the policy file of the embedded PDP; undefined for a remote one
 * @throws ConfigurationError if files of `pdpTls` cannot be used
 */
export async function createConfiguredPdp(
  configuration: Configuration,
  policies: CurrentPolicies | undefined,
  observers: PdpObservers,
): Promise<Pdp> {
  if (policies !== undefined) {
    const { createEmbeddedPdp } = await loadEmbeddedPdp();
    return observers.instrument(createEmbeddedPdp(policies));
  }
  const address = pdpAddress(configuration);
  const transport = await configuredTransport(address, configuration, observers);
  return createRemotePdp(configuration, { address, resolution: resolveEndpoints(configuration) }, transport);
}

/** The transport, with the breaker and the cache in front of it. */
async function configuredTransport(
  address: URL,
  configuration: Configuration,
  observers: PdpObservers,
): Promise<Transport> {
  const remote = await loadTransport();
  const options = transportOptions(address, configuration, observers);
  const http = withPdpTls(configuration, () => remote.createHttpTransport(options));
  const transport = observers.instrument(http);
  return withConfiguredCache(
    withConfiguredBreaker(transport, configuration, observers, remote),
    configuration,
    remote,
  );
}

/** Reads the files of `pdpTls`. Problems with them are those of the configuration that names them. */
export function withPdpTls<T>(configuration: Configuration, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problems = error.problems.map(({ key, message }) => ({
      key: ['pdpTls', key].filter(Boolean).join('.'),
      message,
    }));
    throw errorIn(configuration, problems);
  }
}

type Remote = Awaited<ReturnType<typeof loadTransport>>;

function transportOptions(
  origin: URL,
  configuration: Configuration,
  { log, observeRetries }: PdpObservers,
): Parameters<Remote['createHttpTransport']>[0] {
  return {
    origin,
    timeout: configuration.pdpTimeout,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    tls: configuration.pdpTls,
    onRetry: observeRetries(),
    onTlsChange(error) {
      if (error === undefined) log.info('PDP TLS reloaded');
      else log.error('PDP TLS reload failed; keeping the current certificate', { error });
    },
  };
}

function withConfiguredBreaker(
  pdp: Transport,
  { pdpBreaker }: Configuration,
  { log, observeBreaker }: PdpObservers,
  { logState, withBreaker }: Remote,
): Transport {
  if (!pdpBreaker.enabled) return pdp;
  const listeners = [logState(log, pdpBreaker.probeAfter), observeBreaker()];
  return withBreaker(pdp, {
    ...pdpBreaker,
    onState: (state) => listeners.forEach((listener) => listener(state)),
  });
}

function withConfiguredCache(
  pdp: Transport,
  { pdpCache }: Configuration,
  { withDecisionCache }: Remote,
): Transport {
  if (!pdpCache.enabled) return pdp;
  const { maxEntries, maxSize, maxAge } = pdpCache;
  return withDecisionCache(pdp, { maxEntries, maxBytes: maxSize * BYTES_PER_MB, maxAge });
}

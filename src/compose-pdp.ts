import { pdpAddress, resolveEndpoints } from './config/endpoints.ts';
import type { Configuration } from './config/schema.ts';
import type { Logger } from './telemetry/log/logger.ts';
import { withBreaker, type BreakerState } from './pdp/middleware/breaker/breaker.ts';
import { logState } from './pdp/middleware/breaker/state-log.ts';
import { withCache } from './pdp/middleware/cache/cache.ts';
import { createEmbeddedPdp, type CurrentPolicies } from './pdp/protocols/embedded/index.ts';
import { createRemotePdp } from './pdp/protocols/index.ts';
import { createHttpTransport } from './pdp/transport/adapter.ts';
import type { Asked, Pdp, Port, Transport } from './pdp/port.ts';

const BYTES_PER_MB = 1024 * 1024;
/** The longest decision that is read, in bytes: far more than any real one, and no danger to the process. */
const MAX_ANSWER_BYTES = 16 * BYTES_PER_MB;

export type BreakerListener = (state: BreakerState) => void;

/** Those who watch how the PDP is asked. */
interface PdpObservers {
  readonly log: Logger;
  /** Puts itself around the PDP, to see each call of it. */
  readonly watch: <Q extends Asked, A>(pdp: Port<Q, A>) => Port<Q, A>;
  /** Called where there is a breaker, for whom to tell of each of its states but the first. */
  readonly followBreaker: () => BreakerListener;
}

/**
 * The PDP of a configuration, and what stands before it: a cache, where it is wanted, and behind that the breaker, so that
 * what is remembered is known while the PDP is down.
 *
 * @param policies the policy file of the embedded PDP; undefined for a remote one
 * @throws ConfigurationError if files of `pdpTls` cannot be used
 */
export function createConfiguredPdp(
  configuration: Configuration,
  policies: CurrentPolicies | undefined,
  observers: PdpObservers,
): Pdp {
  if (policies !== undefined) return observers.watch(createEmbeddedPdp(policies));
  const address = pdpAddress(configuration);
  const remote = observers.watch(transportTo(address, configuration, observers.log));
  const transport = withMemory(guarded(remote, configuration, observers), configuration);
  return createRemotePdp(configuration, { address, resolution: resolveEndpoints(configuration) }, transport);
}

function transportTo(origin: URL, configuration: Configuration, log: Logger): Transport {
  return createHttpTransport({
    origin,
    timeout: configuration.pdpTimeout,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    tls: configuration.pdpTls,
    onTlsChange(error) {
      if (error === undefined) log.info('TLS files for the PDP taken up');
      else log.error('TLS files for the PDP not taken up; the ones before go on', { error });
    },
  });
}

function guarded(
  pdp: Transport,
  { pdpBreaker }: Configuration,
  { log, followBreaker }: PdpObservers,
): Transport {
  if (!pdpBreaker.enabled) return pdp;
  const listeners = [logState(log), followBreaker()];
  return withBreaker(pdp, {
    ...pdpBreaker,
    onState: (state) => listeners.forEach((tell) => tell(state)),
  });
}

function withMemory(pdp: Transport, { pdpCache }: Configuration): Transport {
  if (!pdpCache.enabled) return pdp;
  const { maxEntries, maxSize, maxAge } = pdpCache;
  return withCache(pdp, { maxEntries, maxBytes: maxSize * BYTES_PER_MB, maxAge });
}

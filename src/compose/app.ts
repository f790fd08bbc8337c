import type { Express } from 'express';
import { BYTES_PER_MB, isLoopback, payloadLimits, type Configuration } from '../config/index.ts';
import { openCallers } from './callers.ts';
import { openConfiguredKeys } from './keys.ts';
import { configuredProcessor } from './processor.ts';
import { createConfiguredProxy } from './proxy.ts';
import { createConfiguredPdp, type PdpObservers } from './pdp.ts';
import { openPolicies } from './policies.ts';
import { areTokensIdle, asksSubject, warnOfIdleTokens } from './tokens.ts';
import { GivenWarnings, Plans, EventLoopScheduler } from '../enforcement/index.ts';
import type { ServiceError } from '../errors.ts';
import { createExplainApp, createHttpApp } from '../places/enforce-api/index.ts';
import type { ProcessorOptions } from '../places/ext-proc/index.ts';
import type { Proxy } from '../places/proxy/index.ts';
import { InFlight, Lifecycle, statusOf } from '../places/listener/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import { loadMetrics, type Metrics } from '../telemetry/metrics/index.ts';
import {
  loadPdpMetrics,
  withTracing,
  type Asked,
  type Pdp,
  type PdpConnection,
  type Port,
} from '../pdp/index.ts';
import { TRACING_OFF, type Tracing } from '../telemetry/traces/index.ts';

/** The service, put together and not yet listening. */
export interface App {
  readonly handler: Express;
  /** Undefined if none is configured. */
  readonly proxy: Proxy | undefined;
  /** What the external processor of Envoy needs; undefined if none is configured. */
  readonly processor: ProcessorOptions | undefined;
  /** Answers `POST /explain`; undefined if it is not wanted. */
  readonly explain: Express | undefined;
  readonly lifecycle: Lifecycle;
  /** Whether the PDP can be reached. */
  connection(): Promise<PdpConnection>;
  /** Undefined if no port for metrics is configured. */
  readonly metrics: Metrics | undefined;
  /** Counts the answer to a message that is not a valid HTTP request. */
  readonly onMalformed: (error: ServiceError) => void;
  /** Lets go of the PDP, and sends the traces that were not sent yet. */
  close(): Promise<void>;
}

interface Measuring {
  readonly metrics: Metrics | undefined;
  readonly measure: <Q extends Asked, A>(port: Port<Q, A>) => Port<Q, A>;
}

interface AppParts {
  /** Asked in place of the configured one. */
  readonly pdp?: Pdp;
  /** There are no traces unless given. */
  readonly tracing?: Tracing;
}

/**
 * Puts the service together from its configuration.
 *
 * @throws ConfigurationError if a file that the PDP or a mask needs is wrong
 */
export async function createApp(
  configuration: Configuration,
  log: Logger,
  parts: AppParts = {},
): Promise<App> {
  const { tracing = TRACING_OFF } = parts;
  const lifecycle = new Lifecycle();
  const inFlight = new InFlight({
    requests: configuration.maxInFlight,
    streams: configuration.maxStreams,
    bytes: configuration.maxInFlightBody * BYTES_PER_MB,
  });
  const { metrics, measure } = await openMetrics(configuration, inFlight);
  const instrument = <Q extends Asked, A>(port: Port<Q, A>): Port<Q, A> =>
    measure(withTracing(port, tracing));
  const { pdp, policies } =
    parts.pdp === undefined
      ? await openPdp(configuration, { log, metrics, instrument })
      : { pdp: instrument(parts.pdp), policies: undefined };
  const keys = await openConfiguredKeys(configuration, log);
  const callers = await openCallers(configuration, log);
  if (areTokensIdle(configuration)) warnOfIdleTokens(log);
  const ports = {
    pdp,
    settings: configuration,
    scheduler: new EventLoopScheduler(),
    plans: new Plans(),
    warnings: new GivenWarnings(),
    keys,
  };
  const connection = () => pdp.connection();
  const limits = payloadLimits(configuration);
  const enforcement = {
    ...ports,
    pdp,
    connection,
    body: { limit: limits.payload, timeout: configuration.bodyTimeout, inFlight },
    maxAnswer: limits.answer,
    report: configuration.report,
    lifecycle,
    callers: configuration.identity.required ? callers : undefined,
    subjects: asksSubject(configuration) ? callers : undefined,
    log,
    tracing,
  };
  const proxy = await createConfiguredProxy(configuration, {
    ports,
    callers,
    inFlight,
    lifecycle,
    log,
    tracing,
    observe: (outcome) => metrics?.observeProxied(outcome),
  });
  const processor = configuredProcessor(configuration, {
    ports,
    callers,
    inFlight,
    log,
    tracing,
    observe: (report) => metrics?.observeExchange(report),
  });
  const { explain, maxExplained } = configuration;
  return {
    proxy,
    processor,
    handler: createHttpApp({ ...enforcement, observe: (outcome) => metrics?.observe(outcome) }),
    explain:
      explain.port === undefined
        ? undefined
        : createExplainApp({ ...enforcement, isLocal: isLoopback(explain.host), maxExplained }),
    lifecycle,
    metrics,
    connection,
    onMalformed: (error) => reportMalformed(error, log, metrics),
    async close() {
      policies?.close();
      keys.close();
      await callers?.close();
      await proxy?.close();
      await pdp.close();
      await tracing.close();
    },
  };
}

/** The PDP of the configuration, and the policies of the embedded one. */
async function openPdp(
  configuration: Configuration,
  {
    log,
    metrics,
    instrument,
  }: Pick<PdpObservers, 'log' | 'instrument'> & { readonly metrics: Metrics | undefined },
) {
  const policies = await openPolicies(configuration, { log, metrics: metrics?.observePolicies() });
  const pdp = await createConfiguredPdp(configuration, policies, {
    log,
    instrument,
    observeBreaker: () => metrics?.observeBreaker() ?? (() => undefined),
    observeRetries: () => metrics?.observeRetries() ?? (() => undefined),
  });
  return { pdp, policies };
}

/** The metrics, if the configuration has a port for them, and what measures the calls of a PDP. */
async function openMetrics({ metrics: { port } }: Configuration, inFlight: InFlight): Promise<Measuring> {
  if (port === undefined) return { metrics: undefined, measure: (pdp) => pdp };
  const [{ Metrics }, { withMetrics }] = await Promise.all([loadMetrics(), loadPdpMetrics()]);
  const metrics = new Metrics(inFlight);
  return { metrics, measure: (pdp) => withMetrics(pdp, metrics.registry) };
}

/** The line and the count of a message that has neither a method nor a path. */
function reportMalformed({ code, message }: ServiceError, log: Logger, metrics?: Metrics): void {
  const status = statusOf(code);
  log.info('Request', { path: 'unknown', status, error: code, detail: message });
  metrics?.observeMalformed(code, status);
}

import type { Express } from 'express';
import { resolveEndpoints } from './config/endpoints.ts';
import type { Configuration } from './config/schema.ts';
import { Turns } from './enforce/turns.ts';
import type { ServiceError } from './errors.ts';
import { createHttpApp } from './http/http-app.ts';
import { InFlight } from './http/in-flight.ts';
import { Lifecycle } from './http/lifecycle.ts';
import type { Logger } from './logging/logger.ts';
import { Metrics } from './metrics/metrics.ts';
import { createEmbeddedPdp } from './pdp/embedded/adapter.ts';
import { loadPolicyFile } from './pdp/embedded/policy-file/load.ts';
import { createHttpPdp } from './pdp/http/adapter.ts';
import type { PdpPort } from './pdp/port.ts';

const BYTES_PER_MB = 1024 * 1024;
/** The longest decision that is read, in bytes: far more than any real one, and no danger to the process. */
const MAX_ANSWER_BYTES = 16 * BYTES_PER_MB;

/** The service, put together and not yet listening. */
export interface App {
  readonly handler: Express;
  readonly lifecycle: Lifecycle;
  /** Undefined where none are wanted. */
  readonly metrics: Metrics | undefined;
  /** Has to be told what is answered to messages that never become a request. */
  readonly onMalformed: (error: ServiceError) => void;
  /** Lets go of the PDP. */
  close(): Promise<void>;
}

/**
 * Puts the service together from its configuration.
 *
 * @param givenPdp asked in place of the configured one
 * @throws ConfigurationError where the policy file of the embedded PDP is wrong
 */
export function createApp(configuration: Configuration, log: Logger, givenPdp?: PdpPort): App {
  const lifecycle = new Lifecycle();
  const inFlight = new InFlight({
    requests: configuration.maxInFlight,
    bytes: configuration.maxInFlightBody * BYTES_PER_MB,
  });
  const metrics = configuration.metrics.port === undefined ? undefined : new Metrics(inFlight);
  const adapter = givenPdp ?? createPdp(configuration);
  const pdp = metrics?.measure(adapter) ?? adapter;
  const handler = createHttpApp({
    pdp,
    configuration,
    turns: new Turns(),
    body: { limit: configuration.maxBody * BYTES_PER_MB, timeout: configuration.bodyTimeout, inFlight },
    answerTimeout: configuration.answerTimeout,
    lifecycle,
    log,
    observe: (outcome) => metrics?.observe(outcome),
  });
  return {
    handler,
    lifecycle,
    metrics,
    onMalformed: (error) => reportMalformed(error, log, metrics),
    close: () => pdp.close(),
  };
}

/** The line and the count of a message that has neither a method nor a path. */
function reportMalformed({ code, status, message }: ServiceError, log: Logger, metrics?: Metrics): void {
  log.info('Request', { path: 'unknown', status, error: code, detail: message });
  metrics?.observeMalformed(code, status);
}

function createPdp(configuration: Configuration): PdpPort {
  if (configuration.policyFile !== undefined)
    return createEmbeddedPdp(loadPolicyFile(configuration.policyFile));
  return createHttpPdp({
    endpoints: resolveEndpoints(configuration),
    timeout: configuration.pdpTimeout,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
}

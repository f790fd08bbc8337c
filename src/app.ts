import type { Express } from 'express';
import { resolveEndpoints } from './config/endpoints.ts';
import type { Configuration } from './config/schema.ts';
import { createHttpApp } from './http/http-app.ts';
import { Lifecycle } from './http/lifecycle.ts';
import type { Logger } from './logging/logger.ts';
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
  /** Lets go of the PDP. */
  close(): Promise<void>;
}

/**
 * Puts the service together from its configuration.
 *
 * @throws ConfigurationError where the policy file of the embedded PDP is wrong
 */
export function createApp(configuration: Configuration, log: Logger): App {
  const pdp = createPdp(configuration);
  const lifecycle = new Lifecycle();
  const maxBody = configuration.maxBody * BYTES_PER_MB;
  return {
    handler: createHttpApp({ pdp, configuration, maxBody, lifecycle, log }),
    lifecycle,
    close: () => pdp.close(),
  };
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

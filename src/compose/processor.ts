import { payloadLimits, type Configuration } from '../config/index.ts';
import type { EnforcementPorts } from '../enforcement/index.ts';
import type { Callers } from '../identity/index.ts';
import type { ProcessorOptions } from '../places/ext-proc/index.ts';
import type { InFlight } from '../places/listener/index.ts';
import { compileRoutes } from '../places/routes/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import type { Tracing } from '../telemetry/traces/index.ts';
import { asksSubject } from './tokens.ts';
import { warnOfRoutes } from './doubtful-routes.ts';

/** What the external processor shares with the rest of the service. */
interface SharedParts {
  readonly ports: EnforcementPorts;
  readonly callers: Callers | undefined;
  readonly inFlight: InFlight;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly observe: ProcessorOptions['observe'];
}

/** What the external processor of a configuration needs; undefined if it has none. */
export function configuredProcessor(
  configuration: Configuration,
  { ports, ...shared }: SharedParts,
): ProcessorOptions | undefined {
  const { extProc, bodyTimeout, report } = configuration;
  if (extProc.port === undefined) return undefined;
  const routes = compileRoutes(configuration, { asksSubject: asksSubject(configuration) });
  warnOfRoutes(routes, shared.log);
  const { payload: maxBody, answer: maxAnswer } = payloadLimits(configuration);
  return { ...ports, ...shared, routes, maxBody, maxAnswer, bodyTimeout, report };
}

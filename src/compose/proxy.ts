import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { payloadLimits, type Configuration } from '../config/index.ts';
import type { EnforcementPorts } from '../enforcement/index.ts';
import type { Callers } from '../identity/index.ts';
import { loadProxy, type Proxy } from '../places/proxy/index.ts';
import { compileRoutes } from '../places/routes/index.ts';
import type { InFlight, Lifecycle } from '../places/listener/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import type { ProxyOutcome } from '../telemetry/metrics/index.ts';
import type { Tracing } from '../telemetry/traces/index.ts';
import { asksSubject } from './tokens.ts';
import { warnOfRoutes } from './doubtful-routes.ts';

/** What the proxy shares with the rest of the service. */
interface SharedParts {
  readonly ports: EnforcementPorts;
  readonly callers: Callers | undefined;
  readonly inFlight: InFlight;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly observe: (outcome: ProxyOutcome) => void;
}

/** The reverse proxy of a configuration; undefined if it has none. */
export async function createConfiguredProxy(
  configuration: Configuration,
  { ports, ...shared }: SharedParts,
): Promise<Proxy | undefined> {
  const { proxy, bodyTimeout, answerTimeout, trustedHeaders } = configuration;
  const { port, upstream, timeout } = proxy;
  if (port === undefined || upstream === undefined) return undefined;
  const { maxBody = configuration.maxBody } = proxy;
  const limits = payloadLimits({ maxBody, maxAnswer: configuration.maxAnswer });
  const routes = compileRoutes(configuration, { asksSubject: asksSubject(configuration) });
  warnOfRoutes(routes, shared.log);
  const { createProxy } = await loadProxy();
  return createProxy({
    ...ports,
    ...shared,
    upstream,
    timeout,
    routes,
    trusted: new Set(trustedHeaders.map((name) => name.toLowerCase())),
    pseudonym: pseudonymOf(port),
    maxBody: limits.payload,
    maxAnswer: limits.answer,
    report: configuration.report,
    bodyTimeout,
    answerTimeout,
  });
}

/** The same for all processes of this service, and for none of another host. */
function pseudonymOf(port: number): string {
  const id = createHash('sha256').update(`${hostname()}:${port}`).digest('hex').slice(0, 8);
  return `authz-jsonmasking-${id}`;
}

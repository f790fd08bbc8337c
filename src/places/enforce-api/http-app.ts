import type { Express, Router } from 'express';
import type { Logger } from '../../telemetry/log/index.ts';
import type { PdpConnection } from '../../enforcement/index.ts';
import { enforceRoute, type EnforceRouteOptions } from './enforce-route.ts';
import { liveness, readiness } from './health-routes.ts';
import { describeService } from './openapi/route.ts';
import type { RequestOutcome } from '../../telemetry/metrics/index.ts';
import { addRoute, appOf, createRouter } from './routes.ts';

interface HttpAppOptions extends EnforceRouteOptions {
  /** Whether the PDP can be reached. */
  readonly connection: () => Promise<PdpConnection>;
  readonly log: Logger;
  /** Called with each exchange that is over. */
  readonly observe: (outcome: RequestOutcome) => void;
}

/** Every endpoint of the HTTP API, and every error that it answers. */
export function createHttpApp(options: HttpAppOptions): Express {
  return appOf(routes(options), options);
}

function routes(options: HttpAppOptions): Router {
  const router = createRouter();
  addRoute(router, 'post', '/enforce', enforceRoute(options));
  addRoute(router, 'get', '/health/liveness', [liveness]);
  addRoute(router, 'get', '/health/readiness', [readiness(options)]);
  addRoute(router, 'get', '/openapi.json', [describeService]);
  return router;
}

import express, { type Express, type RequestHandler, type Router } from 'express';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import type { PdpConnection } from '../../enforcement/index.ts';
import { enforceRoute, type EnforceRouteOptions } from './enforce-route.ts';
import { answerWithProblem } from './errors.ts';
import { fieldsOf, openExchange, valuesOf } from '../listener/index.ts';
import { liveness, readiness } from './health-routes.ts';
import { describeService } from './openapi/route.ts';
import type { RequestOutcome } from '../../telemetry/metrics/index.ts';
import { addRoute, createRouter, noSuchPath } from './routes.ts';

interface HttpAppOptions extends EnforceRouteOptions {
  /** Whether the PDP can be reached. */
  readonly connection: () => Promise<PdpConnection>;
  readonly log: Logger;
  /** Called with each exchange that is over. */
  readonly observe: (outcome: RequestOutcome) => void;
}

/** Every endpoint of the HTTP API, and every error that it answers. */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const router = routes(options);
  app.use(openExchange(options), refuseUnclearHost, router, noSuchPath(router), answerWithProblem);
  return app;
}

function routes(options: HttpAppOptions): Router {
  const router = createRouter();
  addRoute(router, 'post', '/enforce', enforceRoute(options));
  addRoute(router, 'get', '/health/liveness', [liveness]);
  addRoute(router, 'get', '/health/readiness', [readiness(options)]);
  addRoute(router, 'get', '/openapi.json', [describeService]);
  return router;
}

/**
 * Refuses a message that does not say once for which host it is: Node would take several and keep the first (RFC 9112 §3.2).
 */
const refuseUnclearHost: RequestHandler = (request, _response, next) => {
  const { length: hosts } = valuesOf(fieldsOf(request.rawHeaders), 'host');
  if (hosts > 1) throw new ServiceError('http-malformed', 'The message has more than one Host field.');
  if (hosts === 0 && request.httpVersion === '1.1') {
    throw new ServiceError('http-malformed', 'The message has no Host field.');
  }
  next();
};

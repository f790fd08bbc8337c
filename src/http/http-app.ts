import express, { Router, type Express, type RequestHandler } from 'express';
import type { EnforceDependencies } from '../enforce/enforce.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import { enforceRoute } from './enforce-route.ts';
import { answerWithProblem } from './errors.ts';
import { openExchange } from './exchange.ts';
import { liveness, readiness } from './health-routes.ts';
import type { Lifecycle } from './lifecycle.ts';
import { describeService } from './openapi/route.ts';
import { addRoute, noSuchPath } from './routes.ts';

interface HttpAppOptions extends EnforceDependencies {
  /** Bytes. */
  readonly maxBody: number;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
}

/** What the caller sees: every endpoint of specification 4, every error of enforcement §10. */
export function createHttpApp({ maxBody, lifecycle, log, ...dependencies }: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(
    openExchange(log),
    refuseSeveralHosts,
    routes(dependencies, maxBody, lifecycle),
    noSuchPath,
    answerWithProblem,
  );
  return app;
}

function routes(dependencies: EnforceDependencies, maxBody: number, lifecycle: Lifecycle): Router {
  const router = Router();
  addRoute(router, 'post', '/enforce', enforceRoute(dependencies, maxBody, lifecycle));
  addRoute(router, 'get', '/health/liveness', [liveness]);
  addRoute(router, 'get', '/health/readiness', [readiness(dependencies.pdp, lifecycle)]);
  addRoute(router, 'get', '/openapi.json', [describeService]);
  return router;
}

/** Node takes several `Host` fields and keeps the first; who is meant is then anybody's guess (RFC 9112 §3.2). */
const refuseSeveralHosts: RequestHandler = (request, _response, next) => {
  const hosts = request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw new ServiceError('http-malformed', 'The message has more than one Host field.');
  next();
};

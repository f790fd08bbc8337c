import express, { Router, type Express, type RequestHandler } from 'express';
import { ServiceError } from '../../errors.ts';
import { exchangeOf, fieldsOf, openExchange, valuesOf } from '../listener/index.ts';
import { answerWithProblem } from './errors.ts';

type Method = 'get' | 'post';

/** Takes paths exactly as they are written: a gateway in front that lets some through may know only that spelling. */
export function createRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** Adds a route for one method; every other method on its path is answered with 405. */
export function addRoute(
  router: Router,
  method: Method,
  path: string,
  handlers: readonly RequestHandler[],
): void {
  const allowed = method === 'get' ? 'GET, HEAD' : method.toUpperCase();
  const named: RequestHandler = (_request, response, next) => {
    exchangeOf(response).route = path;
    next();
  };
  const route = router.route(path).all(named);
  route[method](...handlers);
  route.all(() => {
    throw new ServiceError('method-not-allowed', `This path takes ${allowed}.`, {
      headers: { Allow: allowed },
    });
  });
}

/** What answers on a port: the routes, and an error to everything else. */
export function appOf(router: Router, exchange: Parameters<typeof openExchange>[0]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  return app.use(openExchange(exchange), refuseUnclearHost, router, noSuchPath(router), answerWithProblem);
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

/** Answers what no route takes, by naming what routes there are. */
function noSuchPath(router: Router): RequestHandler {
  const paths = router.stack.map(({ route }) => route?.path).filter((path) => path !== undefined);
  const detail = `This port serves no such path. It serves ${paths.join(', ')}.`;
  return () => {
    throw new ServiceError('path-not-found', detail);
  };
}

import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../errors.ts';
import { exchangeOf } from '../listener/index.ts';

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

/** Answers what no route takes, by naming what routes there are. */
export function noSuchPath(router: Router): RequestHandler {
  const paths = router.stack.map(({ route }) => route?.path).filter((path) => path !== undefined);
  const detail = `This port serves no such path. It serves ${paths.join(', ')}.`;
  return () => {
    throw new ServiceError('path-not-found', detail);
  };
}

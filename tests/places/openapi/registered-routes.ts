import type { Express, IRouter } from 'express';
import _ from 'lodash';

/** Every route of an Express app, as in `POST /enforce`. */
export function registeredRoutes(app: Express): readonly string[] {
  return routesOf(app.router);
}

function routesOf({ stack }: Pick<IRouter, 'stack'>): readonly string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route) return methodsOf(route).map((method) => `${method} ${route.path}`);
    return isRouter(handle) ? routesOf(handle) : [];
  });
}

/** Handlers of every method only refuse those that are not taken. */
function methodsOf(route: {
  readonly stack: readonly { readonly method: string | undefined }[];
}): readonly string[] {
  return _.uniq(route.stack.flatMap(({ method }) => (method === undefined ? [] : [method.toUpperCase()])));
}

function isRouter(handle: object): handle is IRouter {
  return 'stack' in handle;
}

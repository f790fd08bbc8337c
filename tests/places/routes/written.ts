import * as z from 'zod';
import {
  ROUTE_KEYS,
  compileRoutes,
  type Route,
  type RouteMatch,
  type Routes,
} from '../../../src/places/routes/index.ts';

const schema = z.strictObject(ROUTE_KEYS);

/** Routes as an operator writes them. @param asksSubject whether the PDP is asked about a subject */
export function routesFrom(written: unknown, asksSubject = false): Routes {
  return compileRoutes(schema.parse(written), { asksSubject });
}

/** The route that a request takes. */
export function routeIn({ route }: RouteMatch): Route {
  return route;
}

/** The vendor of an intent as JSON text. */
export function vendorIn({ vendor: { doc } }: ReturnType<RouteMatch['intent']>): string {
  return doc.bytes.toString();
}

/** What is wrong with routes: where, and in which words. */
export function problemsIn(written: unknown): readonly string[] {
  const { error } = schema.safeParse(written);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
}

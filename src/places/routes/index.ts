export { compileRoutes, type Route, type RouteMatch, type Routes } from './routes.ts';
export { ROUTE_KEYS } from './section.ts';
export type { UntrustedFields } from './untrusted-fields.ts';

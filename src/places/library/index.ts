/** The library: enforcement in the process of an application. */
export type {
  EnforceOptions,
  Enforcer,
  EnforcerLog,
  EnforcerOptions,
  HeadersLike,
  MaskedPayload,
  MaskResponsesOptions,
  Middleware,
  RouteOptions,
} from './api.ts';
export { EnforcementError } from './enforcement-error.ts';
export { InProcessEnforcer } from './enforcer.ts';
export { requireEnforcerOptions } from './enforcer-options.ts';
export { isObject } from './is-object.ts';
export { maskingMiddleware } from './express/mask-responses.ts';
export { libraryLog } from './log.ts';
export { routesFrom } from './option-routes.ts';

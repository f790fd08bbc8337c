import type { IncomingMessage } from 'node:http';
import process from 'node:process';
import { loadInProcess } from './compose/index.ts';
import { checkConfiguration } from './config/index.ts';
import {
  EnforcementError,
  InProcessEnforcer,
  isObject,
  libraryLog,
  maskingMiddleware,
  requireEnforcerOptions,
  routesFrom,
  type Enforcer,
  type EnforcerOptions,
  type MaskResponsesOptions,
  type Middleware,
} from './places/library/index.ts';
import { oldNodeProblem } from './node-version.ts';
import { ConfigurationError, configurationError } from './yaml/index.ts';

export { ConfigurationError, EnforcementError };
export type { ErrorCode, FieldProblem } from './errors.ts';
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
} from './places/library/index.ts';

const NAME = 'The configuration';

const oldNode = oldNodeProblem(process.versions.node);
if (oldNode !== undefined) throw new Error(oldNode);

/**
 * Creates an enforcer in this process.
 *
 * @param configuration the keys of the configuration file (`docs/configuration.md`). `port` and the other keys that
 *   concern listeners are not required and have no effect. Relative paths start in the current folder. A changed policy
 *   file is loaded within seconds; a wrong one is logged, and the policies that were loaded before stay.
 * @throws ConfigurationError with every problem at once
 */
export async function createEnforcer(
  configuration: Readonly<Record<string, unknown>>,
  options: EnforcerOptions = {},
): Promise<Enforcer> {
  if (!isObject(configuration))
    throw configurationError(NAME, [{ key: '', message: 'It has to be an object, such as { policyFile }.' }]);
  requireEnforcerOptions(options);
  const checked = await checkConfiguration(
    { port: 0, ...configuration },
    { name: NAME, folder: process.cwd() },
  );
  const log = await libraryLog(checked.log, options.log);
  const { openLastingInProcess } = await loadInProcess();
  return new InProcessEnforcer({ ...(await openLastingInProcess(checked, log)), log });
}

/**
 * Middleware for Express that enforces what `res.json`, `res.send` and every other way to answer send. If an answer
 * cannot be enforced, the client gets a problem document (RFC 9457) and nothing of the answer's body.
 *
 * @param enforcer from `createEnforcer`
 * @throws ConfigurationError with every problem of the options at once
 */
export function maskResponses<Request extends IncomingMessage>(
  enforcer: Enforcer,
  options: MaskResponsesOptions<Request>,
): Middleware<Request> {
  if (!(enforcer instanceof InProcessEnforcer))
    throw new TypeError('The enforcer has to be from createEnforcer.');
  const routes = routesFrom(options, enforcer.parts.callers !== undefined, enforcer.parts.asksSubject);
  return maskingMiddleware(enforcer, options, routes);
}

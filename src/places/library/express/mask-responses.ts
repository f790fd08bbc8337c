import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderFields, Intent } from '../../../enforcement/index.ts';
import { ServiceError } from '../../../errors.ts';
import { changesOfPassing, conditionsOf, notEnforceable, type AnswerPlan } from '../../answer/index.ts';
import {
  fieldsOf,
  namedByConnection,
  requestIdFrom,
  valuesOf,
  withoutFields,
  type HiddenFields,
} from '../../listener/index.ts';
import type { Routes } from '../../routes/index.ts';
import type { MaskResponsesOptions, Middleware } from '../api.ts';
import type { InProcessEnforcer } from '../enforcer.ts';
import { answerEnforced, logProblem, sendProblem, type Enforceable, type Exchange } from './answer.ts';
import { holdResponse } from './held-response.ts';
import { intentOfRequest } from './intent.ts';
import { change, fieldsIn, planOf } from './response-head.ts';

/**
 * Masks the JSON that an application answers. An answer that cannot be enforced becomes a problem document (RFC 9457), and
 * nothing of its body is sent.
 *
 * @param routes which requests are enforced, and how
 */
export function maskingMiddleware<Request extends IncomingMessage>(
  enforcer: InProcessEnforcer,
  options: MaskResponsesOptions<Request>,
  routes: Routes,
): Middleware<Request> {
  /** The responses that it holds: who mounts it twice, for the application and for a router, means it once. */
  const held = new WeakSet<ServerResponse>();
  return (request, response, next) => {
    if (held.has(response)) return next();
    const exchange = openExchange(enforcer, request, response);
    let run: (application: () => void) => void;
    try {
      const fields = fieldsOf(request.rawHeaders);
      const match = routes.find(request.method ?? '', targetOf(request), fields, servedBy(request));
      const { route } = match;
      if (route.treatment === 'pass') return next();
      if (route.treatment === 'refuse')
        throw new ServiceError('route-refused', 'Requests for this path are refused.');
      refuseNamedByConnection(fields);
      hide(request, fields, conditionsOf(match.methods));
      const sources = { enforcer, options, match, untrustedHeaders: routes.untrustedHeaders };
      const intentOf = (): Promise<Intent> => intentOfRequest(sources, request);
      const { passesNonJson } = route;
      // Many applications know the user by a cookie.
      const identityHeaders = ['Cookie', ...route.identityHeaders];
      held.add(response);
      run = hold({ ...exchange, signal: goneOf(response), identityHeaders, intentOf }, passesNonJson);
    } catch (error) {
      return refuse(exchange, error);
    }
    run(() => next());
  };
}

function openExchange(
  enforcer: InProcessEnforcer,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const requestId = requestIdFrom(request.headers['x-request-id']?.toString());
  return { enforcer, request, response, requestId };
}

/**
 * Refuses a request whose `Connection` names another of its fields: the PDP would not get it, and the application would.
 *
 * @throws ServiceError `http-malformed`
 */
function refuseNamedByConnection(fields: HeaderFields): void {
  const named = namedByConnection(fields).find((name) => valuesOf(fields, name).length > 0);
  if (named !== undefined)
    throw new ServiceError(
      'http-malformed',
      `Connection names the field ${named}, which would not reach the PDP.`,
    );
}

/**
 * Removes header fields everywhere: frameworks read them in each of these.
 *
 * @param fields of the request
 */
function hide(request: IncomingMessage, fields: HeaderFields, hidden: HiddenFields): void {
  const { headers, rawHeaders } = request;
  // Middleware may have added some.
  for (const name of hidden.names) delete headers[name];
  const kept = withoutFields(fields, hidden);
  if (kept === fields) return;
  // Node.js makes these of the raw ones when they are first asked for, and counts on the number of those.
  for (const all of [headers, request.headersDistinct])
    for (const name of Object.keys(all)) if (hidden.has(name)) delete all[name];
  rawHeaders.length = 0;
  for (const [name, value] of kept) rawHeaders.push(name, value);
}

/** Aborted when the client is gone. */
function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** What frameworks make of a request: each part that is mounted sees the rest of the path as its `url`. */
type Routed = IncomingMessage & { readonly originalUrl?: string; readonly baseUrl?: string };

/** The path as the client sent it. */
function targetOf({ originalUrl, url = '' }: Routed): string {
  return originalUrl ?? url;
}

/** The path that the application serves: another one if middleware before this one rewrites it. */
function servedBy(request: Routed): string {
  const { baseUrl, url = '' } = request;
  const target = targetOf(request);
  // The rest of the path gets a slash if it has none.
  const rests = [url, url.replace(/^\//u, '')];
  const isMounted = rests.some((rest) =>
    baseUrl === undefined ? target.endsWith(rest) : target === `${baseUrl}${rest}`,
  );
  return isMounted ? target : `${baseUrl ?? ''}${url}`;
}

/** @returns runs the application */
function hold(exchange: Enforceable, passesNonJson: boolean): (application: () => void) => void {
  const { request, response, enforcer, identityHeaders } = exchange;
  let plan: AnswerPlan = { kind: 'bodiless' };
  return holdResponse(response, {
    limit: enforcer.parts.limits.payload,
    mustHold: () => {
      plan = planOf(request, response, passesNonJson);
      return plan.kind !== 'pass';
    },
    beforePassing: () => change(response, changesOfPassing(fieldsIn(response), identityHeaders)),
    problemWithBody: () => (plan.kind === 'refuse' ? notEnforceable(plan.reason) : undefined),
    onAnswer: (answer, send) =>
      void answerEnforced({ ...exchange, plan }, answer, send).catch(() => response.destroy()),
    onBypass: () => logProblem(exchange, notEnforceable('it is sent past the methods of the response')),
  });
}

function refuse(exchange: Exchange, error: unknown): void {
  const { response } = exchange;
  sendProblem(exchange, error, (body, prepare) => {
    prepare();
    response.end(body);
  });
}

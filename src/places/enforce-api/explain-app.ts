import { isIP } from 'node:net';
import type { Express, RequestHandler } from 'express';
import _ from 'lodash';
import { enforce, type Enforced } from '../../enforcement/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { exchangeOf } from '../listener/index.ts';
import { enforcementRoute, readExchange, sendPayload, type EnforceRouteOptions } from './enforce-route.ts';
import { addRoute, appOf, createRouter } from './routes.ts';

export interface ExplainAppOptions extends EnforceRouteOptions {
  /** How many changes, and how many records, are explained at most. */
  readonly maxExplained: number;
  /** Whether only programs on the same machine, or in the same pod, can connect. */
  readonly isLocal: boolean;
  readonly log: Logger;
}

/** `POST /explain` on a port that callers do not reach: what `POST /enforce` answers, and why. */
export function createExplainApp(options: ExplainAppOptions): Express {
  const router = createRouter();
  const { isLocal, log, lifecycle } = options;
  const guards = isLocal ? [refuseOtherNames] : [];
  addRoute(router, 'post', '/explain', [...guards, ...enforcementRoute(options, explainHandler(options))]);
  return appOf(router, { log, lifecycle, observe: () => undefined });
}

/**
 * Refuses a request that names another host. A page that is open in a browser on the same machine can send such requests
 * by a name that a DNS server points here (DNS rebinding), and read the answer.
 */
const refuseOtherNames: RequestHandler = ({ headers: { host = '' } }, _response, next) => {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/gu, '') ?? '';
  if (name !== 'localhost' && isIP(name) === 0) {
    const detail =
      'Explanations are for programs on the same machine. Ask for them as localhost, or by an IP address.';
    throw new ServiceError('request-invalid', detail);
  }
  next();
};

function explainHandler({ maxExplained, ...options }: ExplainAppOptions): RequestHandler {
  return async (request, response) => {
    const { payload, intent, ports } = await readExchange(request, response, options);
    const explain = { maxExplained, maxBytes: options.maxAnswer };
    const enforced = await enforce(payload, intent, { ...ports, explain });
    exchangeOf(response).counts = enforced.counts;
    const answer = explained(enforced);
    ports.room.reserve(_.sumBy(answer, 'length'));
    sendPayload(response, answer);
  };
}

/** The bytes of the payload are those that `POST /enforce` answers. */
function explained({ payload, explanation }: Enforced): readonly Buffer[] {
  const others = JSON.stringify(explanation).slice(1);
  return [Buffer.from('{"payload":'), ...payload, Buffer.from(`,${others}`)];
}

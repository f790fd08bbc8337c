import type { Express, RequestHandler } from 'express';
import _ from 'lodash';
import { enforce, type Enforced } from '../../enforcement/index.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import { exchangeOf } from '../listener/index.ts';
import { enforcementRoute, readExchange, sendPayload, type EnforceRouteOptions } from './enforce-route.ts';
import { addRoute, appOf, createRouter } from './routes.ts';

export interface ExplainAppOptions extends EnforceRouteOptions {
  /** How many changes, and how many records, are explained at most. */
  readonly maxExplained: number;
  readonly log: Logger;
}

/** `POST /explain` on a port that callers do not reach: what `POST /enforce` answers, and why. */
export function createExplainApp(options: ExplainAppOptions): Express {
  const router = createRouter();
  addRoute(router, 'post', '/explain', enforcementRoute(options, explainHandler(options)));
  const { log, lifecycle } = options;
  return appOf(router, { log, lifecycle, observe: () => undefined });
}

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

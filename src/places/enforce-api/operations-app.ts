import type { Express, RequestHandler, Router } from 'express';
import { RETRY_SOON, ServiceError } from '../../errors.ts';
import type { PdpConnection } from '../../enforcement/index.ts';
import type { Logger } from '../../telemetry/log/index.ts';
import type { Lifecycle } from '../listener/index.ts';
import { liveness, readiness } from './health-routes.ts';
import { addRoute, appOf, createRouter } from './routes.ts';

/** Media type of the metrics: Prometheus' text format. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What the health endpoints look at. */
export interface Health {
  /** Whether the PDP can be reached. */
  readonly connection: () => Promise<PdpConnection>;
  readonly lifecycle: Lifecycle;
  /** What keeps the service from serving besides that, as a sentence. */
  readonly obstacle?: () => string | undefined;
}

interface OperationsAppOptions {
  /** Undefined: no health endpoints. */
  readonly health: Health | undefined;
  /** Reads the metrics in Prometheus' text format. Undefined: no `/metrics`. */
  readonly metrics: (() => Promise<string>) | undefined;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
}

/** What operators and kubelets see on a port that callers do not reach: health as on the main port, and metrics. */
export function createOperationsApp({ health, metrics, lifecycle, log }: OperationsAppOptions): Express {
  const router = createRouter();
  if (health) addHealth(router, health);
  if (metrics) addRoute(router, 'get', '/metrics', [describeMetrics(metrics, log)]);
  return appOf(router, { log, lifecycle, observe: () => undefined });
}

function addHealth(router: Router, health: Health): void {
  addRoute(router, 'get', '/health/liveness', [liveness]);
  addRoute(router, 'get', '/health/readiness', [refuseOver(health.obstacle), readiness(health)]);
}

function refuseOver(obstacle: Health['obstacle']): RequestHandler {
  return (_request, _response, next) => {
    const detail = obstacle?.();
    if (detail === undefined) return next();
    throw new ServiceError('not-ready', detail, { headers: RETRY_SOON });
  };
}

function describeMetrics(read: () => Promise<string>, log: Logger): RequestHandler {
  return async (_request, response) => {
    const text = await read().catch((error: unknown) => {
      log.error('Reading metrics failed', { error });
      throw new ServiceError('internal-error', 'The metrics cannot be read.');
    });
    response.set('Content-Type', METRICS_TYPE).send(Buffer.from(text));
  };
}

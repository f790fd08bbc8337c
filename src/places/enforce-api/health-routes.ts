import type { RequestHandler, Response } from 'express';
import { RETRY_SOON, ServiceError } from '../../errors.ts';
import type { PdpConnection } from '../../enforcement/index.ts';
import type { Lifecycle } from '../listener/index.ts';

/** `GET /health/liveness`: the process answers, whether or not the PDP does: a restart would not help. */
export const liveness: RequestHandler = (_request, response) => {
  answer(response, 'live');
};

interface ReadinessOptions {
  /** Whether the PDP can be reached. */
  readonly connection: () => Promise<PdpConnection>;
  readonly lifecycle: Lifecycle;
}

/** `GET /health/readiness`: the service takes requests and the PDP can be reached (docs/operations.md#health). */
export function readiness({ connection, lifecycle }: ReadinessOptions): RequestHandler {
  return async (_request, response) => {
    lifecycle.refuseWhileLeaving();
    const pdp = await connection();
    if (!pdp.connected) {
      const detail = `The PDP is not connected: ${pdp.reason}.`;
      throw new ServiceError('not-ready', detail, { headers: RETRY_SOON });
    }
    answer(response, 'ready');
  };
}

function answer(response: Response, status: string): void {
  response.set('Cache-Control', 'no-store').json({ status });
}

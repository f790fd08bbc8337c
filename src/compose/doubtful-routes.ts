import type { Routes } from '../places/routes/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** So many paths are named. */
const MOST_NAMED = 10;

/** Whether any route probably does not do what it is meant to. */
export function areDoubtful({ untrustedHeaders, unreached }: Routes): boolean {
  return untrustedHeaders.names.size > 0 || unreached().length > 0;
}

/** Logs what routes probably do not do as they are meant to. */
export function warnOfRoutes({ untrustedHeaders, unreached }: Routes, log: Logger): void {
  const { names } = untrustedHeaders;
  if (names.size > 0)
    log.warn('Routes use header fields that are dropped from requests; list them in trustedHeaders', {
      headers: [...names],
    });
  const routes = unreached().slice(0, MOST_NAMED);
  if (routes.length > 0)
    log.warn('Routes are never reached: one above takes all of their requests', { routes });
}

import type { Logger } from '../telemetry/log/index.ts';

/** @param headers the header fields that routes name and that no gateway is trusted with */
export function warnOfUntrusted(headers: ReadonlySet<string>, log: Logger): void {
  if (headers.size === 0) return;
  log.warn('Routes use header fields that are dropped from requests; list them in trustedHeaders', {
    headers: [...headers],
  });
}

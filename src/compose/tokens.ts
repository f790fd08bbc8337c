import type { Configuration } from '../config/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** Whether the PDP is asked about the `sub` of a verified token if nothing else names the user. */
export function asksSubject({ pdpProtocol }: Configuration): boolean {
  return pdpProtocol !== 'resolution';
}

/** Whether no request has its token verified, although the configuration says which tokens are valid. */
export function areTokensIdle(configuration: Configuration): boolean {
  const { identity, proxy, extProc } = configuration;
  const isUsed = identity.required || proxy.port !== undefined || extProc.port !== undefined;
  return identity.jwt.issuer !== undefined && !isUsed && !asksSubject(configuration);
}

export function warnOfIdleTokens(log: Logger): void {
  log.warn(
    'No request has its token verified: identity.jwt does nothing without identity.required, proxy or extProc',
  );
}

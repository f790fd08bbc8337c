import type { Configuration } from '../config/index.ts';
import { loadCallers, type Callers } from '../identity/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** Verifies the tokens of callers; undefined if the configuration has no `identity.jwt`. */
export async function openCallers({ identity }: Configuration, log: Logger): Promise<Callers | undefined> {
  const { issuer, audience, ...others } = identity.jwt;
  if (issuer === undefined || audience === undefined) return undefined;
  const { createCallers } = await loadCallers();
  return createCallers({ issuer, audience, ...others }, (reason) =>
    log.warn('The keys of the identity provider cannot be fetched; keeping the current ones', { reason }),
  );
}

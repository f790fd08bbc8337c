import { createHash, createSecretKey } from 'node:crypto';
import type { MaskKeys } from '../core/index.ts';
import { EventLoopScheduler, GivenWarnings, Plans, type EnforcementPorts } from '../enforcement/index.ts';
import type { PolicyFile } from '../pdp/index.ts';
import { sourcesOfPolicies } from './in-process.ts';

/**
 * Enforcement for tests of a policy file. The keys of hashes are made of their names, so that tests need no
 * secret and hashes are the same in each run.
 *
 * @throws ConfigurationError if the file is wrong
 */
export async function openTestPorts(
  policyFile: string,
  policies: PolicyFile,
): Promise<Omit<EnforcementPorts, 'pdp'>> {
  const { configuration } = await sourcesOfPolicies(policyFile, policies);
  return {
    settings: configuration,
    keys: KEYS_OF_NAMES,
    scheduler: new EventLoopScheduler(),
    plans: new Plans(),
    warnings: new GivenWarnings(),
  };
}

/**
 * A key for every name that a hash may ask for, made of the name: a test that is copied from the playground passes. Hashes with
 * these keys protect nothing.
 */
export const KEYS_OF_NAMES: MaskKeys = { get: (name) => ({ current: keyNamed(name) }) };

function keyNamed(name: string): ReturnType<typeof createSecretKey> {
  return createSecretKey(createHash('sha256').update(`test key ${name}`).digest());
}

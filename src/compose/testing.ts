import { createHash, createSecretKey } from 'node:crypto';
import { EventLoopScheduler, Plans, type EnforcementPorts } from '../enforcement/index.ts';
import { configurationFor } from './in-process.ts';

/**
 * What tests of a policy file are run with. Every name of a key for hashes stands for a key that is made of the name, so that
 * tests need no secret and hashes are the same in each run.
 *
 * @throws ConfigurationError if the file is wrong
 */
export function openTestPorts(policyFile: string): Omit<EnforcementPorts, 'pdp'> {
  return {
    settings: configurationFor(policyFile),
    keys: { get: (name) => ({ current: keyNamed(name) }) },
    scheduler: new EventLoopScheduler(),
    plans: new Plans(),
  };
}

function keyNamed(name: string): ReturnType<typeof createSecretKey> {
  return createSecretKey(createHash('sha256').update(`test key ${name}`).digest());
}

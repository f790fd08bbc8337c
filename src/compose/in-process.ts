import process from 'node:process';
import { checkConfiguration, payloadLimits, type Configuration } from '../config/index.ts';
import { openCallers } from './callers.ts';
import { asksSubject } from './tokens.ts';
import { openConfiguredKeys } from './keys.ts';
import { createConfiguredPdp } from './pdp.ts';
import { openPolicies, readPolicies } from './policies.ts';
import { EventLoopScheduler, GivenWarnings, Plans, type EnforcementPorts } from '../enforcement/index.ts';
import type { Callers } from '../identity/index.ts';
import { filtersRecords, loadEmbeddedPdp, type CurrentPolicies, type PolicyFile } from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';

/** The largest `maxBody` that a configuration can have, in MB. */
const MAX_BODY = 256;

/** Enforcement without a listener: what the library and the commands work with. */
export interface InProcess {
  readonly ports: EnforcementPorts;
  /** The longest payload and the longest answer, in bytes. */
  readonly limits: { readonly payload: number; readonly answer: number };
  /** Verifies tokens; undefined if the configuration has no `identity.jwt`. */
  readonly callers: Callers | undefined;
  /** Whether every payload needs the token of a user (`identity.required`). */
  readonly requiresToken: boolean;
  /** Whether the PDP is asked about the user of the token if nothing else names one. */
  readonly asksSubject: boolean;
  /** Lets go of the PDP and of the files. */
  close(): Promise<void>;
}

/** What enforcement is put together from. */
export interface Sources {
  readonly configuration: Configuration;
  /** The policy file of the configuration, if it is read already. */
  readonly policies?: CurrentPolicies | undefined;
}

/**
 * Puts enforcement together from a configuration, for one run: the policy file is read once. Keys that concern listeners
 * have no effect.
 *
 * @throws ConfigurationError if a file that the PDP or a mask needs is wrong
 */
export async function openInProcess({ configuration, policies }: Sources, log: Logger): Promise<InProcess> {
  return assembled(configuration, policies ?? (await readPolicies(configuration)), log);
}

/** As {@link openInProcess}, for as long as the process runs: the policy file is read again when it changes. */
export async function openLastingInProcess(configuration: Configuration, log: Logger): Promise<InProcess> {
  const policies = await openPolicies(configuration, { log, metrics: undefined });
  try {
    const opened = await assembled(configuration, policies, log);
    return {
      ...opened,
      close() {
        policies?.close();
        return opened.close();
      },
    };
  } catch (error) {
    policies?.close();
    throw error;
  }
}

async function assembled(
  configuration: Configuration,
  policies: CurrentPolicies | undefined,
  log: Logger,
): Promise<InProcess> {
  // If one part cannot be opened, those before it are closed.
  await using opening = new AsyncDisposableStack();
  const keys = opening.adopt(await openConfiguredKeys(configuration, log), (one) => one.close());
  const observers = {
    log,
    instrument: <P>(port: P): P => port,
    observeBreaker: () => () => undefined,
    observeRetries: () => () => undefined,
  };
  const pdp = opening.adopt(await createConfiguredPdp(configuration, policies, observers), (one) =>
    one.close(),
  );
  const callers = opening.adopt(await openCallers(configuration, log), (one) => one?.close());
  const opened = opening.move();
  return {
    ports: {
      pdp,
      settings: configuration,
      keys,
      scheduler: new EventLoopScheduler(),
      plans: new Plans(),
      warnings: new GivenWarnings(),
    },
    limits: payloadLimits(configuration),
    callers,
    requiresToken: configuration.identity.required,
    asksSubject: asksSubject(configuration),
    close: () => opened.disposeAsync(),
  };
}

/**
 * What enforcement is put together from for a policy file alone.
 *
 * @param maskKeys the names that hashes may use; any if it is undefined
 * @throws ConfigurationError if the file is wrong
 */
export async function sourcesFor(
  policyFile: string,
  maskKeys: ReadonlySet<string> | undefined,
): Promise<Sources> {
  const { loadPolicyFile } = await loadEmbeddedPdp();
  return sourcesOfPolicies(policyFile, loadPolicyFile(policyFile, maskKeys));
}

/**
 * The same for a policy file that is read already.
 *
 * @throws ConfigurationError if what it has for the service is wrong
 */
export async function sourcesOfPolicies(policyFile: string, policies: PolicyFile): Promise<Sources> {
  const values = { port: 0, policyFile, ...settingsOf(policies), maxBody: MAX_BODY };
  const configuration = await checkConfiguration(values, { name: policyFile, folder: process.cwd() });
  return { configuration, policies: { current: policies } };
}

/**
 * The settings with which every policy of a file counts. If the file has policies that filter records, filtering is on; if
 * one of them allows records, a user whom none allows any sees none.
 */
export function settingsOf({ policies, assetType }: PolicyFile) {
  const filters = policies.filter(({ action }) => filtersRecords(action));
  const isAllowing = filters.some(({ effect }) => effect === 'allowed');
  return { assetType, filter: filters.length > 0, filterDefault: isAllowing ? 'deny' : 'allow' } as const;
}

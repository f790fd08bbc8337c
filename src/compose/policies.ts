import { configurationError, sentencesOf, UnreadableError } from '../yaml/index.ts';
import { errorIn, type Configuration } from '../config/index.ts';
import {
  loadEmbeddedPdp,
  type CurrentPolicies,
  type PolicyFile,
  type WatchedPolicies,
} from '../pdp/index.ts';
import type { Logger } from '../telemetry/log/index.ts';
import type { PolicyMetrics } from '../telemetry/metrics/index.ts';
import { warningsAbout, warningsWith } from './policy-warnings.ts';

const NAMES = ['attrName', 'object'] as const;

/**
 * The policy file of a configuration; undefined if the PDP is a remote one.
 *
 * @throws ConfigurationError if the file is wrong, or if the configuration gives properties other names than the file
 */
export async function readPolicies(configuration: Configuration): Promise<CurrentPolicies | undefined> {
  const { policyFile } = configuration;
  if (policyFile === undefined) return undefined;
  const { loadPolicyFile } = await loadEmbeddedPdp();
  const policies = await reading(configuration, () => loadPolicyFile(policyFile, keyNames(configuration)));
  checkNames(configuration, policyFile, policies);
  return { current: policies };
}

/** Who learns of the versions of a policy file. */
interface PolicyObservers {
  readonly log: Logger;
  /** Undefined if no port for metrics is configured. */
  readonly metrics: PolicyMetrics | undefined;
}

/**
 * The policy file of a configuration, read again when it changes. A wrong version ({@link readPolicies}) is reported,
 * and the version before stays.
 *
 * @throws ConfigurationError if the first version is wrong
 */
export async function openPolicies(
  configuration: Configuration,
  { log, metrics }: PolicyObservers,
): Promise<WatchedPolicies | undefined> {
  const { policyFile: file } = configuration;
  if (file === undefined) return undefined;
  const { watchPolicyFile } = await loadEmbeddedPdp();
  const reporting = reportPolicies(file, log, metrics);
  return reading(configuration, () =>
    watchPolicyFile(file, {
      maskKeys: keyNames(configuration),
      check: (policies) => checkNames(configuration, file, policies),
      onLoad(version, isFirst) {
        reporting.onLoad(version, isFirst);
        for (const warn of warningsWith(configuration, version.policies)) warn(log);
      },
      onFailure: (problems) => reporting.onFailure(problems),
    }),
  );
}

/** If the file cannot be read, the configuration names a wrong one. */
async function reading<T>(configuration: Configuration, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const message = `names ${configuration.policyFile}, which ${error.problem}`;
    throw errorIn(configuration, [{ key: 'policyFile', message }]);
  }
}

/** What is logged and measured of the versions of a policy file. */
export function reportPolicies(file: string, log: Logger, metrics?: PolicyMetrics): Reporting {
  return {
    onLoad({ hash, policies }, isFirst) {
      metrics?.loaded(hash);
      log[isFirst ? 'debug' : 'info']('Policies loaded', { file, hash, policies: policies.policies.length });
      for (const warn of warningsAbout(policies)) warn(log);
    },
    onFailure(problems) {
      metrics?.failed();
      log.error('Policy file is not valid; keeping the policies that were loaded before', {
        file,
        problems: sentencesOf(problems),
      });
    },
  };
}

type WatchOptions = Parameters<Awaited<ReturnType<typeof loadEmbeddedPdp>>['watchPolicyFile']>[1];
type Reporting = Pick<WatchOptions, 'onLoad' | 'onFailure'>;

function keyNames({ maskKeys }: Configuration): ReadonlySet<string> {
  return new Set(Object.keys(maskKeys));
}

/** A mask under another name would match nothing. */
function checkNames(configuration: Configuration, file: string, policies: PolicyFile): void {
  const problems = NAMES.filter((key) => isOther(configuration[key], policies[key])).map((key) => ({
    key,
    message: `is ${policies[key]} here and ${configuration[key]} in the configuration; remove it there, or make both the same`,
  }));
  if (problems.length > 0) throw configurationError(file, problems);
}

function isOther(configured: string | undefined, inFile: string): boolean {
  return configured !== undefined && configured !== inFile;
}

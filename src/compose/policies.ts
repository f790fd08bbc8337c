import { configurationError } from '../yaml/index.ts';
import type { Configuration } from '../config/index.ts';
import { loadPolicyFile, type PolicyFile } from '../pdp/index.ts';

const NAMES = ['attrName', 'object'] as const;

/**
 * The policy file of a configuration; undefined if the PDP is a remote one.
 *
 * @throws ConfigurationError if the file is wrong, or if the configuration gives properties other names than the file
 */
export function readPolicies(configuration: Configuration): PolicyFile | undefined {
  const { policyFile } = configuration;
  if (policyFile === undefined) return undefined;
  const policies = loadPolicyFile(policyFile, new Set(Object.keys(configuration.maskKeys)));
  const problems = NAMES.filter((key) => isOther(configuration[key], policies[key])).map((key) => ({
    key,
    message: `is ${policies[key]} here and ${configuration[key]} in the configuration; remove it there, or make both the same`,
  }));
  if (problems.length > 0) throw configurationError(policyFile, problems);
  return policies;
}

/** The configuration with the names that the policy file gives to properties: a mask under another name matches nothing. */
export function withNamesOf(policies: PolicyFile | undefined, configuration: Configuration): Configuration {
  if (policies === undefined) return configuration;
  const { attrName, object } = policies;
  return { ...configuration, attrName, object };
}

function isOther(configured: string | undefined, inFile: string): boolean {
  return configured !== undefined && configured !== inFile;
}

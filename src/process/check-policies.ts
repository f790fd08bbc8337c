import { loadEmbeddedPdp } from '../pdp/index.ts';

/**
 * Verifies a policy file without serving it.
 *
 * @returns what to print
 * @throws ConfigurationError with everything that is wrong with it
 */
export async function checkPolicies(file: string): Promise<string> {
  const { loadPolicyFile } = await loadEmbeddedPdp();
  loadPolicyFile(file);
  return `${file}: the policy file is valid.`;
}

import type { PolicyFile } from '../../../policies/index.ts';
import { plainPolicyFile } from './plain.ts';
import { readPolicyText } from './policy-text.ts';

/**
 * Reads and checks a policy file (`docs/policy-file.md`), as `loadPolicyFile` does. What reads files that are not plain, and says
 * what is wrong with them, is loaded if it is needed: that takes longer than a command runs.
 *
 * @param maskKeys the names that hashes may use; any if it is not known who enforces the decisions
 * @throws ConfigurationError with everything that is wrong with it
 */
export async function readPolicyFile(file: string, maskKeys?: ReadonlySet<string>): Promise<PolicyFile> {
  const plain = plainPolicyFile(readPolicyText(file), maskKeys);
  if (plain !== undefined) return plain;
  const { loadPolicyFile } = await import('./load.ts');
  return loadPolicyFile(file, maskKeys);
}

import { loadPolicyWarnings } from '../compose/index.ts';
import { loadEmbeddedPdp } from '../pdp/index.ts';
import { loadLogger } from '../telemetry/log/index.ts';

/**
 * Verifies a policy file without serving it. What is doubtful in it is logged.
 *
 * @returns what to print
 * @throws ConfigurationError with everything that is wrong with it
 */
export async function checkPolicies(file: string): Promise<string> {
  const { loadPolicyFile } = await loadEmbeddedPdp();
  const { warningsAbout } = await loadPolicyWarnings();
  const warnings = warningsAbout(loadPolicyFile(file));
  if (warnings.length > 0) {
    const { createLogger } = await loadLogger();
    const log = createLogger({ level: 'info', format: 'json' });
    for (const warn of warnings) warn(log);
    await log.close();
  }
  return `${file}: the policy file is valid.`;
}

import lodash from 'lodash';
import type { PlacedProblem } from '../../../policies/index.ts';

/** Keys of the configuration that no policy file has. One is enough to recognize a configuration. */
const CONFIGURATION_KEYS = ['port', 'pdpUrl', 'pdpHost', 'policyFile', 'log', 'proxy', 'extProc'];

const HINT =
  'This is a configuration of the service: give it with -c, and the policy file that it names as policyFile with -p.';

/**
 * Recognizes a configuration that was given as a policy file.
 *
 * @returns the one problem to report instead of every key; undefined if the data looks like a policy file
 */
export function configurationProblem(data: unknown): PlacedProblem | undefined {
  if (!lodash.isPlainObject(data) || lodash.has(data, ['policies'])) return undefined;
  const key = CONFIGURATION_KEYS.find((name) => lodash.has(data, [name]));
  return key === undefined ? undefined : { place: [key], message: `is not a key of a policy file. ${HINT}` };
}

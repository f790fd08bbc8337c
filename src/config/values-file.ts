import lodash from 'lodash';
import type { Problem } from '../yaml/index.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keys of the chart's values that no configuration has. One is enough to recognize a values file. */
export const CHART_KEYS: readonly string[] = [
  'enabled',
  'image',
  'replicaCount',
  'resources',
  'policies',
  'service',
  'ingress',
  'autoscaling',
  'networkPolicy',
  'serviceMonitor',
  'sidecar',
  'existingConfigMap',
];

const HINT =
  'This is a values file of the Helm chart. config.yaml has only what is below its config key, at the top level, without indentation.';

/** The sections that a values file has for the configuration: its own, or that of a subchart. */
function configSection(values: Values): string | undefined {
  if (lodash.isPlainObject(values['config'])) return 'config';
  const chart = Object.keys(values).find((name) =>
    lodash.isPlainObject(lodash.get(values, [name, 'config'])),
  );
  return chart === undefined ? undefined : `${chart}.config`;
}

const NAMED_FILE = 'is not a key of config.yaml. The key that names a policy file is policyFile.';
const POLICY_FILE =
  'is not a key of config.yaml. This is a policy file: give it with -p to pdp, enforce and explain, or name it in the configuration as policyFile.';

/**
 * Recognizes a values file of the Helm chart, or a policy file, that was given as the configuration.
 *
 * @returns the one problem to report instead of every key; undefined if the values look like a configuration
 */
export function valuesFileProblem(values: Values): Problem | undefined {
  if (Array.isArray(values['policies'])) return { key: 'policies', message: POLICY_FILE };
  if (typeof values['policies'] === 'string') return { key: 'policies', message: NAMED_FILE };
  const key = configSection(values) ?? CHART_KEYS.find((name) => Object.hasOwn(values, name));
  return key === undefined ? undefined : { key, message: `is not a key of config.yaml. ${HINT}` };
}

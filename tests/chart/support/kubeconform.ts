import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './folder.ts';
import { tools } from './tools.ts';

const SCHEMAS = path.resolve('tests/chart/schemas');

/** The schemas of a version of Kubernetes, then those of custom resources. */
const LOCATIONS = [
  `${SCHEMAS}/{{ .NormalizedKubernetesVersion }}/{{ .ResourceKind }}{{ .KindSuffix }}.json`,
  `${SCHEMAS}/custom/{{ .ResourceKind }}{{ .KindSuffix }}.json`,
];

/**
 * Holds rendered texts against the schemas of the Kubernetes API, without network.
 *
 * @param texts what is rendered, by name
 * @param version such as `1.28.15`
 * @returns what is wrong; empty where nothing is
 */
export function violations(texts: Readonly<Record<string, string>>, version: string): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name.replaceAll(' ', '-')}.yaml`), text);
  }
  const locations = LOCATIONS.flatMap((location) => ['-schema-location', location]);
  const options = ['-strict', '-kubernetes-version', version, ...locations, folder];
  const { status, stdout, stderr } = spawnSync(tools.kubeconform, options, { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

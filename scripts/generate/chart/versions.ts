import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import { PROJECT, REPOSITORY_URL } from '../../project.ts';

const { version } = PROJECT;

const dependency = z.looseObject({ name: z.string(), repository: z.string() });
const chartFile = z.object({ dependencies: z.array(dependency).default([]) });

/** Files that name the version, and are otherwise written by hand. */
export const VERSIONED_FILES = [
  'charts/authz-jsonmasking/Chart.yaml',
  'charts/authz-jsonmasking/values.yaml',
  'charts/policy-agent/Chart.yaml',
  'charts/example-microservice/Chart.yaml',
  'charts/example-microservice/values.yaml',
  'docs/kubernetes.md',
  'docs/standalone.md',
  'examples/compose.yaml',
];

/** Every way in which a file names the version. The rest of the file is written by hand. */
const PLACES: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^(version|appVersion): .*$/gmu, `$1: ${version}`],
  [/^( {4,7}version): \d+\.\d+\.\d+$/gmu, `$1: ${version}`],
  [/(authz-jsonmasking:)\d+\.\d+\.\d+/gu, `$1${version}`],
  [/(authz-jsonmasking-)\d+\.\d+\.\d+(?=-linux)/gu, `$1${version}`],
  [/https:\/\/github\.com\/[^/\s]+\/[^/\s]+(?=\/blob\/main\/docs\/)/gu, REPOSITORY_URL],
  [/^(home): .*$/gmu, `$1: ${REPOSITORY_URL}`],
  [/^(sources:\n {2}-) .*$/gmu, `$1 ${REPOSITORY_URL}`],
];

/** A file with the version and the addresses of package.json in every place that has them. */
export function withVersion(file: string): string {
  return PLACES.reduce(
    (text, [pattern, replacement]) => text.replaceAll(pattern, replacement),
    readFileSync(file, 'utf8'),
  );
}

/** The members of a dependency in the order in which Helm hashes them. */
function hashed(member: z.output<typeof dependency>): unknown {
  const { name, repository, condition } = member;
  return { name, version, repository, ...(condition === undefined ? {} : { condition }) };
}

/**
 * `Chart.lock` of a chart whose dependencies are charts of this project, as Helm would write it.
 *
 * @param chart the chart's folder
 */
export function chartLock(chart: string): string {
  const { dependencies } = chartFile.parse(parse(withVersion(`${chart}/Chart.yaml`)));
  const locked = dependencies.map(({ name, repository }) => ({ name, version, repository }));
  const digest = createHash('sha256')
    .update(JSON.stringify([dependencies.map(hashed), locked]))
    .digest('hex');
  const lines = locked.map(
    ({ name, repository }) => `- name: ${name}\n  repository: ${repository}\n  version: ${version}\n`,
  );
  return `dependencies:\n${lines.join('')}digest: sha256:${digest}\ngenerated: '1970-01-01T00:00:00Z'\n`;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import { spelt } from '../../../scripts/generate/chart/spelt.ts';
import { temporaryFolder } from './folder.ts';
import { manifestsIn, type Manifest } from './manifest.ts';
import { tools } from './tools.ts';

export type Values = Readonly<Record<string, unknown>>;

export type ChartName = 'authz-jsonmasking' | 'policy-agent' | 'example-microservice';

export interface Rendering {
  readonly chart?: ChartName;
  readonly release?: string;
  /** Such as `1.28.0`; by default the newest that is supported. */
  readonly kubeVersion?: string;
  readonly flags?: readonly string[];
}

/** Each run is short and small: without a garbage collector it takes a quarter less time. */
const HELM_OPTIONS = { encoding: 'utf8', env: { ...process.env, GOGC: 'off' } } as const;

/** A value that is in a file only, so that no shell and no `--set` syntax changes it. */
export function valuesFile(values: Values): string {
  const file = path.join(temporaryFolder(), 'values.json');
  writeFileSync(file, JSON.stringify(values).replaceAll(NOT_IN_YAML, spelt));
  return file;
}

/** What YAML does not allow outside of escapes, and a character that is a line break in it. */
const NOT_IN_YAML = /[\u007F-\u009F\uFFFE\uFFFF]/gu;

/** The charts, copied to a folder of their own, with the dependencies that their lock files name. */
export const builtCharts = lodash.once((): string => {
  const folder = temporaryFolder();
  cpSync('charts', folder, {
    recursive: true,
    filter: (file) => !/\/charts\/[^/]+\/charts(\/|$)/.test(`/${file}`),
  });
  for (const chart of ['policy-agent', 'example-microservice']) {
    helm('dependency', 'build', path.join(folder, chart));
  }
  return folder;
});

/** Runs Helm, which must succeed. */
export function helm(...args: readonly string[]): string {
  return execFileSync(tools.helm, args, { ...HELM_OPTIONS, stdio: ['ignore', 'pipe', 'pipe'] });
}

function templateArguments(values: Values, { chart, release, kubeVersion, flags }: Rendering): string[] {
  const folder = path.join(builtCharts(), chart ?? 'authz-jsonmasking');
  const version = kubeVersion ?? '1.37.1';
  const options = ['--namespace', 'bank', '--kube-version', version, '--values', valuesFile(values)];
  return ['template', release ?? 'my', folder, ...options, ...(flags ?? [])];
}

/** What Helm says to values. It is asked only once: many tests of a file look at the same manifests. */
const template = lodash.memoize(
  (values: Values, rendering: Rendering) =>
    spawnSync(tools.helm, templateArguments(values, rendering), HELM_OPTIONS),
  (...asked) => JSON.stringify(asked),
);

/** What Helm renders, as text. */
export function renderText(values: Values, rendering: Rendering = {}): string {
  const { status, stdout, stderr } = template(values, rendering);
  if (status !== 0) throw Object.assign(new Error(stderr), { stderr });
  return stdout;
}

/** What Helm renders. */
export function render(values: Values, rendering: Rendering = {}): readonly Manifest[] {
  return manifestsIn(renderText(values, rendering));
}

/** The error that stops the installation with these values; empty where nothing does. */
export function refusal(values: Values, rendering: Rendering = {}): string {
  const { status, stderr } = template(values, rendering);
  return status === 0 ? '' : stderr;
}

/** The problems in the error that stops the installation, in their order. */
export function problems(values: Values, rendering: Rendering = {}): readonly string[] {
  const lines = refusal(values, rendering).split('\n');
  return lines.filter((line) => line.startsWith('  - ')).map((line) => line.slice('  - '.length));
}

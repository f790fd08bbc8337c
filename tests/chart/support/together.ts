import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import * as z from 'zod';
import { temporaryFolder } from './folder.ts';
import { problems, valuesFile, type Values } from './helm.ts';
import { manifestsIn, type Manifest } from './manifest.ts';
import { tools } from './tools.ts';

/** What the chart makes of values: the manifests, or what it refuses. */
export interface Outcome {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly string[];
}

const FAILS = /\{\{- printf "[^"]* in the values[^"]*"[^}]*\| fail -\}\}/u;
/** The problems as a manifest, so that those of other values are seen in the same run. */
const SAYS =
  '{{ dict "apiVersion" "v1" "kind" "Refusal" "metadata" (dict "name" "refusal") "problems" . | toYaml }}';

/** A copy of the chart of the service that says what is wrong, and goes on. */
const sayingChart = lodash.once((): string => {
  const folder = path.join(temporaryFolder(), 'authz-jsonmasking');
  cpSync('charts/authz-jsonmasking', folder, { recursive: true });
  const file = path.join(folder, 'templates/_validation.tpl');
  const text = readFileSync(file, 'utf8');
  if (!FAILS.test(text)) throw new Error('The chart stops in another way');
  writeFileSync(file, text.replace(FAILS, SAYS));
  return folder;
});

function aliasOf(index: number): string {
  return `c${index}`;
}

function named(alias: string, values: Values): Values {
  return { nameOverride: alias, fullnameOverride: alias, ...values };
}

/** Renders values together, each by an alias of the chart: a run of Helm takes as long as the values of ten. */
function template(all: readonly Values[]): { status: number | null; text: string } {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'charts'));
  symlinkSync(sayingChart(), path.join(folder, 'charts/authz-jsonmasking'));
  const dependencies = all.map((_, index) => ({
    name: 'authz-jsonmasking',
    version: '*',
    repository: '',
    alias: aliasOf(index),
  }));
  const chart = { apiVersion: 'v2', name: 'together', version: '1.0.0', dependencies };
  writeFileSync(path.join(folder, 'Chart.yaml'), JSON.stringify(chart));
  const values = Object.fromEntries(all.map((one, index) => [aliasOf(index), named(aliasOf(index), one)]));
  const words = ['template', 'my', folder, '--kube-version', '1.37.1', '--values', valuesFile(values)];
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync(tools.helm, words, options);
  return { status, text: status === 0 ? stdout : stderr };
}

const refusal = z.object({ kind: z.literal('Refusal'), problems: z.array(z.string()) });

/** What the schema says of each, by the alias; nothing if Helm fails by something else. */
function saidBySchema(text: string): ReadonlyMap<string, string> {
  if (!text.includes('the specifications of the schema(s)')) return new Map();
  const parts = text.split(/^(c\d+):$/mu).slice(1);
  return new Map(lodash.chunk(parts, 2).map(([alias = '', words = '']) => [alias, words.trim()]));
}

/** The manifests in what Helm renders, by the alias. */
function manifestsByAlias(text: string): ReadonlyMap<string, readonly Manifest[]> {
  const parts = lodash.chunk(text.split(/^---\n# Source: together\/charts\/(c\d+)\/.*$/mu).slice(1), 2);
  const texts = lodash.groupBy(parts, ([alias]) => alias);
  return new Map(
    Object.entries(texts).map(([alias, found]) => [
      alias,
      manifestsIn(found.map(([, words]) => words).join('\n---\n')),
    ]),
  );
}

/** Halves values of which some break manifests, until those are alone: the chart itself has to stop before it renders them. */
function apart(all: readonly Values[], text: string): readonly Outcome[] {
  const [only = {}, ...others] = all;
  if (others.length > 0)
    return lodash.chunk(all, Math.ceil(all.length / 2)).flatMap((half) => renderTogether(half));
  const found = problems(only);
  if (found.length === 0) throw new Error(`${text} ${JSON.stringify(only)}`);
  return [{ manifests: [], problems: found }];
}

/**
 * What the chart makes of each of many values.
 *
 * @throws Error if Helm fails in another way than by what the values are
 */
export function renderTogether(all: readonly Values[]): readonly Outcome[] {
  const first = template(all);
  const refused = first.status === 0 ? new Map<string, string>() : saidBySchema(first.text);
  const rest = all.map((values, index) => (refused.has(aliasOf(index)) ? { enabled: false } : values));
  const last = refused.size === 0 ? first : template(rest);
  if (last.status !== 0) return apart(all, last.text);
  const rendered = manifestsByAlias(last.text);
  return all.map((_, index) => {
    const manifests = rendered.get(aliasOf(index)) ?? [];
    const words = refused.get(aliasOf(index));
    const said = manifests.flatMap((one) => refusal.safeParse(one).data?.problems ?? []);
    return { manifests, problems: words === undefined ? said : [words] };
  });
}

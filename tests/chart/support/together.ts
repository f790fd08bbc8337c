import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import * as z from 'zod';
import { temporaryFolder } from './folder.ts';
import { problems, refusal, valuesFile, type ChartName, type Values } from './helm.ts';
import { manifestsIn, type Manifest } from './manifest.ts';
import { tools } from './tools.ts';

/** What the chart makes of values: the manifests, or what it refuses. */
export interface Outcome {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly string[];
}

const FAILS = /\{\{- printf "[^"]* in the values[^"]*"[^}]*\| fail -\}\}/u;
/** The problems are kept, so that those of other values are seen in the same run. `.Release` is one object for all charts. */
const KEEPS =
  '{{- $_ := set $.Release (printf "refusal/%s" $.Values.global.together) (concat (get $.Release (printf "refusal/%s" $.Values.global.together) | default list) .) -}}';
/** The same of a microservice, which says one thing at a time. */
const CHECK_FAILS = /\{\{- fail \((printf "port [^}]*)\) -\}\}/gu;
/** What Helm renders last: the problems that were kept, by the alias. */
const SAYS = `{{- range $key, $problems := .Release }}{{ if hasPrefix "refusal/" $key }}
---
{{ dict "apiVersion" "v1" "kind" "Refusal" "metadata" (dict "name" (trimPrefix "refusal/" $key)) "problems" (uniq $problems) | toYaml }}
{{- end }}{{ end }}`;

/** Copies of the charts that say what is wrong, and go on. */
const sayingCharts = lodash.once((): string => {
  const folder = temporaryFolder();
  cpSync('charts', folder, { recursive: true });
  for (const name of ['authz-jsonmasking', 'policy-agent']) {
    const file = path.join(folder, name, 'templates/_validation.tpl');
    const text = readFileSync(file, 'utf8');
    if (!FAILS.test(text)) throw new Error('The chart stops in another way');
    writeFileSync(file, text.replace(FAILS, KEEPS));
  }
  const helpers = path.join(folder, 'example-microservice/templates/_helpers.tpl');
  const checks = readFileSync(helpers, 'utf8');
  writeFileSync(helpers, checks.replaceAll(CHECK_FAILS, `{{- with list ($1) }}${KEEPS}{{ end -}}`));
  for (const name of ['policy-agent', 'example-microservice']) nest(folder, name);
  return folder;
});

/**
 * Gives a chart that of the service. Its schema becomes a part of that of the outer chart: Helm names the charts that refuse values, and
 * not in which they are.
 */
function nest(folder: string, name: string): void {
  const inner = path.join(folder, name, 'charts/authz-jsonmasking');
  cpSync(path.join(folder, 'authz-jsonmasking'), inner, { recursive: true });
  const [own = '', outer = ''] = [inner, path.join(folder, name)].map((one) =>
    readFileSync(path.join(one, 'values.schema.json'), 'utf8'),
  );
  rmSync(path.join(inner, 'values.schema.json'));
  const within = own.replaceAll('"#/definitions/', '"#/properties/authz-jsonmasking/definitions/');
  const schema: unknown = lodash.set(
    JSON.parse(outer),
    ['properties', 'authz-jsonmasking'],
    lodash.omit(JSON.parse(within), '$schema'),
  );
  writeFileSync(path.join(folder, name, 'values.schema.json'), JSON.stringify(schema));
}

function aliasOf(index: number): string {
  return `c${index}`;
}

/** No two have one name. */
const NAMES: Readonly<Record<ChartName, (alias: string) => Values>> = {
  'authz-jsonmasking': (alias) => ({ nameOverride: alias, fullnameOverride: alias }),
  'policy-agent': (alias) => ({
    nameOverride: alias,
    global: { policyAgent: { pdp: { host: `${alias}-pdp` } } },
  }),
  'example-microservice': () => ({}),
};

function named(chart: ChartName, alias: string, values: Values): Values {
  const names = NAMES[chart](alias);
  const global: unknown = lodash.merge({}, names['global'], values['global'], { together: alias });
  return { ...names, ...values, global };
}

/** Renders values together, each by an alias of the chart: a run of Helm takes as long as the values of ten. */
function template(all: readonly Values[], chart: ChartName): { status: number | null; text: string } {
  const folder = temporaryFolder();
  for (const name of ['charts', 'templates']) mkdirSync(path.join(folder, name));
  symlinkSync(path.join(sayingCharts(), chart), path.join(folder, 'charts', chart));
  writeFileSync(path.join(folder, 'templates/refusals.yaml'), SAYS);
  const dependencies = all.map((_, index) => ({
    name: chart,
    version: '*',
    repository: '',
    alias: aliasOf(index),
    condition: `${aliasOf(index)}.global.isRendered`,
  }));
  const together = { apiVersion: 'v2', name: 'together', version: '1.0.0', dependencies };
  writeFileSync(path.join(folder, 'Chart.yaml'), JSON.stringify(together));
  const values = Object.fromEntries(
    all.map((one, index) => [aliasOf(index), named(chart, aliasOf(index), one)]),
  );
  const words = ['template', 'my', folder, '--kube-version', '1.37.1', '--values', valuesFile(values)];
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync(tools.helm, words, options);
  return { status, text: status === 0 ? stdout : stderr };
}

const refusals = z.array(
  z.object({ metadata: z.object({ name: z.string() }), problems: z.array(z.string()) }),
);

/** What the schema says of each, by the alias; nothing if Helm fails in another way. */
function saidBySchema(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^(c\d+):$/mu).slice(1);
  return new Map(lodash.chunk(parts, 2).map(([alias = '', words = '']) => [alias, words.trim()]));
}

/** What Helm renders, by the alias; what the charts refuse has none. */
function textsByAlias(text: string): ReadonlyMap<string, string> {
  const parts = lodash.chunk(text.split(/^---\n# Source: together\/(?:charts\/(c\d+))?.*$/mu).slice(1), 2);
  const texts = lodash.groupBy(parts, ([alias = '']) => alias);
  return new Map(
    Object.entries(texts).map(([alias, found]) => [alias, found.map(([, words]) => words).join('\n---\n')]),
  );
}

/** Halves values of which some break manifests, until those are alone: the chart itself has to stop before it renders them. */
function apart(all: readonly Values[], chart: ChartName, text: string): readonly Outcome[] {
  const [only = {}, ...others] = all;
  if (others.length > 0)
    return lodash.chunk(all, Math.ceil(all.length / 2)).flatMap((half) => renderTogether(half, chart));
  const words = refusal(only, { chart });
  if (!/execution error at|the specifications of the schema/u.test(words))
    throw new Error(`${text} ${JSON.stringify(only)}`);
  return [{ manifests: [], problems: words.includes('  - ') ? problems(only, { chart }) : [words] }];
}

/**
 * What a chart makes of each of many values.
 *
 * @throws Error if Helm fails in another way than by what the values are
 */
export function renderTogether(
  all: readonly Values[],
  chart: ChartName = 'authz-jsonmasking',
): readonly Outcome[] {
  const first = template(all, chart);
  const refused = first.status === 0 ? new Map<string, string>() : saidBySchema(first.text);
  const rest = all.map((values, index) => (refused.has(aliasOf(index)) ? LEFT_OUT : values));
  const last = refused.size === 0 ? first : template(rest, chart);
  if (last.status !== 0) return apart(all, chart, last.text);
  const rendered = textsByAlias(last.text);
  const said = new Map(
    refusals
      .parse(manifestsIn(rendered.get('') ?? ''))
      .map(({ metadata, problems: found }) => [metadata.name, found]),
  );
  return all.map((_, index) => {
    const alias = aliasOf(index);
    const words = refused.get(alias);
    const found = words === undefined ? (said.get(alias) ?? []) : [words];
    // What is refused may be rendered as anything.
    return { manifests: found.length > 0 ? [] : manifestsIn(rendered.get(alias) ?? ''), problems: found };
  });
}

/** By its condition. */
const LEFT_OUT: Values = { global: { isRendered: false } };

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { folderWith } from '../support/pod.ts';
import { renderText, type ChartName } from '../support/helm.ts';
import { valuesIn } from '../support/matrix.ts';

/** What a reviewer says of a resource. */
export interface Finding {
  readonly finding: string;
  /** The kind and the name of the resource. */
  readonly resource: string;
}

const CHARTS: readonly ChartName[] = ['authz-jsonmasking', 'policy-agent', 'example-microservice'];

/** What each chart renders with each of its files in `ci/`, by the name of chart and file. */
export function renderedForReview(): Readonly<Record<string, string>> {
  const files = CHARTS.flatMap((chart) =>
    globSync(`charts/${chart}/ci/*.yaml`).map((file) => ({ chart, file })),
  );
  return Object.fromEntries(
    files.map(({ chart, file }) => [
      `${chart}-${path.basename(file)}`,
      renderText(valuesIn(readFileSync(file, 'utf8')), { chart }),
    ]),
  );
}

/** What a reviewer prints, which ends with an error if it finds something. */
function printed(program: string, options: readonly string[]): unknown {
  const { error, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8', maxBuffer: 1e8 });
  if (error !== undefined) throw error;
  if (stdout === '') throw new Error(`${program} printed nothing: ${stderr}`);
  return JSON.parse(stdout);
}

const kubeScore = z.array(
  z.object({
    object_meta: z.object({ name: z.string() }),
    type_meta: z.object({ kind: z.string() }),
    checks: z.array(
      z.object({
        grade: z.number(),
        skipped: z.boolean(),
        comments: z.array(z.object({ summary: z.string() })).nullable(),
      }),
    ),
  }),
);

/** Of kube-score: anything below this is a warning, or critical. */
const GOOD = 10;

/** What kube-score says of manifests. */
export function kubeScoreFindings(program: string, text: string): readonly Finding[] {
  const file = path.join(folderWith({ 'rendered.yaml': text }), 'rendered.yaml');
  return kubeScore
    .parse(printed(program, ['score', '--output-format', 'json', file]))
    .flatMap(({ object_meta: { name }, type_meta: { kind }, checks }) =>
      checks
        .filter(({ grade, skipped }) => !skipped && grade < GOOD)
        .flatMap(({ comments }) => comments ?? [])
        .map(({ summary }) => ({ finding: summary, resource: `${kind} ${name}` })),
    );
}

const checkov = z.object({
  results: z.object({
    failed_checks: z.array(z.object({ check_id: z.string(), resource: z.string() })),
    parsing_errors: z.array(z.string()),
  }),
});

/** What checkov says of manifests, all of them in one run. */
export function checkovFindings(
  program: string,
  texts: Readonly<Record<string, string>>,
): readonly Finding[] {
  const folder = folderWith(texts);
  const options = ['--directory', folder, '--framework', 'kubernetes', '--output', 'json', '--compact'];
  const { results } = checkov.parse(printed(program, [...options, '--skip-download']));
  if (results.parsing_errors.length > 0)
    throw new Error(`checkov cannot read ${results.parsing_errors.join()}`);
  return results.failed_checks.map(({ check_id: finding, resource }) => ({
    finding,
    resource: resource.split('.').slice(0, 3).join(' '),
  }));
}

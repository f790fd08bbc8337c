import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { stringify } from 'yaml';
import { folderWith } from '../support/pod.ts';

/** A sample of what the service exports, as `name{label="value"}`, and its value. */
export interface Sample {
  readonly series: string;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:]\w*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/u;

/** What Prometheus would have of the text that the service exports, with the labels that scraping adds. */
export function samplesIn(exported: string, scraped: string): readonly Sample[] {
  return exported.split('\n').flatMap((line) => {
    const { name, labels, value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || Number.isNaN(Number(value))) return [];
    return [{ series: `${name}{${[labels, scraped].filter(Boolean).join(',')}}`, value: Number(value) }];
  });
}

interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs promtool. */
export function promtool(program: string, ...args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** How often a series is scraped, in a test of rules. */
const SCRAPES = 60;

/** Counters grow by their value at each scrape, so that rates are not zero; gauges stay. */
function scrapedSeries({ series, value }: Sample): { series: string; values: string } {
  const grows = /_(?:total|count|sum|bucket)\{/u.test(series);
  return { series, values: grows ? `${value}+${value}x${SCRAPES}` : `${value}x${SCRAPES}` };
}

/**
 * Evaluates queries against samples with Prometheus' own engine.
 *
 * @returns what promtool says of queries that cannot be parsed, or that find nothing; empty if each finds something
 */
export function unanswered(program: string, queries: readonly string[], samples: readonly Sample[]): string {
  const test = {
    interval: '30s',
    input_series: samples.map(scrapedSeries),
    promql_expr_test: queries.map((expr) => ({
      // 1 if the query has any result, and no result if it has none.
      expr: `count(${expr}) > bool 0`,
      eval_time: '20m',
      exp_samples: [{ labels: '{}', value: 1 }],
    })),
  };
  const folder = folderWith({ 'rules.yaml': 'groups: []\n', 'test.yaml': testFile([test]) });
  const { status, output } = promtool(program, 'test', 'rules', path.join(folder, 'test.yaml'));
  return status === 0 ? '' : output;
}

function testFile(tests: readonly unknown[]): string {
  return stringify({ rule_files: ['rules.yaml'], evaluation_interval: '30s', tests }, { lineWidth: 0 });
}

/** An alert that has to fire, or not, with samples of one kind. */
export interface AlertCase {
  readonly alert: string;
  readonly samples: readonly Sample[];
  readonly fires: boolean;
}

/** Whether alerts fire as they should, by promtool; empty if they do. */
export function wrongAlerts(program: string, groups: unknown, cases: readonly AlertCase[]): string {
  const rules = stringify({ groups }, { lineWidth: 0 });
  const wrong = cases.filter(
    ({ alert, samples, fires }) => fires !== isFiring(program, rules, alert, samples),
  );
  return wrong.map(({ alert, fires }) => `${alert} ${fires ? 'does not fire' : 'fires'}`).join('\n');
}

function isFiring(program: string, rules: string, alert: string, samples: readonly Sample[]): boolean {
  const test = {
    interval: '30s',
    input_series: samples.map(scrapedSeries),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
        eval_time: '20m',
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  };
  const folder = folderWith({ 'rules.yaml': rules, 'test.yaml': testFile([test]) });
  return promtool(program, 'test', 'rules', path.join(folder, 'test.yaml')).status === 0;
}

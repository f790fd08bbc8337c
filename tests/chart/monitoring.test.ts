import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import lodash from 'lodash';
import { stringify } from 'yaml';
import * as z from 'zod';
import { ERROR_STATUS } from '../../src/places/listener/status.ts';
import { anchorsIn } from '../docs/pages.ts';
import { closeAll, freePort } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { startEnforcement, startService } from '../support/service.ts';
import { neededTool } from '../support/tools.ts';
import { promtool, samplesIn, unanswered, wrongAlerts, type Sample } from './monitoring/queries.ts';
import { problems, render } from './support/helm.ts';
import { dataOf, theOnly } from './support/manifest.ts';
import { MINIMAL } from './support/matrix.ts';
import { folderWith } from './support/pod.ts';
import { describeChart } from './support/tools.ts';

const { describe: describeRules, program } = neededTool('promtool');

const VALUES = {
  ...lodash.merge({}, MINIMAL, { config: { metrics: { port: 9464 } } }),
  prometheusRule: { enabled: true },
  dashboard: { enabled: true },
};

const rule = z.object({
  alert: z.string().optional(),
  record: z.string().optional(),
  expr: z.string(),
  annotations: z.record(z.string(), z.string()).default({}),
});
const ruleSpec = z.object({
  spec: z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) }),
});
const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** What scraping adds to each series of the release. */
const SCRAPED = 'job="my-authz-jsonmasking-metrics",namespace="bank",pod="my-0"';
const UP: Sample = { series: `up{${SCRAPED}}`, value: 1 };

const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]';
/** What a service exports that has rejected a policy file. */
const REJECTED: Sample = {
  series: `authz_jsonmasking_policies_load_failures_total{${SCRAPED},replica="3"}`,
  value: 1,
};

/** An exchange in front of an application. */
const EXCHANGE = {
  method: 'GET',
  route: '/customers/**',
  status: 200,
  milliseconds: 8,
  requestBytes: undefined,
  responseBytes: 100,
  counts: undefined,
  error: undefined,
} as const;

/** What the services export after requests that are answered, refused, and failed by the PDP. */
async function exported(): Promise<readonly Sample[]> {
  const good = await startEnforcement(
    { body: '{"tokenValidity":0,"response":[{"access":[]}]}' },
    { metrics: { port: 9464 } },
  );
  const bad = await startService({ pdpUrl: `127.0.0.1:${await freePort()}`, metrics: { port: 9464 } });
  const policyFile = path.join(folderWith({ 'policies.yaml': POLICIES }), 'policies.yaml');
  const embedded = await startService({ policyFile, metrics: { port: 9464 } });
  for (const { port } of [good, bad]) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await call(port, { body: enforcing('[{"a":1}]') });
  }
  await call(good.port, { body: '{' });
  good.metrics?.observeProxied({
    ...EXCHANGE,
    result: 'enforced',
    times: { upstream: 5, pdp: 1, masking: 1 },
  });
  good.metrics?.observeExchange({ ...EXCHANGE, outcome: 'enforced' });
  const texts = await Promise.all(
    [good, bad, embedded].map(async ({ metrics }) => (await metrics?.registry.metrics()) ?? ''),
  );
  return texts.flatMap((text, index) => samplesIn(text, `${SCRAPED},replica="${index}"`));
}

/** What a service exports that enforces for Envoy alone, and maybe refuses all of it. */
function exchanges(areRefused: boolean): readonly Sample[] {
  const all = `authz_jsonmasking_ext_proc_exchanges_total{${SCRAPED},route="/customers/**",result="enforced"}`;
  const errors = `authz_jsonmasking_errors_total{${SCRAPED},code="response-not-enforceable"}`;
  return [{ series: areRefused ? errors : all, value: 1 }];
}

/** What a service exports of its PDP, of whose calls every other one ends so. */
function calls(outcome: string): readonly Sample[] {
  return ['answered', outcome].map((one) => ({
    series: `authz_jsonmasking_pdp_calls_total{${SCRAPED},calculation_type="resolution",outcome="${one}"}`,
    value: 1,
  }));
}

describeChart('What the chart has monitored', () => {
  const manifests = render(VALUES);
  const { groups } = ruleSpec.parse(theOnly(manifests, 'PrometheusRule')).spec;
  const rules = groups.flatMap((group) => group.rules);
  const board = boardSchema.parse(
    JSON.parse(
      dataOf(theOnly(manifests, 'ConfigMap', 'my-authz-jsonmasking-dashboard'), 'authz-jsonmasking.json'),
    ),
  );
  const queries = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it('leads from each alert to a section of the page on operations', () => {
    const anchors = anchorsIn('docs/operations.md');
    const urls = rules
      .filter(({ alert }) => alert !== undefined)
      .map((one) => one.annotations['runbook_url'] ?? '');
    expect(urls).toHaveLength(7);
    expect(
      urls.filter((url) => !/\/docs\/operations\.md#/u.test(url) || !anchors.has(url.split('#')[1] ?? '')),
    ).toEqual([]);
    const elsewhere = render({
      ...VALUES,
      prometheusRule: { enabled: true, runbookUrl: 'https://wiki.bank/masking' },
    });
    expect(JSON.stringify(theOnly(elsewhere, 'PrometheusRule'))).toContain(
      'https://wiki.bank/masking#no-pod-is-up',
    );
  });

  it('has its recording rules and its dashboard by value, and refuses a dashboard without metrics', () => {
    const without = render({
      ...VALUES,
      prometheusRule: { enabled: true, recordingRules: false },
      dashboard: {},
    });
    expect(JSON.stringify(without)).not.toContain('"record"');
    expect(without.filter(({ metadata }) => metadata.name.endsWith('-dashboard'))).toEqual([]);
    expect(problems({ ...MINIMAL, dashboard: { enabled: true } })).toEqual([
      'dashboard.enabled needs a port to scrape; give config.metrics.port',
    ]);
    expect(theOnly(manifests, 'ConfigMap', 'my-authz-jsonmasking-dashboard').metadata.labels).toMatchObject({
      grafana_dashboard: '1',
    });
  });

  it('counts each error of 5xx as one, besides those of readiness and of pods that stop', () => {
    const errors = rules.find(({ alert }) => alert === 'AuthzJsonmaskingErrors')?.expr ?? '';
    const counted = /code=~"(?<codes>[^"]+)"/u.exec(errors)?.groups?.['codes']?.split('|') ?? [];
    const all = Object.entries(ERROR_STATUS).flatMap(([code, status]) => (status >= 500 ? [code] : []));
    expect(lodash.sortBy(counted)).toEqual(lodash.sortBy(lodash.without(all, 'not-ready', 'draining')));
  });

  it('shows every metric of its own on the dashboard', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const documented = [...page.matchAll(/^\| `(authz_jsonmasking_\w+)/gmu)].map(([, metric = '']) => metric);
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.filter((metric) => !queries.join(' ').includes(metric))).toEqual([]);
  });

  describeRules('evaluated by promtool', () => {
    let samples: readonly Sample[] = [];

    beforeAll(async () => {
      samples = await exported();
    });

    afterAll(closeAll);

    it('has rules that Prometheus accepts', () => {
      const folder = folderWith({ 'rules.yaml': stringify({ groups }, { lineWidth: 0 }) });
      const { status, output } = promtool(
        program,
        'check',
        'rules',
        '--lint=all',
        path.join(folder, 'rules.yaml'),
      );
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('11 rules found') });
    });

    it('has queries on the dashboard that find what the service exports', () => {
      const filled = queries.map((query) =>
        query
          .replaceAll('$namespace', 'bank')
          .replaceAll('$job', 'my-authz-jsonmasking-metrics')
          .replaceAll('$__rate_interval', '5m'),
      );
      expect(filled.length).toBeGreaterThan(15);
      expect(unanswered(program, filled, samples)).toBe('');
    });

    it('has alerts and recording rules about what the service exports', () => {
      // Without the bound that an alert compares with, and without a code that only an overload brings.
      const expressions = rules
        .map(({ expr }) => expr.replace(/ (?:>|==) [\d.]+$/u, '').replace(',code="overloaded"', ''))
        .filter((expr) => !expr.includes('absent('));
      expect(unanswered(program, expressions, [...samples, UP])).toBe('');
    });

    it('would notice a query about a metric or a label that the service does not have', () => {
      const wrong = [
        'authz_jsonmasking_requests{route="/enforce"}',
        'authz_jsonmasking_requests_total{path="/enforce"}',
      ];
      for (const query of wrong) expect(unanswered(program, [query], samples)).not.toBe('');
      expect(unanswered(program, ['sum(rate(a_total[5m])'], samples)).toContain('parse error');
    });

    it('has alerts that fire when they should, and not else', () => {
      const quiet = samples.filter(({ series }) => !/replica="1"/u.test(series));
      const cases = [
        { alert: 'AuthzJsonmaskingDown', samples: quiet, fires: true },
        { alert: 'AuthzJsonmaskingDown', samples: [...quiet, UP], fires: false },
        { alert: 'AuthzJsonmaskingPodDown', samples: [{ ...UP, value: 0 }], fires: true },
        { alert: 'AuthzJsonmaskingPdpFails', samples, fires: true },
        { alert: 'AuthzJsonmaskingPdpFails', samples: quiet, fires: false },
        { alert: 'AuthzJsonmaskingPdpFails', samples: calls('pdp-failed'), fires: true },
        ...['pdp-unauthorized', 'pdp-forbidden', 'request-invalid'].map((refusal) => ({
          alert: 'AuthzJsonmaskingPdpFails',
          samples: calls(refusal),
          fires: false,
        })),
        { alert: 'AuthzJsonmaskingErrors', samples, fires: true },
        { alert: 'AuthzJsonmaskingErrors', samples: quiet, fires: false },
        { alert: 'AuthzJsonmaskingErrors', samples: [...exchanges(false), ...exchanges(true)], fires: true },
        { alert: 'AuthzJsonmaskingErrors', samples: exchanges(false), fires: false },
        { alert: 'AuthzJsonmaskingPoliciesRejected', samples: [...samples, REJECTED], fires: true },
        { alert: 'AuthzJsonmaskingPoliciesRejected', samples, fires: false },
      ];
      expect(wrongAlerts(program, groups, cases)).toBe('');
    });
  });
});

type Json = Readonly<Record<string, unknown>>;

interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: 's' | 'reqps' | 'ops' | 'short' | 'percentunit' | 'Bps';
  readonly queries: readonly Query[];
}

/** What every query selects: the pods of one release, as the chart's Service of the metrics names them. */
const PODS = 'namespace="$namespace",job="$job"';
const ENFORCE = `${PODS},route="/enforce"`;
const RATE = '$__rate_interval';
const name = (metric: string): string => `authz_jsonmasking_${metric}`;

function rate(metric: string, selector = PODS, by?: string): string {
  return `sum${by === undefined ? '' : ` by (${by})`} (rate(${name(metric)}{${selector}}[${RATE}]))`;
}

function quantile(share: number, metric: string, selector = PODS): string {
  return `histogram_quantile(${share}, ${rate(`${metric}_bucket`, selector, 'le')})`;
}

function quantiles(metric: string, selector?: string): readonly Query[] {
  return [0.5, 0.95, 0.99].map((share) => ({
    expr: quantile(share, metric, selector),
    legend: `${share * 100} %`,
  }));
}

const PANELS: readonly Panel[] = [
  {
    title: 'Requests',
    description: 'Requests to /enforce, by status. `gone` means that the caller hung up.',
    unit: 'reqps',
    queries: [{ expr: rate('requests_total', ENFORCE, 'status'), legend: '{{status}}' }],
  },
  {
    title: 'Duration of requests',
    description:
      'From the header of a request to the end of its answer. Most of it is usually the time of the PDP.',
    unit: 's',
    queries: quantiles('request_duration_seconds', ENFORCE),
  },
  {
    title: 'Duration of calls of the PDP',
    description:
      'Compare it with the duration of requests: if they are alike, the PDP is what takes the time.',
    unit: 's',
    queries: quantiles('pdp_call_duration_seconds'),
  },
  {
    title: 'Calls of the PDP',
    description: 'Calls by outcome: `answered`, `cancelled`, or the code of an error. Retries by reason.',
    unit: 'ops',
    queries: [
      { expr: rate('pdp_calls_total', PODS, 'outcome'), legend: '{{outcome}}' },
      { expr: rate('pdp_retries_total', PODS, 'reason'), legend: 'retried: {{reason}}' },
    ],
  },
  {
    title: 'Errors',
    description:
      'Requests that are answered with an error, by its code. docs/errors.md says what to do about each.',
    unit: 'reqps',
    queries: [{ expr: rate('errors_total', PODS, 'code'), legend: '{{code}}' }],
  },
  {
    title: 'Requests and streams in progress, and their bounds',
    description: 'At 100 %, requests are refused with 503 overloaded.',
    unit: 'percentunit',
    queries: [
      {
        expr: `max(${name('in_flight_requests')}{${PODS}} / ${name('max_in_flight_requests')}{${PODS}})`,
        legend: 'requests',
      },
      {
        expr: `max(${name('in_flight_streams')}{${PODS}} / ${name('max_in_flight_streams')}{${PODS}})`,
        legend: 'streams',
      },
      {
        expr: `max(${name('in_flight_bytes')}{${PODS}} / ${name('max_in_flight_bytes')}{${PODS}})`,
        legend: 'bytes',
      },
    ],
  },
  {
    title: 'Properties changed',
    description: 'A drop to zero while requests go on says that policies no longer match.',
    unit: 'ops',
    queries: [{ expr: rate('properties_changed_total', PODS, 'effect'), legend: '{{effect}}' }],
  },
  {
    title: 'Records',
    description:
      'Records met in payloads, removed by filters, and those to which policies in dry run would have been applied. Also values that do not have the type of a condition.',
    unit: 'ops',
    queries: [
      { expr: rate('records_total'), legend: 'met' },
      { expr: rate('records_removed_total'), legend: 'removed' },
      { expr: rate('dry_run_skips_total'), legend: 'skipped by dry run' },
      { expr: rate('unreadable_values_total'), legend: 'values of another type' },
    ],
  },
  {
    title: 'Payloads',
    description: 'Bytes of payloads that come in, inflated, and of answers that go out.',
    unit: 'Bps',
    queries: [{ expr: rate('payload_bytes_total', PODS, 'direction'), legend: '{{direction}}' }],
  },
  {
    title: 'Circuit breaker',
    description: 'How many processes have their breaker in each state.',
    unit: 'short',
    queries: [{ expr: `sum by (state) (${name('pdp_breaker_state')}{${PODS}})`, legend: '{{state}}' }],
  },
  {
    title: 'Processor',
    description: 'Cores in use, by pod.',
    unit: 'short',
    queries: [
      { expr: `sum by (pod) (rate(process_cpu_seconds_total{${PODS}}[${RATE}]))`, legend: '{{pod}}' },
    ],
  },
  {
    title: 'Versions',
    description: 'How many pods run each version.',
    unit: 'short',
    queries: [{ expr: `count by (version) (${name('build_info')}{${PODS}})`, legend: '{{version}}' }],
  },
  {
    title: 'Reverse proxy',
    description: 'Exchanges through the reverse proxy, by result.',
    unit: 'reqps',
    queries: [{ expr: rate('proxy_exchanges_total', PODS, 'result'), legend: '{{result}}' }],
  },
  {
    title: 'Duration in the reverse proxy',
    description: 'The 99th percentile of the time in the application, in the PDP and in masking.',
    unit: 's',
    queries: [
      {
        expr: `histogram_quantile(0.99, ${rate('proxy_stage_duration_seconds_bucket', PODS, 'le, stage')})`,
        legend: '{{stage}}',
      },
    ],
  },
  {
    title: 'External processor',
    description: 'Exchanges that Envoys sent, by result.',
    unit: 'reqps',
    queries: [{ expr: rate('ext_proc_exchanges_total', PODS, 'result'), legend: '{{result}}' }],
  },
  {
    title: 'Duration in the external processor',
    description: 'From the header of the request to the end of the exchange, the application included.',
    unit: 's',
    queries: [{ expr: quantile(0.99, 'ext_proc_exchange_duration_seconds'), legend: '99 %' }],
  },
  {
    title: 'Policies loaded',
    description: 'How many pods use each version of the policy file, by its hash.',
    unit: 'short',
    queries: [
      { expr: `count by (hash) (${name('policies_loaded_timestamp')}{${PODS}})`, legend: '{{hash}}' },
    ],
  },
  {
    title: 'Policy files rejected',
    description: 'Changed policy files that were not valid. The last good one stays in use.',
    unit: 'short',
    queries: [
      {
        expr: `sum by (pod) (increase(${name('policies_load_failures_total')}{${PODS}}[${RATE}]))`,
        legend: '{{pod}}',
      },
    ],
  },
];

const SOURCE = { type: 'prometheus', uid: '${datasource}' };
const [WIDTH, HEIGHT, COLUMNS] = [12, 8, 2];

function panel({ title, description, unit, queries }: Panel, index: number): Json {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource: SOURCE,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, target) => ({
      refId: String.fromCodePoint(65 + target),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

function variable(label: string, query: string): Json {
  return { name: label, label, type: 'query', datasource: SOURCE, query, refresh: 2, includeAll: false };
}

/** `files/dashboard.json` of the chart: a dashboard of Grafana for one release of the service. */
export function dashboard(): string {
  return JSON.stringify({
    uid: 'authz-jsonmasking',
    title: 'JSON masking authorizer',
    tags: ['authorization'],
    timezone: 'browser',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        variable('namespace', `label_values(${name('build_info')}, namespace)`),
        variable('job', `label_values(${name('build_info')}{namespace="$namespace"}, job)`),
      ],
    },
    panels: PANELS.map(panel),
  });
}

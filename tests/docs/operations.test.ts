import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { ASKING_KEYS } from '../../src/config/asking-keys.ts';
import { SERVING_KEYS } from '../../src/config/serving-keys.ts';
import { MOST_READ, SEARCHED } from '../../src/core/plan/reading-limit.ts';
import { MOST_STATES } from '../../src/core/plan/state-limit.ts';
import { MAX_LINES } from '../../src/enforcement/dry-run.ts';
import { PROCESSOR_TIME } from '../../src/enforcement/processor-time.ts';
import { call, enforcing } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { startEnforcement, startService } from '../support/service.ts';
import { connected } from '../support/wire.ts';
import { closeAll, freePort } from '../pdp/transport/setup.ts';
import { codeIn, rowsUnder } from './markdown.ts';

afterEach(closeAll);

const PAGE = readFileSync('docs/operations.md', 'utf8');
const ALERTS = readFileSync('charts/authz-jsonmasking/templates/_alerts.tpl', 'utf8');

/** What is in code in the cells of a column, in the table whose head has these titles. */
function named(column: number, ...titles: readonly string[]): readonly string[] {
  const cells = rowsUnder(PAGE, ...titles).map((row) => row.cells[column] ?? '');
  return codeSpansIn(cells.join(' ')).toSorted();
}

function codeSpansIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/gu)].map(([, code = '']) => code);
}

describe('the page on operations', () => {
  test('has the labels of every metric', async () => {
    const documented = rowsUnder(PAGE, 'Metric', 'Type', 'Meaning').map(({ cells }) =>
      codeIn(cells[0] ?? ''),
    );
    expect(documented.toSorted()).toEqual((await labelledMetrics()).toSorted());
  });

  test('has every alert of the chart, and no other', () => {
    const alerts = [...ALERTS.matchAll(/- alert: (\w+)/gu)].map(([, name = '']) => name);
    expect(named(0, 'Alert', 'When', 'What to do')).toEqual(alerts.toSorted());
  });

  test('has every field of a request’s line in the log, and no other', async () => {
    const fields = await requestFields();
    expect(named(0, 'Field', 'Meaning')).toEqual(fields.toSorted());
  });

  test('has every message of the log, and no other', () => {
    const documented = [...named(0, 'Message', 'Level', 'What to do'), 'Request', ...messagesOfPdpServer()];
    expect(documented.toSorted()).toEqual(messagesInCode().toSorted());
  });

  test.each(['operations', 'errors', 'enforcement', 'decisions/0013-bound-what-is-in-progress'])(
    'and others say how much processor time a payload may take: %s',
    (page) => {
      const { least, perMegabyte } = PROCESSOR_TIME;
      const limit = new RegExp(
        `${least / 1000} s(?: of processor time)?, and ${perMegabyte / 1000} s (?:a|for each) MB`,
        'u',
      );
      expect(readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/gu, ' ')).toMatch(limit);
    },
  );

  test.each(['errors', 'enforcement'])('and others say how many states it may lead to: %s', (page) => {
    const { least, perMegabyte, perWritten } = MOST_STATES;
    const limit =
      `${least}, plus ${perMegabyte} for each MB of the payload and ${perWritten} for each segment ` +
      'of the paths of the decision and each value that its conditions compare names with';
    expect(readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/gu, ' ')).toContain(limit);
  });

  test.each(['errors', 'enforcement'])(
    'and others say how much conditions may read of a record: %s',
    (page) => {
      const { least, perByte } = MOST_READ;
      const text = readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/\s+/gu, ' ');
      expect(text).toContain(`${least / 1024 ** 2} MB, and ${perByte} times the payload`);
      expect(text).toContain(`a long text counts ${SEARCHED} times`);
    },
  );

  test.each([
    ['operations', 2],
    ['enforcement', 1],
  ])('and another say how many lines about dry runs a payload may have: %s', (page, times) => {
    const said = readFileSync(`docs/${page}.md`, 'utf8').split(MAX_LINES.toLocaleString('en')).length - 1;
    expect(said).toBe(times);
  });

  test('names only keys that there are, and all that bound something or say how to serve', () => {
    const keys = new Set(CONFIGURATION_KEYS.map(({ key }) => key));
    const spans = new Set([...PAGE.matchAll(/`([\w.]+)(?:: \w+)?`/gu)].map(([, code = '']) => code));
    const limits = named(1, ...LIMITS);
    expect(limits.length).toBeGreaterThan(10);
    expect(limits.filter((key) => !keys.has(key))).toEqual([]);
    expect(boundingKeys().filter((key) => !spans.has(key))).toEqual([]);
  });
});

const LIMITS = ['What', 'Key', 'Default', 'Beyond it'];

/** A default as the page writes it: seconds for milliseconds. If the key has none, what its description says instead. */
function writtenDefault(name: string): string | undefined {
  const known = CONFIGURATION_KEYS.find(({ key }) => key === name);
  if (known?.default === undefined)
    return /Without this key, the limit is ([^.]+)\./u.exec(known?.description ?? '')?.[1];
  const { unit } = known;
  const value: unknown = known.default;
  if (unit === 'ms') return `${Number(value) / 1000} s`;
  return unit === 'MB' || unit === '%' ? `${String(value)} ${unit}` : String(value);
}

describe('the limits on the page on operations', () => {
  const single = rowsUnder(PAGE, ...LIMITS).flatMap(({ cells: [, key = '', standard = ''] }) => {
    const [name, ...others] = codeSpansIn(key);
    return name === undefined || others.length > 0 ? [] : [[name, standard] as const];
  });

  test.each(single)('has the default of %s', (name, standard) => {
    expect(standard).toBe(writtenDefault(name));
  });

  test('has the memory that the default of maxInFlightBody needs', () => {
    const [, base, factor, sum] =
      /Plan memory of (\d+) MB and (\w+) times `maxInFlightBody` for each process: (\d+) MB by default/u.exec(
        PAGE,
      ) ?? [];
    expect(factor).toBe('six');
    const inFlight = CONFIGURATION_KEYS.find(({ key }) => key === 'maxInFlightBody')?.default;
    expect(Number(sum)).toBe(Number(base) + 6 * Number(inFlight));
  });
});

/** Keys of serving and asking that have a number: those that bound something. */
function boundingKeys(): readonly string[] {
  const groups = new Set([...Object.keys(SERVING_KEYS), ...Object.keys(ASKING_KEYS)]);
  const limits = CONFIGURATION_KEYS.filter(
    ({ key, unit }) => groups.has(key.split('.')[0] ?? '') && unit !== undefined,
  );
  return [
    ...limits.map(({ key }) => key),
    'maxInFlight',
    'maxStreams',
    'metrics.port',
    'audit',
    'log.format',
    'filterDefault',
  ];
}

const metricsJson = z.array(z.object({ name: z.string() }));

/** The metrics of the service, as in `name{label,other}`. */
async function labelledMetrics(): Promise<readonly string[]> {
  const { metrics } = await startEnforcement({}, { metrics: { port: 9464 } });
  const all = metricsJson.parse(await metrics?.registry.getMetricsAsJSON());
  const own = all.filter(({ name }) => name.startsWith('authz_jsonmasking_'));
  return own.map(({ name }) => name + labelsOf(metrics?.registry.getSingleMetric(name)));
}

const labelled = z.object({ labelNames: z.array(z.string()) });

function labelsOf(metric: unknown): string {
  const { labelNames } = labelled.parse(metric);
  return labelNames.length === 0 ? '' : `{${labelNames.join(',')}}`;
}

/** Of a request that is answered, of one that fails, and of one whose caller goes away. */
async function requestFields(): Promise<readonly string[]> {
  const good = await startEnforcement();
  await call(good.port, {
    body: enforcing('[]'),
    headers: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
  });
  const bad = await startService({ pdpUrl: `127.0.0.1:${await freePort()}` });
  await call(bad.port, { body: enforcing('[]') });
  const slow = await startEnforcement({ delay: 60_000 });
  const socket = await connected(slow.port);
  const body = enforcing('[]');
  socket.write(
    `POST /enforce HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(() => slow.pdp.requests.length > 0);
  socket.destroy();
  await eventually(() => [good, bad, slow].every(({ logged }) => logged.length > 0));
  const lines = [good, bad, slow].flatMap(({ logged }) => logged);
  const fields = lines.flatMap((line) => Object.keys(Object(JSON.parse(line))));
  return [...new Set(fields)].filter((field) => !['time', 'level', 'message'].includes(field));
}

const LOGGING =
  /(?:\b\w*[lL]og(?:ger)?(?:\[[^\]]*\]+|\.(?:error|warn|info|debug))\(|announce\(log,)\s*(['`])(?<message>[A-Z].*?)\1/gu;

/** Every message that the code logs; what is put into one is an ellipsis. */
function messagesInCode(): readonly string[] {
  const sources = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const messages = sources.flatMap((source) =>
    [...source.matchAll(LOGGING)].map(({ groups }) => groups?.['message'] ?? ''),
  );
  return [
    ...new Set([...messages, 'Log entries lost'].map((message) => message.replaceAll(/\$\{[^}]*\}/gu, '…'))),
  ];
}

function messagesOfPdpServer(): readonly string[] {
  const [, paragraph = ''] = PAGE.split('The embedded PDP as a separate server logs ');
  return codeSpansIn(paragraph.slice(0, paragraph.indexOf('\n\n')));
}

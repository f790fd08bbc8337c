import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Metrics } from '../../../src/telemetry/metrics/metrics.ts';
import { closeAll, freePort } from '../../pdp/transport/setup.ts';
import { ProcessorClient } from '../../places/ext-proc/processor-client.ts';
import { call, enforcing } from '../../support/caller.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { NO_RULES, startEnforcement, startService, type Service } from '../../support/service.ts';
import { exchanged } from '../../support/wire.ts';

afterEach(closeAll);

/** Switches metrics on; nobody listens on the port here. */
const WITH_METRICS = { metrics: { port: 9464 } };

/** The samples, by name and labels. */
async function samplesOf({ metrics }: Pick<Service, 'metrics'>): Promise<Readonly<Record<string, number>>> {
  const text = (await metrics?.registry.metrics()) ?? '';
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const samples = lines.map((line) => /^(?<name>.+) (?<value>\S+)$/u.exec(line)?.groups);
  return Object.fromEntries(
    samples.map((sample) => [
      sample?.['name']?.replace('authz_jsonmasking_', '') ?? '',
      Number(sample?.['value']),
    ]),
  );
}

/** What a service counted once it has seen so many requests. */
async function countsOf(service: Service, requests = 1) {
  await eventually(() => service.logged.filter((line) => line.includes('"Request"')).length >= requests);
  return samplesOf(service);
}

const NOTHING_UNDER_WAY = {
  requests: 0,
  streams: 0,
  bytes: 0,
  limits: { requests: 1, streams: 1, bytes: 1 },
};

const PAYLOAD = '[{"ssn":"1","n":1,"gone":true},{"ssn":"2","n":2}]';

describe('the metrics of requests', () => {
  test('count by method, route and status, and time by method and route', async () => {
    const service = await startEnforcement(NO_RULES, WITH_METRICS);
    await call(service.port, { body: enforcing('[]') });
    await call(service.port, { body: '{' });
    await call(service.port, { method: 'GET', path: '/health/liveness' });
    await call(service.port, { method: 'GET', path: '/secret/path?of=a-user' });
    const samples = await countsOf(service, 4);
    expect(samples).toMatchObject({
      'requests_total{method="POST",route="/enforce",status="200"}': 1,
      'requests_total{method="POST",route="/enforce",status="400"}': 1,
      'requests_total{method="GET",route="/health/liveness",status="200"}': 1,
      'requests_total{method="GET",route="unknown",status="404"}': 1,
      'request_duration_seconds_count{method="POST",route="/enforce"}': 2,
      'errors_total{code="body-not-json"}': 1,
      'errors_total{code="path-not-found"}': 1,
    });
    expect(Object.keys(samples).join('\n')).not.toMatch(/secret|a-user/u);
  });

  test('count messages that never became a request', async () => {
    const service = await startEnforcement(NO_RULES, WITH_METRICS);
    await exchanged(service.port, 'hello\r\n\r\n');
    expect(await countsOf(service)).toMatchObject({
      'requests_total{method="unknown",route="unknown",status="400"}': 1,
      'errors_total{code="http-malformed"}': 1,
    });
  });

  test('count the bytes of a refusal for none of an enforced answer', async () => {
    const service = await startEnforcement(NO_RULES, WITH_METRICS);
    await call(service.port, { body: '{' });
    const samples = await countsOf(service);
    expect(samples).toMatchObject({ 'payload_bytes_total{direction="in"}': 1 });
    expect(samples).not.toHaveProperty(['payload_bytes_total{direction="out"}']);
  });

  test('count what was done to payloads, and their bytes', async () => {
    const literal = { ...maskRule('label'), actions: [{ action: 'internal' }] };
    const removal = { ...maskRule('gone'), actions: [{ action: 'remove()' }] };
    const dryRun = {
      ...maskRule('n'),
      policies: [{ name: 'Trial', metadata: { DRY_RUN: 'ssn' } }],
    };
    const keep = { attribute: 'n', type: 'NUMBER', operator: 'EQUALS', values: ['1'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': keep }],
    };
    const body = decision({ access: [maskRule('ssn'), literal, dryRun, removal], allowed: [filter] });
    const service = await startEnforcement({ body }, { ...WITH_METRICS, filter: true });
    const sent = enforcing(PAYLOAD);
    const { text } = await call(service.port, { body: sent });
    expect(await countsOf(service)).toMatchObject({
      records_total: 2,
      'properties_changed_total{effect="masked"}': 1,
      'properties_changed_total{effect="set"}': 0,
      'properties_changed_total{effect="created"}': 1,
      'properties_changed_total{effect="removed"}': 1,
      records_removed_total: 1,
      dry_run_skips_total: 1,
      'payload_bytes_total{direction="in"}': sent.length,
      'payload_bytes_total{direction="out"}': text.length,
    });
  });

  test('count values that do not have the type of a condition', async () => {
    const keep = { attribute: 'n', type: 'NUMBER', operator: 'GREATER', values: ['0'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': keep }],
    };
    const service = await startEnforcement(
      { body: decision({ allowed: [filter] }) },
      { ...WITH_METRICS, filter: true },
    );
    await call(service.port, { body: enforcing('[{"n":"one"},{"n":1},{"n":"two"}]') });
    expect(await countsOf(service)).toMatchObject({ records_removed_total: 2, unreadable_values_total: 2 });
  });

  test('count what Envoy sends, and what was done to it', async () => {
    const masks = { body: decision({ access: [maskRule('$..ssn')] }) };
    const service = await startEnforcement(masks, {
      ...WITH_METRICS,
      extProc: { port: 0 },
      routes: [{ path: '/customers' }],
    });
    const envoy = new ProcessorClient(service.processor?.port ?? 0);
    const request = [[':method', 'GET'] as const, [':path', '/customers'] as const];
    const fields = [['content-type', 'application/json'] as const];
    const masked = await envoy.exchange(request, { status: 200, fields, body: Buffer.from(PAYLOAD) });
    await envoy.exchange(request, { status: 200, fields, body: Buffer.from('{') });
    await eventually(() => service.logged.filter((line) => line.includes('"Exchange"')).length === 2);
    expect(await samplesOf(service)).toMatchObject({
      'ext_proc_exchanges_total{route="/customers",result="enforced"}': 1,
      'ext_proc_exchanges_total{route="/customers",result="refused"}': 1,
      'ext_proc_exchange_duration_seconds_count{route="/customers"}': 2,
      'errors_total{code="response-not-enforceable"}': 1,
      records_total: 2,
      'properties_changed_total{effect="masked"}': 2,
      'payload_bytes_total{direction="in"}': PAYLOAD.length + 1,
      'payload_bytes_total{direction="out"}': masked.body.length,
    });
  });

  test('show what is in progress, and the bounds', async () => {
    const pdp = await startHeldPdp();
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, ...WITH_METRICS });
    const body = enforcing(PAYLOAD);
    const answer = call(service.port, { body });
    await eventually(() => pdp.seen.asked > 0);
    expect(await samplesOf(service)).toMatchObject({
      in_flight_requests: 1,
      in_flight_streams: 0,
      in_flight_bytes: body.length,
      max_in_flight_requests: 256,
      max_in_flight_streams: 256,
      max_in_flight_bytes: 64 * 1024 * 1024,
    });
    pdp.answer(decision({}));
    await answer;
    expect(await countsOf(service)).toMatchObject({ in_flight_requests: 0, in_flight_bytes: 0 });
  });
});

describe('the metrics of the PDP', () => {
  test('count calls by what was asked and what came of it, and time them', async () => {
    const service = await startEnforcement(NO_RULES, WITH_METRICS);
    await call(service.port, { body: enforcing('[]') });
    service.pdp.answer({ status: 403 });
    await call(service.port, { body: enforcing('[]') });
    service.pdp.answer({ status: 500 });
    const parameters = { calculationType: 'context', assetId: 'n', protectedObject: 'customer' };
    await call(service.port, { body: enforcing(PAYLOAD, { parameters }) });
    expect(await countsOf(service, 3)).toMatchObject({
      'pdp_calls_total{calculation_type="resolution",outcome="answered"}': 1,
      'pdp_calls_total{calculation_type="resolution",outcome="pdp-forbidden"}': 1,
      'pdp_calls_total{calculation_type="context",outcome="pdp-failed"}': 1,
      'pdp_call_duration_seconds_count{calculation_type="resolution"}': 2,
      'pdp_call_duration_seconds_count{calculation_type="context"}': 1,
    });
  });

  test('count calls that were given up because the caller hung up', async () => {
    const pdp = await startHeldPdp();
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, ...WITH_METRICS });
    const gone = new AbortController();
    const sent = fetch(`${service.url}/enforce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: enforcing('[]'),
      signal: gone.signal,
    });
    await eventually(() => pdp.seen.asked > 0);
    gone.abort();
    await expect(sent).rejects.toThrow('aborted');
    expect(await countsOf(service)).toMatchObject({
      'requests_total{method="POST",route="/enforce",status="gone"}': 1,
      'pdp_calls_total{calculation_type="resolution",outcome="cancelled"}': 1,
    });
  });

  test('count a question once that is asked again, and its retries', async () => {
    const service = await startService({ pdpUrl: `127.0.0.1:${await freePort()}`, ...WITH_METRICS });
    expect(await samplesOf(service)).toMatchObject({
      'pdp_retries_total{reason="refused"}': 0,
      'pdp_retries_total{reason="broken"}': 0,
    });
    await call(service.port, { body: enforcing('[]') });
    expect(await countsOf(service)).toMatchObject({
      'pdp_calls_total{calculation_type="resolution",outcome="pdp-unreachable"}': 1,
      'pdp_retries_total{reason="refused"}': 15,
      'pdp_retries_total{reason="broken"}': 0,
    });
  });

  test('count what is asked again because its connection broke', async () => {
    const service = await startEnforcement(NO_RULES, WITH_METRICS);
    service.pdp.answer({ reset: 'before-answer' });
    await call(service.port, { body: enforcing('[]') });
    expect(await countsOf(service)).toMatchObject({
      'pdp_calls_total{calculation_type="resolution",outcome="pdp-unreachable"}': 1,
      'pdp_retries_total{reason="refused"}': 0,
      'pdp_retries_total{reason="broken"}': 1,
    });
  });

  test('show which state the breaker is in', async () => {
    const port = await freePort();
    const pdpBreaker = { probeAfter: 3_600_000 };
    const service = await startService({ pdpUrl: `127.0.0.1:${port}`, pdpBreaker, ...WITH_METRICS });
    expect(await samplesOf(service)).toMatchObject({
      'pdp_breaker_state{state="closed"}': 1,
      'pdp_breaker_state{state="open"}': 0,
    });
    const calls = Array.from({ length: 50 }, () => call(service.port, { body: enforcing('[]') }));
    await Promise.all(calls);
    expect(await samplesOf(service)).toMatchObject({
      'pdp_breaker_state{state="closed"}': 0,
      'pdp_breaker_state{state="open"}': 1,
    });
  });
});

const OUTCOME = {
  method: 'POST',
  route: '/explain',
  status: 200,
  milliseconds: 1500,
  requestBytes: 7,
  responseBytes: 9,
  counts: undefined,
  error: undefined,
};

test('durations are in seconds', async () => {
  const metrics = new Metrics(NOTHING_UNDER_WAY);
  metrics.observe(OUTCOME);
  metrics.observeExchange({ ...OUTCOME, route: '/a', outcome: 'enforced' });
  const times = { upstream: 250, pdp: 500, masking: 750 };
  metrics.observeProxied({ ...OUTCOME, route: '/b', result: 'enforced', times });
  expect(await samplesOf({ metrics })).toMatchObject({
    'request_duration_seconds_sum{method="POST",route="/explain"}': 1.5,
    'ext_proc_exchange_duration_seconds_sum{route="/a"}': 1.5,
    'proxy_stage_duration_seconds_sum{route="/b",stage="upstream"}': 0.25,
    'proxy_stage_duration_seconds_sum{route="/b",stage="pdp"}': 0.5,
    'proxy_stage_duration_seconds_sum{route="/b",stage="masking"}': 0.75,
  });
});

test('bytes of payloads that are only explained are not counted', async () => {
  const metrics = new Metrics(NOTHING_UNDER_WAY);
  metrics.observe(OUTCOME);
  metrics.observe({ ...OUTCOME, route: '/enforce', requestBytes: 5 });
  expect(await samplesOf({ metrics })).toMatchObject({ 'payload_bytes_total{direction="in"}': 5 });
});

test('what is in progress and its bounds are shown by kind', async () => {
  const limits = { requests: 4, streams: 5, bytes: 6 };
  const metrics = new Metrics({ requests: 1, streams: 2, bytes: 3, limits });
  expect(await samplesOf({ metrics })).toMatchObject({
    in_flight_requests: 1,
    in_flight_streams: 2,
    in_flight_bytes: 3,
    max_in_flight_requests: 4,
    max_in_flight_streams: 5,
    max_in_flight_bytes: 6,
  });
});

test('the metrics of the policies say when they were loaded, and how often a version was not valid', async () => {
  const metrics = new Metrics(NOTHING_UNDER_WAY);
  const policies = metrics.observePolicies();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_500);
  policies.loaded('first');
  clock.mockRestore();
  policies.failed();
  expect(await samplesOf({ metrics })).toMatchObject({
    'policies_loaded_timestamp{hash="first"}': 1_700_000_000.5,
    policies_load_failures_total: 1,
  });
});

test('the metrics of the policies name the version in use, and none before', async () => {
  const metrics = new Metrics(NOTHING_UNDER_WAY);
  const policies = metrics.observePolicies();
  policies.loaded('first');
  policies.loaded('second');
  const text = await metrics.registry.metrics();
  const hashes = [...text.matchAll(/policies_loaded_timestamp\{hash="(\w+)"\}/gu)].map(([, hash]) => hash);
  expect(hashes).toEqual(['second']);
});

test('the metrics contain the version, the process and the event loop', async () => {
  const service = await startEnforcement(NO_RULES, WITH_METRICS);
  const names = Object.keys(await samplesOf(service)).join('\n');
  expect(names).toMatch(/^build_info\{version="[\d.]+"\}$/mu);
  expect(names).toContain('process_resident_memory_bytes');
  expect(names).toContain('nodejs_eventloop_lag_p99_seconds');
});

test('metrics are off unless they have a port', async () => {
  expect((await startEnforcement()).metrics).toBeUndefined();
});

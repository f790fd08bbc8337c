import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTracing } from '../../../src/telemetry/traces/opentelemetry.ts';
import { closeAll, freePort, portOf } from '../../pdp/transport/setup.ts';
import type { StubAnswer } from '../../pdp/stub.ts';
import {
  PLANTED_HEADERS,
  PLANTED_PAYLOAD,
  PLANTED_TEXT,
  PLANTED_VENDOR,
} from '../../places/enforce-api/planted.ts';
import { answering, startBoth } from '../../places/proxy/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { NO_RULES, startEnforcement, startService } from '../../support/service.ts';
import { connected } from '../../support/wire.ts';
import { loggerInMemory } from '../log/memory-sink.ts';
import { startCollector, type CollectedSpan, type Collector } from './collector.ts';

const BODY = enforcing('[{"a":1}]');
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const SAMPLED = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` };

function named(spans: readonly CollectedSpan[], name: string): CollectedSpan | undefined {
  return spans.find((span) => span.name === name);
}

describe('traces', () => {
  let collector: Collector;
  /** What the PDP got of the trace. */
  let toPdp: { readonly traceparent?: string; readonly tracestate?: string };
  let logged: readonly string[];

  beforeEach(async () => {
    collector = await startCollector();
  });
  afterEach(() => collector.close());

  /** The spans of one request, once the service is stopped. */
  async function spansOf(
    headers: Readonly<Record<string, string | string[]>> = {},
    {
      answer = NO_RULES,
      body = BODY,
      tracing = {},
    }: { answer?: StubAnswer; body?: string; tracing?: object } = {},
  ): Promise<readonly CollectedSpan[]> {
    const written = { tracing: { endpoint: collector.endpoint, ...tracing }, 'pdpBreaker.enabled': false };
    const { port, pdp, logged: lines } = await startEnforcement(answer, written);
    await call(port, { body, headers });
    await closeAll();
    const { traceparent, tracestate } = pdp.requests[0]?.headers ?? {};
    toPdp = { traceparent: String(traceparent), tracestate: String(tracestate) };
    logged = lines;
    return collector.spans;
  }
  test('have a span for the request, and in it one for the PDP and one for masking', async () => {
    const spans = await spansOf();
    const request = named(spans, 'POST /enforce');
    expect(request).toMatchObject({
      service: 'authz-jsonmasking',
      parentSpanId: '',
      kind: 'server',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/enforce',
        'http.response.status_code': 200,
      },
      failed: false,
    });
    const inner = { traceId: request?.traceId, parentSpanId: request?.spanId, failed: false, attributes: {} };
    expect(named(spans, 'PDP resolution')).toMatchObject({ ...inner, kind: 'client' });
    expect(named(spans, 'mask')).toMatchObject({ ...inner, kind: 'internal' });
    expect(spans).toHaveLength(3);
    expect(collector.paths).toEqual(['/v1/traces']);
  });

  test('have no span for each record of a stream, of which there may be millions', async () => {
    const stream = answering('{"a":1}\n'.repeat(5000), { 'content-type': 'application/x-ndjson' });
    const tracing = { endpoint: collector.endpoint };
    const { proxyPort } = await startBoth(stream, { tracing }, NO_RULES);
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    await closeAll();
    expect(answer.text.split('\n')).toHaveLength(5001);
    const names = collector.spans.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['PDP resolution', 'mask']));
    expect(names.length).toBeLessThan(500);
  });

  test('go on from that of the caller, and on to the PDP', async () => {
    const spans = await spansOf({ ...SAMPLED, tracestate: 'vendor=a' });
    expect(named(spans, 'POST /enforce')).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: SPAN_ID,
      traceState: 'vendor=a',
    });
    const { spanId } = named(spans, 'PDP resolution') ?? {};
    expect(toPdp).toEqual({ traceparent: `00-${TRACE_ID}-${spanId}-01`, tracestate: 'vendor=a' });
  });

  test('are not sent if the caller decided so, and are forwarded to the PDP all the same', async () => {
    expect(await spansOf({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` })).toEqual([]);
    expect(toPdp.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
    expect(toPdp.traceparent).not.toContain(SPAN_ID);
  });

  test('are sent as often as is configured, if the caller has not decided', async () => {
    expect(await spansOf({}, { tracing: { sampleRatio: 0 } })).toEqual([]);
    expect(toPdp.traceparent).toMatch(/-00$/);
  });

  test('begin anew if the trace of the caller is not well-formed, or there are two', async () => {
    const spans = await spansOf({ traceparent: [SAMPLED.traceparent, SAMPLED.traceparent] });
    expect(named(spans, 'POST /enforce')).toMatchObject({ parentSpanId: '' });
    expect(toPdp.traceparent).not.toContain(TRACE_ID);
  });

  test.each([
    [200, false],
    [499, false],
    [500, true],
    [502, true],
  ])('of a request that is answered with %d have failed: %j', async (status, expected) => {
    const options = { endpoint: collector.endpoint, serviceName: 'service', sampleRatio: 1 };
    const tracing = createTracing(options, loggerInMemory().logger);
    tracing.begin({ method: 'POST', route: '/enforce', headers: [] }).end({ status, error: undefined });
    await tracing.close();
    expect(named(collector.spans, 'POST /enforce')?.failed).toBe(expected);
  });

  test('of a request whose caller has gone have failed, and have no status', async () => {
    const pdp = await startHeldPdp();
    const tracing = { endpoint: collector.endpoint };
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, tracing });
    const socket = await connected(service.port);
    const head = ['POST /enforce HTTP/1.1', 'Host: s', 'Content-Type: application/json'];
    socket.write([...head, `Content-Length: ${BODY.length}`, '', BODY].join('\r\n'));
    await eventually(() => pdp.seen.asked > 0);
    socket.destroy();
    await eventually(() => service.logged.some((line) => line.includes('"Request"')));
    await closeAll();
    const { attributes, failed } = named(collector.spans, 'POST /enforce') ?? {};
    expect(failed).toBe(true);
    expect(attributes).not.toHaveProperty('http.response.status_code');
  });

  test('name the error of a PDP and of the request, by its code', async () => {
    const spans = await spansOf({}, { answer: { status: 500 } });
    expect(named(spans, 'PDP resolution')).toMatchObject({
      attributes: { 'error.type': 'pdp-failed' },
      failed: true,
    });
    expect(named(spans, 'POST /enforce')).toMatchObject({
      attributes: { 'error.type': 'pdp-failed', 'http.response.status_code': 502 },
      failed: true,
    });
    expect(named(spans, 'mask')).toBeUndefined();
  });

  test('show a decision that is not understood as a failure of masking', async () => {
    const spans = await spansOf({}, { answer: { body: '{}' } });
    expect(named(spans, 'mask')).toMatchObject({ failed: true });
    expect(named(spans, 'PDP resolution')).toMatchObject({ failed: false });
  });

  test('do not show a mistake of the caller as a failure', async () => {
    const [request, ...others] = await spansOf({}, { body: '{' });
    expect(request).toMatchObject({ attributes: { 'http.response.status_code': 400 }, failed: false });
    expect(others).toEqual([]);
  });

  test('can be found by the log', async () => {
    const [span] = await spansOf();
    expect(logged.find((line) => line.includes('"message":"Request"'))).toContain(
      `"traceId":"${span?.traceId}"`,
    );
  });

  test('hold nothing of the payload, of credentials and of the user', async () => {
    const spans = await spansOf(PLANTED_HEADERS, {
      body: enforcing(PLANTED_PAYLOAD, { vendor: PLANTED_VENDOR }),
      answer: { status: 403, body: PLANTED_TEXT },
    });
    expect(spans).toHaveLength(2);
    for (const secret of PLANTED_TEXT.split(' ')) expect(JSON.stringify(spans)).not.toContain(secret);
  });

  test('are not made of health probes', async () => {
    const { port } = await startEnforcement(NO_RULES, { tracing: { endpoint: collector.endpoint } });
    await call(port, { method: 'GET', path: '/health/readiness' });
    await closeAll();
    expect(collector.spans).toEqual([]);
  });

  test('carry the configured name, and go to the configured path', async () => {
    const endpoint = `${collector.endpoint}/otlp/traces`;
    const [span] = await spansOf({}, { tracing: { endpoint, serviceName: 'masking' } });
    expect(span?.service).toBe('masking');
    expect(collector.paths).toEqual(['/otlp/traces']);
  });

  test('that cannot be sent are logged, and the service stops all the same', async () => {
    await spansOf({}, { tracing: { endpoint: `http://127.0.0.1:${await freePort()}` } });
    expect(logged.filter((line) => line.includes('Trace export failed'))).toHaveLength(1);
  });

  test('that a collector takes without an answer are logged with that reason', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await spansOf({}, { tracing: { endpoint: `http://127.0.0.1:${portOf(silent)}` } });
    silent.closeAllConnections();
    silent.close();
    expect(logged.find((line) => line.includes('Trace export failed'))).toContain(
      '"reason":"the collector did not answer in time"',
    );
  });

  describe('with credentials for the collector', () => {
    const VARIABLE = 'OTEL_EXPORTER_OTLP_HEADERS';
    const SECRET = 'czNjcmV0MTI';
    afterEach(() => {
      Reflect.deleteProperty(process.env, VARIABLE);
    });

    test.each([
      ['with a colon', `Authorization: Basic ${SECRET}==`, 401],
      ['in JSON', `{"authorization":"Bearer ${SECRET}=="}`, 200],
      ['and are refused', `x-api-key=${SECRET}`, 401],
    ])('have none of them in the log if they are written %s', async (_case, headers, status) => {
      process.env[VARIABLE] = headers;
      const refusing = await startCollector(status, `Bad ${SECRET}`);
      await spansOf({}, { tracing: { endpoint: refusing.endpoint } });
      await refusing.close();
      const lines = logged.filter((line) => line.includes('Trace export failed'));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(
        /"reason":"(the collector answered with 401|OTEL_EXPORTER_OTLP_HEADERS has a field)/u,
      );
      expect(logged.join('')).not.toContain(SECRET);
    });
  });
});

describe('without traces', () => {
  afterEach(closeAll);

  test('the trace of the caller is forwarded to the PDP unchanged, and is in the log', async () => {
    const { port, pdp, logged } = await startEnforcement();
    await call(port, { body: BODY, headers: { ...SAMPLED, tracestate: 'a=b' } });
    expect(pdp.requests[0]?.headers).toMatchObject({ ...SAMPLED, tracestate: 'a=b' });
    expect(logged.at(-1)).toContain(`"traceId":"${TRACE_ID}"`);
  });

  test.each([
    ['nothing', undefined],
    ['no hex', '00-zz-b7ad6b7169203331-01'],
    ['zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['something behind it', `${SAMPLED.traceparent}x`],
    ['several', [SAMPLED.traceparent, SAMPLED.traceparent]],
  ])('the log has no trace id if the caller sends %s', async (_, traceparent) => {
    const { port, logged } = await startEnforcement();
    await call(port, { body: BODY, headers: traceparent === undefined ? {} : { traceparent } });
    expect(logged.at(-1)).toContain('"message":"Request"');
    expect(logged.at(-1)).not.toContain('traceId');
  });
});

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { answering, SECRET, startBoth, startProxied } from './setup.ts';

afterEach(closeAll);

const WRITTEN = {
  metrics: { port: 9464 },
  routes: [
    { path: '/open', pass: true },
    { path: '/html/*', nonJson: 'refuse' },
  ],
};

describe('an exchange', () => {
  test('is one line in the log, with its route and times, and without anything of its answer', async () => {
    const { proxyPort, logged } = await startBoth(answering(`[{"ssn":"${SECRET}"}]`));
    await call(proxyPort, { method: 'GET', path: `/a?token=${SECRET}` });
    await eventually(() => logged.some((line) => line.includes('Proxied')));
    const line = logged.find((one) => one.includes('Proxied')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      method: 'GET',
      path: 'otherwise',
      status: 200,
      result: 'enforced',
      upstreamMs: expect.any(Number),
      pdpMs: expect.any(Number),
      maskingMs: expect.any(Number),
      records: 1,
      masked: 1,
    });
    expect(logged.join('\n')).not.toContain(SECRET);
  });

  test('that is refused is a warning that says why', async () => {
    const { proxyPort, logged } = await startBoth(answering(SECRET, { 'content-type': 'text/html' }));
    const { text } = await call(proxyPort, { method: 'GET', path: '/a' });
    await eventually(() => logged.some((line) => line.includes('Proxied')));
    expect(JSON.parse(logged.find((one) => one.includes('Proxied')) ?? '')).toMatchObject({
      level: 'warn',
      result: 'refused',
      responseBytes: text.length,
      error: 'response-not-enforceable',
      detail: 'The answer of the application cannot be enforced: its media type is not JSON.',
    });
  });

  test('is counted by route and result, with the time of each stage', async () => {
    const { proxyPort, metrics } = await startBoth(answering('{"a":1}'), WRITTEN);
    for (const path of ['/a', '/open', '/html/x']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await call(proxyPort, { method: 'GET', path });
    }
    const text = (await metrics?.registry.metrics()) ?? '';
    for (const labels of [
      'route="otherwise",result="enforced"',
      'route="/open",result="passed"',
      'route="/html/*",result="enforced"',
    ])
      expect(text).toContain(`authz_jsonmasking_proxy_exchanges_total{${labels}} 1`);
    expect(text).toContain('authz_jsonmasking_records_total 2\n');
    for (const direction of ['in', 'out'])
      expect(text).toContain(`authz_jsonmasking_payload_bytes_total{direction="${direction}"} 14\n`);
    for (const stage of ['upstream', 'pdp', 'masking'])
      expect(text).toContain(
        `authz_jsonmasking_proxy_stage_duration_seconds_count{route="otherwise",stage="${stage}"} 1`,
      );
  });

  test('that is a stream is counted with its bytes, inflated', async () => {
    const records = '{"a":1}\n{"a":2}\n';
    const fields = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const { proxyPort, metrics } = await startBoth(answering(gzipSync(records), fields), WRITTEN);
    await call(proxyPort, { method: 'GET', path: '/a' });
    const text = (await metrics?.registry.metrics()) ?? '';
    for (const direction of ['in', 'out'])
      expect(text).toContain(`authz_jsonmasking_payload_bytes_total{direction="${direction}"} 16\n`);
  });

  test('that fails is counted as such', async () => {
    const { proxyPort, metrics } = await startProxied('http://127.0.0.1:1', WRITTEN);
    await call(proxyPort, { method: 'GET', path: '/a' });
    expect(await metrics?.registry.metrics()).toContain(
      'authz_jsonmasking_proxy_exchanges_total{route="otherwise",result="failed"} 1',
    );
  });
});

test('the health endpoints are on the port of the service, and not on that of the proxy', async () => {
  const { port, proxyPort, application } = await startBoth(answering('{"mine":true}'));
  expect((await call(port, { method: 'GET', path: '/health/liveness' })).text).toBe('{"status":"live"}');
  expect((await call(proxyPort, { method: 'GET', path: '/health/liveness' })).text).toBe('{"mine":true}');
  expect(application.received).toHaveLength(1);
});

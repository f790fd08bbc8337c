import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { Client } from 'undici';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Envoy } from '../../../scripts/tools/envoy.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { describeEnvoy } from './envoy.ts';
import { answersByHttp2 } from './http2-client.ts';
import { get, held, json, startChain } from './setup.ts';

const RECORDS = [{ id: 1, ssn: '123-45-6789' }];
const MASKED = '[{"id":1,"ssn":"***"}]';

afterEach(closeAll);

const envoyFilter = z.object({
  spec: z.object({
    configPatches: z.tuple([
      z.object({
        patch: z.object({
          value: z.object({
            typed_config: z.looseObject({ processing_mode: z.record(z.string(), z.string()) }),
          }),
        }),
      }),
    ]),
  }),
});

/** What the example has Istio write into the configuration of each Envoy. */
function filterOfIstio() {
  const [{ patch }] = envoyFilter.parse(parse(readFileSync('examples/envoy/istio.yaml', 'utf8'))).spec
    .configPatches;
  return patch.value.typed_config;
}

/** How often the service has sent GOAWAY. */
function closeNotices(envoy: Envoy): Promise<string> {
  return envoy.admin('/stats?filter=cluster.processor.upstream_cx_close_notify');
}

describeEnvoy('With a real Envoy', () => {
  test.each([
    ['STREAMED', { response_body_mode: 'STREAMED' }],
    ['BUFFERED_PARTIAL', { response_body_mode: 'BUFFERED_PARTIAL' }],
    ['NONE', { response_body_mode: 'NONE' }],
    ['no headers of requests', { ...BUFFERED, request_header_mode: 'SKIP' }],
  ])('mode %s is refused, for nothing could be masked', async (_name, mode) => {
    const { envoy } = await startChain({ mode, answer: json(RECORDS) });
    const answer = await get(envoy);
    expect(answer.status).toBe(502);
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
  });

  test('the filter of the example for Istio masks', async () => {
    const { processing_mode: mode, ...filter } = filterOfIstio();
    const grpc_service = { envoy_grpc: { cluster_name: 'processor' } };
    const { envoy } = await startChain({ mode, filter: { ...filter, grpc_service }, answer: json(RECORDS) });
    expect(await get(envoy)).toMatchObject({ status: 200, text: MASKED });
  });

  test('without the headers of answers, no part of a body leaves', async () => {
    const { envoy } = await startChain({
      mode: { ...BUFFERED, response_header_mode: 'SKIP' },
      answer: json(RECORDS),
    });
    await expect(get(envoy)).rejects.toThrow('aborted');
  });

  test('modes in which nothing could be masked serve routes that pass', async () => {
    const otherwise = { pass: true };
    for (const response_body_mode of ['STREAMED', 'BUFFERED_PARTIAL', 'NONE']) {
      // oxlint-disable-next-line no-await-in-loop -- one Envoy after another
      const { envoy } = await startChain({
        mode: { response_body_mode },
        answer: json(RECORDS),
        written: { otherwise },
      });
      // oxlint-disable-next-line no-await-in-loop
      expect(await get(envoy)).toMatchObject({ status: 200, text: JSON.stringify(RECORDS) });
    }
  });

  test('observability mode is refused, which Envoy ignores, and so an error says it', async () => {
    const { envoy, logged } = await startChain({
      mode: { response_body_mode: 'STREAMED' },
      filter: { observability_mode: true },
      answer: json(RECORDS),
    });
    expect(await get(envoy)).toMatchObject({ status: 200 });
    await eventually(() =>
      logged.some((line) => line.includes('"level":"error"') && line.includes('observability_mode')),
    );
  });

  test.each([{ otherwise: { refuse: true } }, { otherwise: { vendor: { entityId: '${claims.sub}' } } }])(
    'an error says it of requests that are refused, too: %j',
    async (written) => {
      const { envoy, logged } = await startChain({
        mode: BUFFERED,
        filter: { observability_mode: true },
        answer: json(RECORDS),
        written,
      });
      expect(await get(envoy)).toMatchObject({ status: 200 });
      await eventually(() =>
        logged.some((line) => line.includes('"level":"error"') && line.includes('observability_mode')),
      );
    },
  );

  test.each<[string, Record<string, string>, Record<string, boolean>]>([
    ['asks for them', { response_trailer_mode: 'SEND' }, {}],
    ['lets the service ask for them', {}, { allow_mode_override: true }],
  ])('trailers are dropped in mode BUFFERED if the filter %s', async (_how, mode, filter) => {
    const { envoy } = await startChain({
      mode: { response_body_mode: 'BUFFERED', ...mode },
      filter,
      answer(response) {
        response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-secret' });
        response.write(JSON.stringify(RECORDS));
        response.addTrailers({ 'x-secret': '123-45-6789' });
        response.end();
      },
    });
    // Envoy sends trailers to clients of HTTP/1.1 only if it is configured to.
    const [text] = await answersByHttp2(envoy.port, ['/a']);
    expect(text).toContain(MASKED);
    expect(text).not.toContain('x-secret');
  });

  test('a route that passes has Envoy keep the body to itself if that is allowed', async () => {
    const large = { text: 'x'.repeat(3_000_000) };
    const { envoy } = await startChain({
      answer: json(large),
      written: { otherwise: { pass: true } },
      filter: { allow_mode_override: true },
      bufferLimit: 65_536,
    });
    expect((await get(envoy)).text).toHaveLength(JSON.stringify(large).length);
  });

  test('a body that is not JSON and passes stays in Envoy if that is allowed', async () => {
    const rest = held((response) => void response.end('x'.repeat(3_000_000)));
    const { envoy } = await startChain({
      answer: (response, received) => {
        response.writeHead(200, { 'content-type': 'text/csv' }).flushHeaders();
        rest.answer(response, received);
      },
      written: { otherwise: { nonJson: 'pass', vendor: { entityId: 'jane' } } },
      filter: { allow_mode_override: true },
      bufferLimit: 65_536,
    });
    const sent = request({ port: envoy.port, host: '127.0.0.1', agent: false }).end();
    const [response] = await once(sent, 'response');
    // Envoy has sent the headers, so that it has heeded the override.
    rest.finish();
    expect(await buffer(response)).toHaveLength(3_000_000);
  });

  test('over its buffer limit, Envoy answers 500 and no part of the body', async () => {
    const { envoy } = await startChain({ answer: json([{ ssn: 'x'.repeat(300_000) }]), bufferLimit: 65_536 });
    const answer = await get(envoy);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('xxx');
  });

  test('tens of megabytes are masked in FULL_DUPLEX_STREAMED, whatever the buffer limit', async () => {
    const records = Array.from({ length: 100_000 }, (_, id) => ({
      id,
      ssn: '123-45-6789',
      text: 'x'.repeat(200),
    }));
    const { envoy } = await startChain({
      mode: FULL_DUPLEX,
      answer: json(records),
      written: { maxBody: 64 },
      bufferLimit: 65_536,
    });
    const answer = await get(envoy);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(JSON.stringify(records).replaceAll('123-45-6789', '***'));
  });

  test('a message over maxMessage ends the exchange with an error', async () => {
    const { envoy } = await startChain({
      answer: json([{ ssn: 'x'.repeat(3_000_000) }]),
      written: { extProc: { port: 0, maxMessage: 1 } },
      bufferLimit: 8_000_000,
    });
    const answer = await get(envoy);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('xxx');
  });

  test('clients get 500 if the service is gone, also in the middle of an exchange', async () => {
    let waiting = 0;
    const { envoy, processor } = await startChain({ answer: () => void waiting++ });
    const answered = get(envoy);
    await eventually(() => waiting === 1);
    processor?.close();
    expect(await answered).toMatchObject({ status: 500 });
    expect(await get(envoy)).toMatchObject({ status: 500 });
  });

  test('an answer of Envoy itself is no JSON of upstream, and is replaced', async () => {
    const { envoy } = await startChain({ answer: ({ socket }) => void socket?.destroy() });
    const answer = await get(envoy);
    expect(answer.status).toBe(502);
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:response-not-enforceable');
  });

  test.each([
    ['BUFFERED', BUFFERED],
    ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
  ])('in mode %s, an answer of Envoy to a path that it rejects is not replaced', async (_name, mode) => {
    const manager = { path_with_escaped_slashes_action: 'REJECT_REQUEST' };
    const { envoy, upstream } = await startChain({ mode, manager, answer: json(RECORDS) });
    expect(await get(envoy, { path: '/a%2Fb' })).toMatchObject({ status: 400, text: '' });
    expect(upstream.requests).toHaveLength(0);
  });

  test('a client that goes away has the PDP request given up', async () => {
    const chain = await startChain({ answer: () => undefined, decision: { delay: 60_000 } });
    const sent = request({ port: chain.envoy.port, host: '127.0.0.1', agent: false }).end();
    sent.on('error', () => undefined);
    await eventually(() => chain.pdp.requests.length === 1);
    sent.destroy();
    await eventually(() => chain.logged.some((line) => line.includes('"outcome":"gone"')));
    expect(chain.logged.some((line) => line.includes('"level":"error"'))).toBe(false);
  });

  test('the path that reaches upstream is the one that was matched', async () => {
    const routes = [{ path: '/public/**', pass: true }];
    const { envoy, upstream } = await startChain({ answer: json(RECORDS), written: { routes } });
    for (const path of [
      '/public/../x',
      '/public/%2e%2e/x',
      '/public%2f..%2fx',
      '/PUBLIC/x',
      '/public/..;/x',
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one path after another
      const answer = await get(envoy, { path });
      expect(answer.text).not.toContain('123-45');
    }
    expect(await get(envoy, { path: '/public/x' })).toMatchObject({ text: JSON.stringify(RECORDS) });
    expect(upstream.requests.length).toBeGreaterThan(0);
  });

  test('exchanges that are still in progress when Envoy is sent away are finished', async () => {
    const { answer, finish } = held(json(RECORDS));
    const { envoy, processor, upstream } = await startChain({ answer });
    const answered = get(envoy);
    await eventually(() => upstream.requests.length === 1);
    const drained = processor?.drain(10_000);
    await eventually(async () => (await closeNotices(envoy)).includes(': 1'));
    finish();
    expect(await answered).toMatchObject({ status: 200, text: MASKED });
    expect(await drained).toBe(true);
  });

  test('exchanges in progress are finished while the service drains, then Envoy is sent away', async () => {
    const { answer, finish } = held(json(RECORDS));
    const { envoy, processor, upstream } = await startChain({ answer });
    const answered = get(envoy);
    await eventually(() => upstream.requests.length === 1);
    const drained = processor?.drain(20_000);
    finish();
    expect(await answered).toMatchObject({ status: 200, text: MASKED });
    expect(await drained).toBe(true);
    expect(await closeNotices(envoy)).toContain(': 1');
    expect(await get(envoy)).toMatchObject({ status: 500 });
  });

  test('Envoy keeps its connection, however many exchanges there are one after another', async () => {
    const { envoy } = await startChain({ answer: json(RECORDS) });
    const client = new Client(`http://127.0.0.1:${envoy.port}`);
    for (let sent = 0; sent < 2500; sent++) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { statusCode, body } = await client.request({ method: 'GET', path: '/' });
      // oxlint-disable-next-line no-await-in-loop
      expect([statusCode, await body.text()]).toEqual([200, MASKED]);
    }
    await client.close();
    expect(await closeNotices(envoy)).toContain(': 0');
  });
});

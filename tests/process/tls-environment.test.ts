import { once } from 'node:events';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { startProvider } from '../identity/provider.ts';
import { closeAll, freePort, listening, portOf, startStub } from '../pdp/transport/setup.ts';
import { startServiceProcess } from '../faults/service-process.ts';
import { call, enforcing, problemIn } from '../support/caller.ts';
import { createAuthority } from '../support/certificates.ts';
import { NO_RULES } from '../support/service.ts';

afterEach(closeAll);

const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };

/** Somebody who listens over TLS with a certificate that nobody trusts, and answers with a decision. */
async function startStranger() {
  const requests: string[] = [];
  const server = createServer(await (await createAuthority()).issue('127.0.0.1'), (request, response) => {
    void text(request).then((body) => response.end(NO_RULES.body, () => requests.push(body)));
  });
  await listening(server);
  return { address: `https://127.0.0.1:${portOf(server)}`, requests };
}

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not make a stranger the PDP', async () => {
  const stranger = await startStranger();
  const service = await startServiceProcess({ pdpUrl: stranger.address }, { env });
  const answer = await call(service.port, { body: enforcing('[{"ssn":"planted-ssn"}]') });
  expect(answer.status).toBe(502);
  expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:pdp-unreachable');
  expect(stranger.requests).toEqual([]);
});

/** Asks a proxy, of whose configuration a part is given. */
async function askProxy(written: object, upstream?: string, headers: Readonly<Record<string, string>> = {}) {
  const pdp = await startStub(NO_RULES);
  const port = await freePort();
  const proxy = { port, host: '127.0.0.1', upstream: upstream ?? pdp.url.origin };
  await startServiceProcess({ pdpUrl: pdp.url.href, proxy, ...written }, { env });
  return call(port, { method: 'GET', path: '/a', headers });
}

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not make a stranger the application', async () => {
  const stranger = await startStranger();
  const routes = [{ path: '/**', pass: true }];
  expect(problemIn(await askProxy({ routes }, stranger.address)).status).toBe(502);
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
  expect(problemIn(await askProxy({ routes }, stranger.address, upgrade)).status).toBe(502);
  expect(stranger.requests).toEqual([]);
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not have the keys of a stranger trusted', async () => {
  const stranger = await startStranger();
  const provider = await startProvider();
  const jwt = { ...provider.jwt, jwksUri: `${stranger.address}/keys` };
  const otherwise = { vendor: { entityId: '${claims.sub}' } };
  const headers = { authorization: `Bearer ${await provider.sign({ sub: 'jane' })}` };
  const answer = await askProxy({ otherwise, identity: { jwt } }, undefined, headers);
  expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:identity-unavailable');
  expect(stranger.requests).toEqual([]);
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not have traces sent to a stranger', async () => {
  const stranger = await startStranger();
  const pdp = await startStub(NO_RULES);
  const configuration = { pdpUrl: pdp.url.href, tracing: { endpoint: stranger.address }, drainDelay: 0 };
  const service = await startServiceProcess(configuration, { env });
  await call(service.port, { body: enforcing('[{"a":1}]') });
  const ended = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  await ended;
  expect(stranger.requests).toEqual([]);
});

import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { createEnforcer, maskResponses } from '../../../src/library.ts';
import { startProvider, type Provider } from '../../identity/provider.ts';
import { closeAll, portOf, startStub, stopLater } from '../../pdp/transport/setup.ts';
import type { StubPdp } from '../../pdp/stub.ts';
import { call } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient } from '../ext-proc/processor-client.ts';
import { answering, startBoth } from '../proxy/setup.ts';

afterEach(closeAll);

type Headers = Readonly<Record<string, string>>;

/** A place that enforces answers, for a PDP that is asked about a subject. */
interface Place {
  readonly pdp: StubPdp;
  /** The status that a client gets. */
  readonly ask: (headers: Headers) => Promise<number>;
}

const BODY = '{"ssn":"1"}';
const DECISION = { body: '{"result":{"rules":[]}}' };

function written({ jwt }: Provider) {
  return { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/data/masking', identity: { jwt } };
}

async function proxy(provider: Provider): Promise<Place> {
  const { proxyPort, pdp } = await startBoth(answering(BODY), written(provider), DECISION);
  return {
    pdp,
    ask: async (headers) => (await call(proxyPort, { method: 'GET', path: '/', headers })).status,
  };
}

async function processor(provider: Provider): Promise<Place> {
  const service = await startEnforcement(DECISION, { ...written(provider), extProc: { port: 0 } });
  const client = new ProcessorClient(service.processor?.port ?? 0);
  const answer = {
    status: 200,
    fields: [['content-type', 'application/json']],
    body: Buffer.from(BODY),
  } as const;
  const head = [[':method', 'GET'] as const, [':path', '/'] as const];
  return {
    pdp: service.pdp,
    ask: async (headers) => (await client.exchange([...head, ...Object.entries(headers)], answer)).status,
  };
}

async function middleware({ jwt }: Provider): Promise<Place> {
  const pdp = await startStub();
  pdp.answer(DECISION);
  const pdpUrl = `${pdp.url.origin}/v1/data/masking`;
  const log = {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  };
  const enforcer = await createEnforcer({ pdpProtocol: 'opa', pdpUrl, identity: { jwt } }, { log });
  stopLater(() => enforcer.close());
  const app = express();
  app.use(maskResponses(enforcer, { vendor: {} }));
  app.use((_, response) => void response.type('json').end(BODY));
  const server = app.listen(0);
  await once(server, 'listening');
  stopLater(async () => void server.close());
  return {
    pdp,
    ask: async (headers) => (await call(portOf(server), { method: 'GET', path: '/', headers })).status,
  };
}

test.each([
  ['proxy', proxy],
  ['processor', processor],
  ['middleware of the library', middleware],
])('the %s asks about the user of the token if its routes name no other', async (_name, start) => {
  const provider = await startProvider();
  const { pdp, ask } = await start(provider);
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer a.b.c' })).toBe(401);
  expect(pdp.requests).toEqual([]);
  expect(await ask({ authorization: `Bearer ${await provider.sign({ region: 'EU' })}` })).toBe(200);
  expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({
    input: { subject: { type: 'user', id: 'jane', properties: { region: 'EU' } } },
  });
});

test('the proxy needs no token if its route names the user', async () => {
  const provider = await startProvider();
  const keys = { ...written(provider), otherwise: { vendor: { entityId: 'batch' } } };
  const { proxyPort, pdp } = await startBoth(answering(BODY), keys, DECISION);
  expect((await call(proxyPort, { method: 'GET', path: '/' })).status).toBe(200);
  expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({
    input: { subject: { type: 'user', id: 'batch' } },
  });
});

test('the library asks about the user of the token that it is given', async () => {
  const provider = await startProvider();
  const pdp = await startStub();
  pdp.answer(DECISION);
  const pdpUrl = `${pdp.url.origin}/v1/data/masking`;
  const enforcer = await createEnforcer({ pdpProtocol: 'opa', pdpUrl, identity: { jwt: provider.jwt } });
  stopLater(() => enforcer.close());
  const headers = { authorization: `Bearer ${await provider.sign()}` };
  await enforcer.enforce({ json: BODY, headers });
  expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({
    input: { subject: { id: 'jane' } },
  });
  await expect(enforcer.enforce({ json: BODY })).rejects.toMatchObject({ code: 'request-invalid' });
});

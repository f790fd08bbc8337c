import { withBreaker } from '../../src/pdp/middleware/breaker/breaker.ts';
import { withCache } from '../../src/pdp/middleware/cache/cache.ts';
import { createEmbeddedPdp, startPdpServer } from '../../src/pdp/protocols/embedded/index.ts';
import type { PolicyFile } from '../../src/pdp/protocols/embedded/policy.ts';
import { speaking } from '../../src/pdp/protocols/protocol.ts';
import { resolutionProtocol } from '../../src/pdp/protocols/resolution/index.ts';
import { createHttpTransport } from '../../src/pdp/transport/adapter.ts';
import type { Pdp, Transport } from '../../src/pdp/port.ts';
import { policiesFrom } from './protocols/embedded/ask.ts';
import { AUDIENCE, createIdentityProvider, ISSUER } from './protocols/embedded/tokens.ts';
import { describePdpPort, SCOPE, USER } from './port.contract.ts';
import { startStubPdp, type StubAnswer, type StubRequest } from './stub.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function at(port: number, path = '/'): URL {
  return new URL(path, `http://127.0.0.1:${port}`);
}

function transportTo(port: number): Transport {
  return createHttpTransport({ origin: at(port), timeout: 10_000, maxAnswerBytes: 16_000_000 });
}

/** The protocol of the specification at its default paths. */
function resolutionAt(port: number, transport = transportTo(port)): Pdp {
  const endpoints = {
    resolution: at(port, '/api/runtime/resolution/v3'),
    token: at(port, '/api/runtime/token/v3'),
  };
  return speaking(resolutionProtocol(endpoints), transport);
}

async function policiesAndToken(): Promise<{ readonly policies: PolicyFile; readonly token: string }> {
  const idp = await createIdentityProvider();
  const jwt = `{ jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE} }`;
  const policies = policiesFrom(`
scopes:
  - { clientId: ${SCOPE.clientId}, clientSecret: ${SCOPE.clientSecret}, jwt: ${jwt} }
policies:
  - { name: Mask SSN, properties: [ssn], action: MASK }
  - { name: Mask customers, assets: { type: Customer, ids: all }, properties: [ssn], action: MASK }`);
  return { policies, token: await idp.sign({ sub: USER }) };
}

const STUB_TOKEN = 'header.payload.signature';

interface AskedBody {
  readonly clientSecret?: string;
  readonly entityId?: string;
  readonly assetList: readonly { readonly path: string }[];
}

/** Answers as far as the contract asks for it. */
function stubAnswer(request: StubRequest): StubAnswer {
  const asked: AskedBody = JSON.parse(request.body.toString());
  const hasToken = request.headers['authorization'] === `Bearer ${STUB_TOKEN}`;
  const isLetIn = asked.clientSecret === undefined ? hasToken : asked.clientSecret === SCOPE.clientSecret;
  if (!isLetIn) return { status: 401, body: 'The scope cannot be entered.' };
  if (hasToken && asked.entityId !== USER) return { status: 403, body: 'The token is not that of the user.' };
  const inContext = request.path.includes('/token/');
  const access = inContext
    ? asked.assetList.map(({ path }) => ({ resourceType: 'Customer', path, attributes: { column: 'ssn' } }))
    : [{ resourceType: 'columns', path: 'ssn' }];
  return { body: JSON.stringify({ response: [{ access }] }) };
}

describePdpPort('embedded', async () => {
  const { policies, token } = await policiesAndToken();
  return { port: createEmbeddedPdp(policies), token, stop: () => Promise.resolve() };
});

describePdpPort('over HTTP to the embedded one', async () => {
  const { policies, token } = await policiesAndToken();
  const server = await startPdpServer({ policies, port: 0, host: '127.0.0.1', logger: silent });
  return { port: resolutionAt(server.port), token, stop: () => server.close() };
});

describePdpPort('over HTTP to a stub', async () => {
  const stub = await startStubPdp();
  stub.answer(stubAnswer);
  return { port: resolutionAt(stub.port), token: STUB_TOKEN, stop: stub.close };
});

describePdpPort('over HTTP to the embedded one, behind a breaker and a cache', async () => {
  const { policies, token } = await policiesAndToken();
  const server = await startPdpServer({ policies, port: 0, host: '127.0.0.1', logger: silent });
  const breaker = { failurePercentage: 50, minimumCalls: 20, window: 10_000, probeAfter: 1000 };
  const guarded = withBreaker(transportTo(server.port), { ...breaker, onState: () => undefined });
  const cached = withCache(guarded, { maxEntries: 100, maxBytes: 1_000_000, maxAge: 300_000 });
  return { port: resolutionAt(server.port, cached), token, stop: () => server.close() };
});

import { withBreaker } from '../../src/pdp/middleware/breaker/breaker.ts';
import { withCache } from '../../src/pdp/middleware/cache/cache.ts';
import { createEmbeddedPdp } from '../../src/pdp/protocols/embedded/adapter.ts';
import type { PolicyFile } from '../../src/pdp/protocols/embedded/policy.ts';
import { startPdpServer } from '../../src/pdp/protocols/embedded/server.ts';
import { createHttpPdp } from '../../src/pdp/transport/adapter.ts';
import type { PdpPort } from '../../src/pdp/port.ts';
import { policiesFrom } from './protocols/embedded/ask.ts';
import { AUDIENCE, createIdentityProvider, ISSUER } from './protocols/embedded/tokens.ts';
import { describePdpPort, SCOPE, USER } from './port.contract.ts';
import { startStubPdp, type StubAnswer, type StubRequest } from './stub.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The default paths of specification 2.4. */
function adapterFor(port: number): PdpPort {
  const at = (path: string): URL => new URL(path, `http://127.0.0.1:${port}`);
  const endpoints = { resolution: at('/api/runtime/resolution/v3'), token: at('/api/runtime/token/v3') };
  return createHttpPdp({ endpoints, timeout: 10_000, maxAnswerBytes: 100_000 });
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
  const text = request.body.toString();
  if (!text.endsWith('}')) return { status: 400, body: 'The body is not valid JSON.' };
  const asked: AskedBody = JSON.parse(text);
  const hasToken = request.headers['authorization'] === `Bearer ${STUB_TOKEN}`;
  const isLetIn = asked.clientSecret === undefined ? hasToken : asked.clientSecret === SCOPE.clientSecret;
  if (!isLetIn) return { status: 401, body: 'The scope cannot be entered.' };
  if (hasToken && asked.entityId !== USER) return { status: 403, body: 'The token is not that of the user.' };
  const inContext = request.path.includes('/token/');
  const access = inContext
    ? asked.assetList.map(({ path }) => ({ resourceType: 'Customer', path }))
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
  return { port: adapterFor(server.port), token, stop: () => server.close() };
});

describePdpPort('over HTTP to a stub', async () => {
  const stub = await startStubPdp();
  stub.answer(stubAnswer);
  return { port: adapterFor(stub.port), token: STUB_TOKEN, stop: stub.close };
});

describePdpPort('over HTTP to the embedded one, behind a breaker and a cache', async () => {
  const { policies, token } = await policiesAndToken();
  const server = await startPdpServer({ policies, port: 0, host: '127.0.0.1', logger: silent });
  const breaker = { failurePercentage: 50, minimumCalls: 20, window: 10_000, probeAfter: 1000 };
  const guarded = withBreaker(adapterFor(server.port), { ...breaker, onState: () => undefined });
  const port = withCache(guarded, { maxEntries: 100, maxBytes: 1_000_000, maxAge: 300_000 });
  return { port, token, stop: () => server.close() };
});

import { withBreaker } from '../../src/pdp/middleware/breaker/breaker.ts';
import { withDecisionCache } from '../../src/pdp/middleware/cache/cache.ts';
import { createEmbeddedPdp } from '../../src/pdp/protocols/embedded/index.ts';
import { startPdpServer } from '../../src/pdp/protocols/embedded/server.ts';
import type { PolicyFile } from '../../src/pdp/policies/policy.ts';
import { authzenEndpoints, authzenProtocol } from '../../src/pdp/protocols/authzen/index.ts';
import { opaProtocol } from '../../src/pdp/protocols/opa/index.ts';
import { pdpSpeaking, type Protocol } from '../../src/pdp/protocol.ts';
import { resolutionProtocol, type ResolutionEndpoints } from '../../src/pdp/protocols/resolution/index.ts';
import { createHttpTransport } from '../../src/pdp/transport/adapter.ts';
import type { Pdp, Transport } from '../../src/pdp/port.ts';
import { policiesFrom } from './protocols/embedded/ask.ts';
import { AUDIENCE, createIdentityProvider, ISSUER } from './protocols/embedded/tokens.ts';
import { describePdpPort, SCOPE, USER, type PdpUnderTest } from './port.contract.ts';
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
  return pdpSpeaking(resolutionProtocol(resolutionEndpoints(port)), transport);
}

function resolutionEndpoints(port: number): ResolutionEndpoints {
  return {
    resolution: at(port, '/api/runtime/resolution/v3'),
    token: at(port, '/api/runtime/token/v3'),
  };
}

async function policiesAndToken(): Promise<{ readonly policies: PolicyFile; readonly token: string }> {
  const idp = await createIdentityProvider();
  const jwt = `{ jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE} }`;
  const policies = policiesFrom(`
scopes:
  - { clientId: ${SCOPE.clientId}, clientSecret: ${SCOPE.clientSecret}, entityTypeId: User, jwt: ${jwt} }
policies:
  - { name: Mask SSN, properties: [ssn], action: MASK }
  - { name: Mask customers, assets: { type: Customer, ids: all }, properties: [ssn], action: MASK }`);
  return { policies, token: await idp.sign({ sub: USER }) };
}

const STUB_TOKEN = 'header.payload.signature';

/** What a stub gets to know of a question, in whatever protocol it was asked. */
interface Known {
  readonly clientSecret?: string;
  readonly entityId?: string;
}

/** How a stub refuses a question; undefined if it does not. */
function refusal({ headers }: StubRequest, { clientSecret, entityId }: Known): StubAnswer | undefined {
  const hasToken = headers['authorization'] === `Bearer ${STUB_TOKEN}`;
  const isLetIn = clientSecret === undefined ? hasToken : clientSecret === SCOPE.clientSecret;
  if (!isLetIn) return { status: 401, body: 'The scope cannot be entered.' };
  if (hasToken && entityId !== USER) return { status: 403, body: 'The token is not that of the user.' };
  return undefined;
}

/** Answers in the protocol of the specification, as far as the contract asks for it. */
function resolutionAnswer(request: StubRequest): StubAnswer {
  const asked: Known & { readonly assetList: readonly { readonly path: string }[] } = JSON.parse(
    String(request.body),
  );
  const inContext = request.path.includes('/token/');
  const access = inContext
    ? asked.assetList.map(({ path }) => ({ resourceType: 'Customer', path, attributes: { column: 'ssn' } }))
    : [{ resourceType: 'columns', path: 'ssn' }];
  return refusal(request, asked) ?? { body: JSON.stringify({ response: [{ access }] }) };
}

/** A question in the terms of AuthZEN. */
interface AccessBody {
  readonly subject: { readonly id: string };
  readonly resource?: { readonly type: string; readonly ids?: readonly string[] };
  readonly context: { readonly vendor?: { readonly clientSecret?: string } };
  readonly evaluations?: readonly unknown[];
}

function knownTo({ subject, context }: AccessBody): Known {
  return { entityId: subject.id, ...context.vendor };
}

/** Masks `ssn`, for each asset in context mode. */
function rulesFor({ resource }: AccessBody): readonly unknown[] {
  const rule = { properties: ['ssn'], action: 'MASK' };
  if (resource?.type !== 'Customer') return [rule];
  if (resource.ids === undefined) return [{ ...rule, assets: { type: 'Customer', ids: 'all' } }];
  return resource.ids.map((id) => ({ ...rule, assets: { type: 'Customer', ids: [id] } }));
}

function opaAnswer(request: StubRequest): StubAnswer {
  const { input }: { readonly input: AccessBody } = JSON.parse(String(request.body));
  return refusal(request, knownTo(input)) ?? { body: JSON.stringify({ result: { rules: rulesFor(input) } }) };
}

function authzenAnswer(request: StubRequest): StubAnswer {
  const asked: AccessBody = JSON.parse(String(request.body));
  const filter = { rules: rulesFor(asked) };
  const answer = asked.evaluations
    ? { evaluations: asked.evaluations.map(() => ({ decision: true })) }
    : { decision: true, context: { obligations: [{ type: 'filter', properties: { filter } }] } };
  return refusal(request, knownTo(asked)) ?? { body: JSON.stringify(answer) };
}

const QUESTIONS = { pdpAction: 'read', pdpContext: {}, bareDecision: 'refuse' } as const;

async function stubbed(
  answer: (request: StubRequest) => StubAnswer,
  protocolAt: (port: number) => Protocol,
): Promise<PdpUnderTest> {
  const stub = await startStubPdp();
  stub.answer(answer);
  const port = pdpSpeaking(protocolAt(stub.port), transportTo(stub.port));
  return { port, token: STUB_TOKEN, stop: stub.close };
}

describePdpPort('embedded', async () => {
  const { policies, token } = await policiesAndToken();
  return { port: createEmbeddedPdp({ current: policies }), token, stop: () => Promise.resolve() };
});

describePdpPort('over HTTP to the embedded one', async () => {
  const { policies, token } = await policiesAndToken();
  const server = await startPdpServer({
    policies: { current: policies },
    port: 0,
    host: '127.0.0.1',
    logger: silent,
  });
  return { port: resolutionAt(server.port), token, stop: () => server.close() };
});

describePdpPort('in the protocol of the specification to a stub', () =>
  stubbed(resolutionAnswer, (port) => resolutionProtocol(resolutionEndpoints(port))),
);

describePdpPort('in the words of OPA to a stub', () =>
  stubbed(opaAnswer, (port) =>
    opaProtocol({ ...QUESTIONS, pdpHeaders: [], url: at(port, '/v1/data/masking') }),
  ),
);

describePdpPort('in the words of AuthZEN to a stub', () =>
  stubbed(authzenAnswer, (port) =>
    authzenProtocol({
      ...QUESTIONS,
      authzen: { properties: undefined, obligations: false, batch: 500 },
      endpoints: authzenEndpoints(at(port)),
    }),
  ),
);

describePdpPort('over HTTP to the embedded one, behind a breaker and a cache', async () => {
  const { policies, token } = await policiesAndToken();
  const server = await startPdpServer({
    policies: { current: policies },
    port: 0,
    host: '127.0.0.1',
    logger: silent,
  });
  const breaker = { failurePercentage: 50, minimumCalls: 20, window: 10_000, probeAfter: 1000 };
  const guarded = withBreaker(transportTo(server.port), { ...breaker, onState: () => undefined });
  const cached = withDecisionCache(guarded, { maxEntries: 100, maxBytes: 1_000_000, maxAge: 300_000 });
  return { port: resolutionAt(server.port, cached), token, stop: () => server.close() };
});

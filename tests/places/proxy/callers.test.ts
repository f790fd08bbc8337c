import { afterEach, describe, expect, test } from '@jest/globals';
import { startProvider } from '../../identity/provider.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { exchanged } from '../../support/wire.ts';
import { answering, MASKS_SSN, SECRET, startBoth, startProxied, startRawApplication } from './setup.ts';

afterEach(closeAll);

const BODY = `{"ssn":"${SECRET}"}`;

describe('a route that needs claims', () => {
  const otherwise = { vendor: { clientId: 'portal', entityId: '${claims.sub}' } };

  test('enforces for the user of the token', async () => {
    const provider = await startProvider();
    const { proxyPort, pdp } = await startBoth(answering(BODY), {
      otherwise,
      identity: { jwt: provider.jwt },
    });
    const headers = { authorization: `Bearer ${await provider.sign({ sub: 'jane' })}` };
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(answer.text).toBe('{"ssn":"***"}');
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({ entityId: 'jane' });
    expect(pdp.requests[0]?.headers).toMatchObject({ ...headers, 'x-request-id': expect.any(String) });
  });

  test('forwards the id of the request once, if the client gave one', async () => {
    const { proxyPort, pdp } = await startBoth(answering(BODY));
    await call(proxyPort, { method: 'GET', path: '/a', headers: { 'x-request-id': 'own-1' } });
    expect(pdp.requests[0]?.headers).toMatchObject({ 'x-request-id': 'own-1' });
  });

  test.each([
    ['without a token', {}, /^Bearer$/u],
    ['with a token that nobody signed', { authorization: 'Bearer a.b.c' }, /^Bearer error="invalid_token"/u],
  ])('answers 401 %s, before the application gets the request', async (_name, headers, challenge) => {
    const { jwt } = await startProvider();
    const { proxyPort, application } = await startBoth(answering(BODY), { otherwise, identity: { jwt } });
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(challenge);
    expect(application.received).toEqual([]);
  });

  test('answers 401 if the token lacks the claim', async () => {
    const provider = await startProvider();
    const vendor = { entityId: '${claims.role}' };
    const written = { otherwise: { vendor }, identity: { jwt: provider.jwt } };
    const { proxyPort } = await startBoth(answering(BODY), written);
    const headers = { authorization: `Bearer ${await provider.sign()}` };
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(problemIn(answer)).toMatchObject({
      status: 401,
      detail: 'The token does not have ${claims.role}.',
    });
  });

  test('answers 401 if the claim is not text, before the application gets the request', async () => {
    const provider = await startProvider();
    const written = { otherwise, identity: { jwt: provider.jwt } };
    const { proxyPort, application, pdp } = await startBoth(answering(BODY), written);
    const token = await provider.sign(JSON.parse('{"sub":5}'));
    const headers = { authorization: `Bearer ${token}` };
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(problemIn(answer)).toMatchObject({
      status: 401,
      detail: 'The token does not have text in ${claims.sub}.',
    });
    expect(answer.headers['www-authenticate']).toContain('A claim is not text');
    expect([application.received, pdp.requests]).toEqual([[], []]);
  });

  test('keeps the words of a PDP that answers 401 from clients, also those of its challenge', async () => {
    const challenge = 'Bearer realm="internal-pdp", error_description="scope portal is locked"';
    const refusing = { status: 401, headers: { 'www-authenticate': challenge }, body: 'The scope is locked' };
    const { port, proxyPort } = await startBoth(answering(BODY), {}, refusing);
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(answer.text).not.toContain('locked');
    const caller = await call(port, { body: enforcing('{}') });
    expect(caller).toMatchObject({ status: 401, headers: { 'www-authenticate': challenge } });
    expect(caller.text).toContain('The scope is locked');
  });

  test('answers 503 while the identity provider is unavailable', async () => {
    const provider = await startProvider();
    provider.fail('reset');
    const { proxyPort, logged } = await startBoth(answering(BODY), {
      otherwise,
      identity: { jwt: provider.jwt },
    });
    const headers = { authorization: `Bearer ${await provider.sign()}` };
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
    expect(problemIn(answer)).toMatchObject({ status: 503, detail: 'The token cannot be verified now.' });
    await eventually(() => logged.some((line) => line.includes(`${provider.url} cannot be reached`)));
  });
});

describe('a route that names no user', () => {
  test.each([['opa'], ['authzen']])(
    'asks a PDP by %s about that of the token, so that it needs one before the application gets the request',
    async (pdpProtocol) => {
      const { jwt } = await startProvider();
      const written = { pdpProtocol, pdpUrl: '{pdp}/v1/data/masks', identity: { jwt } };
      const { proxyPort, application } = await startBoth(answering(BODY), written);
      const answer = await call(proxyPort, { method: 'GET', path: '/a' });
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(application.received).toEqual([]);
    },
  );
});

test('a token counts for clockTolerance after it has expired', async () => {
  const provider = await startProvider();
  const otherwise = { vendor: { entityId: '${claims.sub}' } };
  const identity = { jwt: { ...provider.jwt, clockTolerance: 300_000 } };
  const { proxyPort } = await startBoth(answering(BODY), { otherwise, identity });
  const at = async (exp: number) => {
    const headers = { authorization: `Bearer ${await provider.sign({ exp })}` };
    return (await call(proxyPort, { method: 'GET', path: '/a', headers })).status;
  };
  const now = Math.floor(Date.now() / 1000);
  expect([await at(now - 100), await at(now - 1000)]).toEqual([200, 401]);
});

test('a stream goes on for clockTolerance after the token has expired', async () => {
  const provider = await startProvider();
  const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'customers' };
  const otherwise = { vendor: { entityId: '${claims.sub}' }, parameters };
  const identity = { jwt: { ...provider.jwt, clockTolerance: 300_000 } };
  const records = answering('{"id":"1"}\n', { 'content-type': 'application/x-ndjson' });
  const { proxyPort } = await startBoth(records, { otherwise, identity });
  const exp = Math.floor(Date.now() / 1000) - 100;
  const headers = { authorization: `Bearer ${await provider.sign({ exp })}` };
  const answer = await call(proxyPort, { method: 'GET', path: '/a', headers });
  expect(answer).toMatchObject({ status: 200, text: '{"id":"1"}\n' });
});

describe('an identity header', () => {
  const otherwise = { vendor: { entityId: '${headers.x-user}' } };

  test('that is trusted says who calls', async () => {
    const { proxyPort, pdp, application } = await startBoth(answering(BODY), {
      otherwise,
      trustedHeaders: ['X-User'],
    });
    const answer = await call(proxyPort, { method: 'GET', path: '/a', headers: { 'x-user': 'jane' } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({ entityId: 'jane' });
    expect(application.received[0]?.headers).toMatchObject({ 'x-user': 'jane' });
  });

  test.each([['X-User'], []])(
    'is dropped if it is spelt with an underscore, trusted: %p',
    async (...trusted) => {
      const { proxyPort, pdp, application } = await startBoth(answering(BODY), {
        otherwise,
        routes: [{ path: '/b', vendor: {} }],
        trustedHeaders: trusted,
      });
      const headers = { X_User: 'admin' };
      expect((await call(proxyPort, { method: 'GET', path: '/b', headers })).status).toBe(200);
      expect(JSON.stringify([application.received, pdp.requests])).not.toContain('admin');
      expect(application.received).toHaveLength(1);
    },
  );

  test('that is not trusted is dropped: the request is refused with 400, and other routes do not forward it', async () => {
    const routes = [{ path: '/b', vendor: {} }];
    const { proxyPort, pdp, application, logged } = await startBoth(answering(BODY), { otherwise, routes });
    const headers = { 'X-USER': 'admin' };
    expect(problemIn(await call(proxyPort, { method: 'GET', path: '/a', headers }))).toMatchObject({
      status: 400,
      type: 'urn:authz-jsonmasking:error:variable-missing',
    });
    expect((await call(proxyPort, { method: 'GET', path: '/b', headers })).status).toBe(200);
    expect(application.received).toHaveLength(1);
    expect(JSON.stringify([application.received, pdp.requests])).not.toContain('admin');
    expect(logged[0]).toContain('list them in trustedHeaders');
  });

  test('that Connection names is dropped, so the request is refused', async () => {
    const { proxyPort } = await startBoth(answering(BODY), { otherwise, trustedHeaders: ['X-User'] });
    const request = 'GET /a HTTP/1.1\r\nHost: a\r\nX-User: jane\r\nConnection: close, X-User\r\n\r\n';
    expect(await exchanged(proxyPort, request)).toMatch(/^HTTP\/1\.1 400 /u);
  });
});

describe('a route', () => {
  test('that refuses answers 403, and the application does not get the request', async () => {
    const { proxyPort, application } = await startBoth(answering(BODY), { otherwise: { refuse: true } });
    const answer = await call(proxyPort, { method: 'GET', path: '/a' });
    expect(problemIn(answer)).toMatchObject({
      status: 403,
      type: 'urn:authz-jsonmasking:error:route-refused',
    });
    expect(application.received).toEqual([]);
  });

  test('that passes leaves the answer as it is, and nobody asks the PDP', async () => {
    const application = await startRawApplication((socket) => {
      socket.write(
        'HTTP/1.1 206 Partial Content\r\nContent-Type: text/html; charset=iso-8859-1\r\nETag: "x"\r\nContent-Range: bytes 0-4/9\r\nContent-Encoding: zstd\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nh\xe9llo\r\n0\r\nX-Sum: 7\r\n\r\n',
        'latin1',
      );
    });
    const { proxyPort, pdp } = await startProxied(application.url, { otherwise: { pass: true } });
    const received = await exchanged(proxyPort, 'GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 206 Partial Content\r\n/u);
    for (const field of ['ETag: "x"', 'Content-Range: bytes 0-4/9', 'Content-Encoding: zstd', 'X-Sum: 7'])
      expect(received).toContain(`${field}\r\n`);
    expect(pdp.requests).toEqual([]);
  });
});

test('two users with one connection each get what their decision says', async () => {
  const otherwise = { vendor: { entityId: '${headers.x-user}' } };
  const { proxyPort } = await startBoth(
    answering(BODY),
    { otherwise, trustedHeaders: ['x-user'] },
    ({ body }) =>
      body.toString().includes('boss') ? { body: decision({ access: [maskRule('id')] }) } : MASKS_SSN,
  );
  const users = Array.from({ length: 20 }, (_value, index) => (index % 2 === 0 ? 'boss' : 'jane'));
  const answers = await Promise.all(
    users.map((user) => call(proxyPort, { method: 'GET', path: '/a', headers: { 'x-user': user } })),
  );
  expect(answers.map(({ text }) => text)).toEqual(
    users.map((user) => (user === 'boss' ? BODY : '{"ssn":"***"}')),
  );
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { startProvider } from '../../identity/provider.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const BODY = enforcing('{"a":1}');

describe('with identity.required, /enforce', () => {
  test('answers 401 with a challenge to a request without a token, and does not ask the PDP', async () => {
    const { jwt } = await startProvider();
    const { port, pdp } = await startEnforcement(undefined, { identity: { required: true, jwt } });
    const answer = await call(port, { body: BODY });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(problemIn(answer)).toMatchObject({ type: 'urn:authz-jsonmasking:error:token-refused' });
    expect(pdp.requests).toEqual([]);
  });

  test('enforces for a valid token, which is forwarded to the PDP', async () => {
    const provider = await startProvider();
    const identity = { required: true, jwt: provider.jwt };
    const { port, pdp } = await startEnforcement(undefined, { identity });
    const authorization = `Bearer ${await provider.sign()}`;
    const answer = await call(port, { body: BODY, headers: { authorization } });
    expect(answer.status).toBe(200);
    expect(pdp.requests[0]?.headers['authorization']).toBe(authorization);
  });

  test('has the verified claims be the subject of an AuthZEN PDP', async () => {
    const provider = await startProvider();
    const identity = { required: true, jwt: provider.jwt };
    const authzen = { pdpProtocol: 'authzen', bareDecision: 'allow' };
    const { port, pdp } = await startEnforcement({ body: '{"decision":true}' }, { identity, ...authzen });
    const headers = { authorization: `Bearer ${await provider.sign({ region: 'EU' })}` };
    expect((await call(port, { body: enforcing('{"a":1}', { vendor: {} }), headers })).status).toBe(200);
    const asked: unknown = JSON.parse(pdp.requests[0]?.body.toString() ?? '');
    expect(asked).toMatchObject({ subject: { id: 'jane', properties: { region: 'EU' } } });
  });
});

async function startWithProvider() {
  const provider = await startProvider();
  const keys = { identity: { jwt: provider.jwt }, pdpProtocol: 'authzen', bareDecision: 'allow' };
  return { provider, ...(await startEnforcement({ body: '{"decision":true}' }, keys)) };
}

describe('without identity.required, the subject that an AuthZEN PDP is asked about', () => {
  test.each([{}, { entityId: null }, { entityId: '' }])(
    'is that of a valid token with %j',
    async (vendor) => {
      const { provider, port, pdp } = await startWithProvider();
      const headers = { authorization: `Bearer ${await provider.sign({ region: 'EU' })}` };
      expect((await call(port, { body: enforcing('{"a":1}', { vendor }), headers })).status).toBe(200);
      const asked: unknown = JSON.parse(pdp.requests[0]?.body.toString() ?? '');
      expect(asked).toMatchObject({ subject: { id: 'jane', properties: { region: 'EU' } } });
    },
  );

  test('is the one that the request names, whatever the token', async () => {
    const { port, pdp } = await startWithProvider();
    const body = enforcing('{"a":1}', { vendor: { entityId: 'max' } });
    const answer = await call(port, { body, headers: { authorization: 'Bearer junk' } });
    expect(answer.status).toBe(200);
    const asked: unknown = JSON.parse(pdp.requests[0]?.body.toString() ?? '');
    expect(asked).toMatchObject({ subject: { id: 'max' } });
  });

  test.each([
    ['with a token that is not believed', { authorization: 'Bearer junk' }, 401],
    ['with other credentials', { authorization: 'Basic amFuZTp4' }, 400],
    ['without a token', {}, 400],
  ])('is unknown %s, and the PDP is not asked', async (_what, headers, status) => {
    const { port, pdp } = await startWithProvider();
    const answer = await call(port, { body: enforcing('{"a":1}', { vendor: {} }), headers });
    expect(answer.status).toBe(status);
    expect(pdp.requests).toEqual([]);
  });
});

import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { closeAll } from '../../pdp/transport/setup.ts';
import { problemIn } from '../../support/caller.ts';
import { createAuthority } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { describeEnvoy } from './envoy.ts';
import { get, json, startChain } from './setup.ts';

const RECORDS = [{ id: 1, ssn: '123-45-6789' }];
const MASKED = '[{"id":1,"ssn":"***"}]';
const WITH_CLAIMS = { otherwise: { vendor: { entityId: '${claims.sub}' } } };
const FORWARDED = {
  metadata_options: { forwarding_namespaces: { untyped: ['envoy.filters.http.jwt_authn'] } },
};

afterEach(closeAll);

/**
 * A filter of Envoy that verifies tokens, and a token that it accepts.
 *
 * @param moreClaims JSON text, with a comma before each
 */
async function tokenFilter(moreClaims = '', isRequired = false) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] });
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const payload = `{"iss":"https://idp","sub":"jane","exp":${expires}${moreClaims}}`;
  const token = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(privateKey);
  const filter = {
    name: 'envoy.filters.http.jwt_authn',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.filters.http.jwt_authn.v3.JwtAuthentication',
      providers: {
        idp: {
          issuer: 'https://idp',
          local_jwks: { inline_string: keys },
          payload_in_metadata: 'claims',
          header_in_metadata: 'header',
        },
      },
      rules: [
        {
          match: { prefix: '/' },
          requires: isRequired
            ? { provider_name: 'idp' }
            : { requires_any: { requirements: [{ provider_name: 'idp' }, { allow_missing: {} }] } },
        },
      ],
    },
  };
  return { filter, token };
}

describeEnvoy('With a real Envoy', () => {
  test('the PDP is asked about the user whose token Envoy verified', async () => {
    const { filter, token } = await tokenFilter();
    const { envoy, pdp } = await startChain({
      answer: json(RECORDS),
      written: WITH_CLAIMS,
      before: [filter],
      filter: FORWARDED,
    });
    const headers = { authorization: `Bearer ${token}` };
    expect(await get(envoy, { headers })).toMatchObject({ status: 200, text: MASKED });
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({ entityId: 'jane' });
  });

  test.each([BUFFERED, FULL_DUPLEX])('a refusal of a filter before it keeps its status: %j', async (mode) => {
    const { filter } = await tokenFilter('', true);
    for (const otherwise of [{ pass: true }, { vendor: { entityId: 'jane' } }]) {
      // oxlint-disable-next-line no-await-in-loop -- one Envoy after another
      const { envoy } = await startChain({
        mode,
        answer: json(RECORDS),
        written: { otherwise },
        before: [filter],
      });
      // oxlint-disable-next-line no-await-in-loop
      const answer = await get(envoy);
      expect(answer).toMatchObject({
        status: 401,
        text: '{"type":"about:blank","title":"Unauthorized","status":401}',
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      });
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
  });

  test('an answer without a request shows nothing, whatever its status', async () => {
    for (const status of [200, 302, 404, 500]) {
      // oxlint-disable-next-line no-await-in-loop -- one Envoy after another
      const { envoy } = await startChain({
        mode: { ...BUFFERED, request_header_mode: 'SKIP' },
        answer: (response) =>
          void response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify(RECORDS)),
      });
      // oxlint-disable-next-line no-await-in-loop
      const { status: got, text } = await get(envoy);
      expect([got, text.includes('123-45-6789')]).toEqual([status < 400 ? 502 : status, false]);
    }
  });

  test.each([
    ['number', '9007199254740991', '9007199254740991'],
    ['list', '[1.5,-7]', '[1.5,-7]'],
    ['number of which Envoy loses digits', '9007199254740993', undefined],
    ['negative number of which it does', '-9007199254740993', undefined],
    ['list with one', '[1,9007199254740993]', undefined],
    ['object with one', '{"id":9007199254740993}', undefined],
  ])('of the claims that Envoy verified, a %s counts only if it is whole', async (_, claim, asked) => {
    const { filter, token } = await tokenFilter(`,"account":${claim}`);
    const { envoy, pdp } = await startChain({
      answer: json(RECORDS),
      written: { otherwise: { vendor: { entityId: '${claims.sub}', account: '${claims.account}' } } },
      before: [filter],
      filter: FORWARDED,
    });
    const { status } = await get(envoy, { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(asked === undefined ? 401 : 200);
    const questions = pdp.requests.map(({ body }) => /"account":([^{}]*?)[,}]"/u.exec(body.toString())?.[1]);
    expect(questions).toEqual(asked === undefined ? [] : [asked]);
  });

  test('a route that needs claims answers 401 without a token, and upstream gets no request', async () => {
    const { filter } = await tokenFilter();
    const options = { answer: json(RECORDS), written: WITH_CLAIMS, before: [filter], filter: FORWARDED };
    const { envoy, upstream } = await startChain(options);
    const answer = await get(envoy);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:token-refused');
    expect(upstream.requests).toEqual([]);
  });

  test('a header that is not trusted neither says who the user is nor reaches upstream', async () => {
    const written = { otherwise: { vendor: { entityId: '${headers.x-user}' } } };
    const { envoy, upstream } = await startChain({ answer: json(RECORDS), written });
    expect(await get(envoy, { headers: { 'x-user': 'jane' } })).toMatchObject({ status: 400 });
    expect(upstream.requests).toEqual([]);
  });

  test.each([{ pass: true }, { vendor: { entityId: 'jane' } }])(
    'a header that is not trusted does not reach upstream on other routes either: %p',
    async (other) => {
      const written = {
        routes: [{ path: '/mine', vendor: { entityId: '${headers.x-user}' } }],
        otherwise: other,
      };
      const { envoy, upstream } = await startChain({ answer: json(RECORDS), written });
      await get(envoy, { headers: { 'X-User': 'admin', X_User: 'admin', 'X-Other': 'kept' } });
      const received = upstream.requests.map(({ headers }) => headers);
      expect(received).toMatchObject([{ 'x-other': 'kept' }]);
      expect(JSON.stringify(received)).not.toContain('admin');
    },
  );

  test('a header that is not trusted and that Envoy does not remove is refused', async () => {
    const written = {
      routes: [{ path: '/mine', vendor: { entityId: '${headers.x-envoy-user}' } }],
      otherwise: { pass: true },
    };
    const { envoy, upstream } = await startChain({ answer: json(RECORDS), written });
    expect(await get(envoy, { headers: { 'X-Envoy-User': 'admin' } })).toMatchObject({ status: 400 });
    expect(upstream.requests).toEqual([]);
  });

  test('a header that is trusted says who the user is', async () => {
    const written = { trustedHeaders: ['X-User'], otherwise: { vendor: { entityId: '${headers.x-user}' } } };
    const { envoy, pdp } = await startChain({ answer: json(RECORDS), written });
    const answer = await get(envoy, { headers: { 'x-user': 'jane' } });
    expect(answer).toMatchObject({ status: 200, text: MASKED });
    expect(answer.headers['vary']).toBe('Authorization, x-user');
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({ entityId: 'jane' });
  });

  test('Envoy and the service authenticate each other over TLS', async () => {
    const authority = await createAuthority();
    const [own, client] = [await authority.issue('127.0.0.1'), await authority.issue('envoy')];
    const folder = await folderWith({ 'ca.crt': authority.cert, 'tls.crt': own.cert, 'tls.key': own.key });
    const file = (name: string): string => path.join(folder, name);
    const tls = {
      certFile: file('tls.crt'),
      keyFile: file('tls.key'),
      clientCaFile: file('ca.crt'),
      clientCertificates: 'require',
    };
    const context = (certificates: unknown) => ({
      name: 'envoy.transport_sockets.tls',
      typed_config: {
        '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
        common_tls_context: {
          ...Object(certificates),
          validation_context: { trusted_ca: { inline_string: authority.cert } },
        },
      },
    });
    const certificate = {
      certificate_chain: { inline_string: client.cert },
      private_key: { inline_string: client.key },
    };
    const known = context({ tls_certificates: [certificate] });
    const good = await startChain({ answer: json(RECORDS), written: { tls }, processorTls: known });
    expect(await get(good.envoy)).toMatchObject({ status: 200, text: MASKED });
    const bad = await startChain({ answer: json(RECORDS), written: { tls }, processorTls: context({}) });
    expect(await get(bad.envoy)).toMatchObject({ status: 500 });
  });
});

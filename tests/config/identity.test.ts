import { expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

test.each([
  [
    'identity: { jwt: { issuer: "https://idp" } }',
    'line 3: identity.jwt.audience is required with identity.jwt: only tokens for this audience are accepted',
  ],
  [
    'identity: { jwt: { audience: a } }',
    'line 3: identity.jwt.issuer is required with identity.jwt: only tokens of this issuer are accepted',
  ],
  [
    'identity: { required: true }',
    'line 3: identity.jwt is required with identity.required: it says which tokens are accepted',
  ],
  [
    'identity: { jwt: { issuer: idp, audience: a } }',
    'line 3: identity.jwt.issuer must be a URL that begins with https:// or http://, or identity.jwt.jwksUri must be given',
  ],
  ...['"ftp://idp"', '"https://"', '"https://idp:port"'].map((issuer) => [
    `identity: { jwt: { issuer: ${issuer}, audience: a } }`,
    'line 3: identity.jwt.issuer must be a URL that begins with https:// or http://, or identity.jwt.jwksUri must be given',
  ]),
  [
    'identity: { jwt: { issuer: idp, audience: a, jwksUri: "ftp://idp" } }',
    'line 3: identity.jwt.jwksUri must be a URL that begins with https:// or http://, without a user name',
  ],
  [
    'identity: { jwt: { issuer: idp, audience: a, jwksUri: "https://idp:s3cret@idp/keys" } }',
    'line 3: identity.jwt.jwksUri must be a URL that begins with https:// or http://, without a user name',
  ],
  [
    'identity: { jwt: { issuer: idp, audience: a, jwksUri: "https://:s3cret@idp/keys" } }',
    'line 3: identity.jwt.jwksUri must be a URL that begins with https:// or http://, without a user name',
  ],
  [
    'identity: { jwt: { issuer: idp, audience: a, jwksUri: "https://idp/keys#a" } }',
    'line 3: identity.jwt.jwksUri must be a URL that begins with https:// or http://, without a user name',
  ],
  [
    'identity: { jwt: { isuer: idp } }',
    'line 3: identity.jwt.isuer is not a known key; the nearest one is identity.jwt.issuer',
  ],
  [
    'identity: { jwt: { issuer: "https://idp", audience: a, algorithms: [HS256] } }',
    'line 3: identity.jwt.algorithms.0 must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519',
  ],
])('%s is refused in words', (line, problem) => {
  expect(problemsIn(`${MINIMAL}${line}\n`)).toContain(problem);
});

test('an issuer that is no URL is accepted if the address of its keys is given', () => {
  const line = 'identity: { jwt: { issuer: idp, audience: a, jwksUri: "https://idp/keys" } }';
  const { identity } = parseConfiguration(`${MINIMAL}${line}\n`, { file: 'config.yaml' });
  expect(identity).toMatchObject({ required: false, jwt: { issuer: 'idp', audience: 'a' } });
});

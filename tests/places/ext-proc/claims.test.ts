import { expect, test } from '@jest/globals';
import { scan, TOP, valueAt } from '../../../src/core/index.ts';
import type { Callers } from '../../../src/identity/index.ts';
import { claimsOf } from '../../../src/places/ext-proc/claims.ts';
import type { StructValue } from '../../../src/places/ext-proc/protocol/struct.ts';

const BEARER = ['authorization', 'Bearer token'] as const;

/** Verifies each token, or that there is none, with these claims. */
const CALLERS: Callers = {
  clockTolerance: 0,
  claims: (headers) => Promise.resolve(scan(Buffer.from(JSON.stringify({ sub: 'own', of: headers })), 10)),
  close: () => Promise.resolve(),
};

interface Given {
  /** What Envoy's filter has written, by provider. */
  readonly verified?: StructValue;
  readonly hasToken?: boolean;
  readonly callers?: Callers;
}

async function claims({ verified, hasToken = false, callers }: Given): Promise<unknown> {
  const metadata = new Map(verified === undefined ? [] : [['envoy.filters.http.jwt_authn', verified]]);
  const head = { method: 'GET', path: '/', fields: hasToken ? [BEARER] : [], metadata };
  return valueAt(await claimsOf(head, callers), TOP);
}

const ENVOY = { iss: 'https://a', sub: 'envoy' };
const OWN = expect.objectContaining({ sub: 'own' });

test.each<[string, Given, unknown]>([
  ['Envoy’s, if the service verifies none', { verified: { a: ENVOY }, hasToken: true }, ENVOY],
  ['Envoy’s, if the request has no token', { verified: { a: ENVOY }, callers: CALLERS }, ENVOY],
  ['the service’s own, if it has one', { verified: { a: ENVOY }, hasToken: true, callers: CALLERS }, OWN],
  ['the service’s own, if Envoy verified none', { callers: CALLERS }, OWN],
  ['those with an issuer', { verified: { header: { alg: 'RS256' }, payload: ENVOY } }, ENVOY],
  [
    'those that a double does not change',
    { verified: { a: { ...ENVOY, id: 2 ** 53, debt: -(2 ** 53), ids: [1, 2 ** 53], level: 3 } } },
    { ...ENVOY, level: 3 },
  ],
])('the claims of the caller are %s', async (_name, given, expected) => {
  expect(await claims(given)).toEqual(expected);
});

test.each<[string, Given]>([
  ['nobody verified any', {}],
  ['Envoy verified those of two providers', { verified: { a: ENVOY, b: { ...ENVOY, sub: 'other' } } }],
  ['none has an issuer', { verified: { a: { sub: 'envoy' } } }],
  ['the metadata is no object', { verified: 'envoy' }],
])('nobody has claims if %s', async (_name, given) => {
  await expect(claims(given)).rejects.toMatchObject({ code: 'token-refused' });
});

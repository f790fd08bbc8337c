import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PolicyFile } from '../../../../src/pdp/policies/policy.ts';
import { ServiceError } from '../../../../src/errors.ts';
import type { HeaderFields } from '../../../../src/pdp/port.ts';
import { ask, policiesFrom, type Vendor } from './ask.ts';
import {
  AUDIENCE,
  bearer,
  createIdentityProvider,
  ISSUER,
  unsignedToken,
  type IdentityProvider,
} from './tokens.ts';

const POLICIES = `
policies:
  - { name: For everyone, properties: [everyones], action: MASK }
  - { name: For jane, for: { entityIds: [jane] }, properties: [janes], action: MASK }
  - { name: For agents, for: { entityTypes: [Agent] }, properties: [agents], action: MASK }`;

/** The properties in the decision, or why there is none. */
async function outcome(policies: PolicyFile, vendor: Vendor, headers: HeaderFields = []): Promise<unknown> {
  const identity = { entityId: 'jane', entityTypeId: 'Agent' };
  try {
    const answer = JSON.stringify(await ask(policies, { ...identity, ...vendor }, { headers }));
    return [...answer.matchAll(/"path":"(\w+)"/g)].map(([, path]) => path);
  } catch (error) {
    return error instanceof ServiceError ? `${error.code}: ${error.callerDetail}` : error;
  }
}

/** What a token of jane says. */
const JANE = { sub: 'jane', 'https:type': 'Agent' };

const GRANTED = ['everyones', 'janes', 'agents'];

describe('without scopes', () => {
  test('anyone may ask, as whomever', async () => {
    expect(await outcome(policiesFrom(POLICIES), {})).toEqual(GRANTED);
  });

  test('a token that nobody verified does not say who asks', async () => {
    const policies = policiesFrom(
      `policies: [{ name: P, for: { entityIds: [jane] }, properties: [v], action: MASK }]`,
    );
    const answer = outcome(policies, { entityId: undefined }, bearer(unsignedToken({ sub: 'jane' })));
    expect(await answer).toMatch(/^pdp-unauthorized: The policy "P" depends on the entityId/);
  });

  test('a token that nobody verified says who asks if the file trusts it', async () => {
    const policies = policiesFrom(`
trustUnverifiedClaims: true
policies: [{ name: P, for: { entityIds: [jane] }, properties: [v], action: MASK }]`);
    const token = unsignedToken({ sub: 'jane' });
    expect(await outcome(policies, { entityId: undefined }, bearer(token))).toEqual(['v']);
  });

  test('an invalid token counts as none if the file trusts unverified ones', async () => {
    const policies = policiesFrom(`
trustUnverifiedClaims: true
policies: [{ name: P, for: { claims: { $.a: [x] } }, properties: [v], action: MASK }]`);
    expect(await outcome(policies, {}, bearer('opaque'))).toMatch(/depends on the bearer token/);
  });
});

describe('a scope with a secret', () => {
  const policies = policiesFrom(`
scopes:
  - { clientId: portal, clientSecret: s3cret, entityTypeId: Agent }
  - { clientId: other, clientSecret: 0815 }
${POLICIES}
  - { name: For the portal, scopes: [portal], properties: [portals], action: MASK }`);

  test('is entered with it', async () => {
    expect(await outcome(policies, { clientId: 'other', clientSecret: '0815' })).toEqual(GRANTED);
  });

  test('has policies of its own', async () => {
    const vendor = { clientId: 'portal', clientSecret: 's3cret' };
    expect(await outcome(policies, vendor)).toEqual([...GRANTED, 'portals']);
  });

  test('may be named by clientID as well', async () => {
    expect(await outcome(policies, { clientID: 'other', clientSecret: '0815' })).toEqual(GRANTED);
  });

  test('gives the type of the users that come without one', async () => {
    const vendor = { clientId: 'portal', clientSecret: 's3cret', entityTypeId: undefined };
    expect(await outcome(policies, vendor)).toEqual([...GRANTED, 'portals']);
  });

  test.each([
    ['another secret', { clientId: 'portal', clientSecret: '0815' }],
    ['an empty secret', { clientId: 'portal', clientSecret: '' }],
    ['a scope that is not there', { clientId: 'nobody', clientSecret: 's3cret' }],
  ])('is not entered with %s, and the answer does not say what was wrong', async (_, vendor) => {
    const reason = 'pdp-unauthorized: The client id or the client secret is not right.';
    expect(await outcome(policies, vendor)).toBe(reason);
  });

  test('is not entered without its secret, with or without a token', async () => {
    const reason = 'pdp-unauthorized: The scope cannot be entered without a client secret or a bearer token.';
    expect(await outcome(policies, { clientId: 'portal' })).toBe(reason);
    expect(await outcome(policies, { clientId: 'portal' }, bearer(unsignedToken({ sub: 'jane' })))).toBe(
      reason,
    );
  });

  test('is not entered without a client id', async () => {
    expect(await outcome(policies, { clientSecret: 's3cret' })).toBe(
      'pdp-unauthorized: `clientId` is missing.',
    );
  });
});

describe('a scope with tokens', () => {
  let idp: IdentityProvider;
  let stranger: IdentityProvider;
  let policies: PolicyFile;

  beforeAll(async () => {
    idp = await createIdentityProvider();
    stranger = await createIdentityProvider();
    policies = policiesFrom(
      `
scopes:
  - clientId: app
    jwt: { jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE}, entityTypeId: "$['https:type']" }
  - clientId: either
    clientSecret: s3cret
    jwt: { jwks: keys.json, issuer: '${ISSUER}', audience: ${AUDIENCE} }
  - clientId: service
    jwt: { jwks: keys.json, issuer: '${ISSUER}', audience: ${AUDIENCE}, actsForOthers: true, entityId: $.user.id }
${POLICIES}
  - { name: For support, for: { claims: { $.department: [support] } }, scopes: [app], properties: [supports], action: MASK }`,
      {
        'keys.json': idp.jwks,
      },
    );
  });

  test('is entered with a token, whose claims count', async () => {
    const token = await idp.sign({ ...JANE, department: 'support' });
    expect(await outcome(policies, { clientId: 'app' }, bearer(token))).toEqual([...GRANTED, 'supports']);
  });

  test('takes the user and the type from the token if the question names none', async () => {
    const token = await idp.sign({ sub: 'jane', 'https:type': 'Agent', department: 'sales' });
    const vendor = { clientId: 'app', entityId: undefined, entityTypeId: undefined };
    expect(await outcome(policies, vendor, bearer(token))).toEqual(GRANTED);
  });

  test('reads the header whatever its case', async () => {
    const token = await idp.sign(JANE);
    expect(await outcome(policies, { clientId: 'app' }, [['authorization', `bearer  ${token} `]])).toEqual(
      GRANTED,
    );
  });

  test.each([
    ['has expired', { sub: 'jane' }, '-1h', 'The token has expired.'],
    [
      'has another issuer',
      { sub: 'jane', iss: 'https://else.example.com/' },
      '1h',
      'The claim `iss` of the token is not accepted.',
    ],
    [
      'is for another audience',
      { sub: 'jane', aud: 'shop' },
      '1h',
      'The claim `aud` of the token is not accepted.',
    ],
  ])('refuses a token that %s', async (_, claims, expires, reason) => {
    const token = await idp.sign(claims, expires);
    expect(await outcome(policies, { clientId: 'app' }, bearer(token))).toBe(`pdp-unauthorized: ${reason}`);
  });

  test('refuses a token that another key signed', async () => {
    const token = await stranger.sign({ sub: 'jane' });
    const reason = 'pdp-unauthorized: The signature of the token is not right.';
    expect(await outcome(policies, { clientId: 'app' }, bearer(token))).toBe(reason);
  });

  test('refuses a token of a key that it does not know', async () => {
    const other = await createIdentityProvider('key-2');
    const reason = 'pdp-unauthorized: The token is signed with a key that is not known.';
    expect(await outcome(policies, { clientId: 'app' }, bearer(await other.sign({ sub: 'jane' })))).toBe(
      reason,
    );
  });

  test.each([
    ['nobody signed', unsignedToken({ sub: 'jane' })],
    ['is none', 'abc.def'],
  ])('refuses a token that %s', async (_, token) => {
    const reason = 'pdp-unauthorized: The token is not valid.';
    expect(await outcome(policies, { clientId: 'app' }, bearer(token))).toBe(reason);
  });

  test('tries all of its keys that fit the token', async () => {
    const keys = [idp, stranger].flatMap(({ jwks }) => JSON.parse(jwks).keys);
    const trust = `issuer: '${ISSUER}', audience: ${AUDIENCE}, entityTypeId: "$['https:type']"`;
    const several = policiesFrom(
      `scopes: [{ clientId: app, jwt: { jwks: { keys: ${JSON.stringify(keys)} }, ${trust} } }]\n${POLICIES}`,
    );
    const unknown = await createIdentityProvider();
    const signed = await Promise.all([idp, stranger, unknown].map((provider) => provider.sign(JANE)));
    const outcomes = signed.map((token) => outcome(several, { clientId: 'app' }, bearer(token)));
    expect(await Promise.all(outcomes)).toEqual([
      GRANTED,
      GRANTED,
      'pdp-unauthorized: The signature of the token is not right.',
    ]);
  });

  test('refuses two Authorization headers', async () => {
    const token = await idp.sign({ sub: 'jane' });
    const headers = [...bearer(token), ...bearer(token)];
    const reason = 'pdp-unauthorized: There is more than one Authorization header.';
    expect(await outcome(policies, { clientId: 'app' }, headers)).toBe(reason);
  });

  test('is not entered with a secret that it does not have', async () => {
    const token = await idp.sign({ sub: 'jane' });
    const reason = 'pdp-unauthorized: The client id or the client secret is not right.';
    expect(await outcome(policies, { clientId: 'app', clientSecret: '' }, bearer(token))).toBe(reason);
  });

  test.each([
    ['user', { sub: 'max', 'https:type': 'Agent' }, 'entityId'],
    ['type', { sub: 'jane', 'https:type': 'Customer' }, 'entityTypeId'],
  ])('refuses a question about another %s than the token is of', async (_, claims, member) => {
    const token = await idp.sign(JSON.parse(JSON.stringify(claims)));
    const reason = `pdp-forbidden: The token is not that of the user whom \`${member}\` names.`;
    expect(await outcome(policies, { clientId: 'app' }, bearer(token))).toBe(reason);
  });

  test('answers about any user with the token of a service that acts for others', async () => {
    const token = await idp.sign({ sub: 'crm' });
    expect(await outcome(policies, { clientId: 'service' }, bearer(token))).toEqual(GRANTED);
  });

  test.each<[string, HeaderFields]>([
    ['no token', []],
    ['an authorization of another scheme', [['Authorization', 'Basic crm']]],
  ])('lets in nobody who acts for others with %s', async (_, headers) => {
    expect(await outcome(policies, { clientId: 'service' }, headers)).toBe(
      'pdp-unauthorized: The scope cannot be entered without a client secret or a bearer token.',
    );
  });

  test('finds the user if the scope says that tokens name it', async () => {
    const token = await idp.sign({ sub: 'crm', user: { id: 'jane' } });
    expect(await outcome(policies, { clientId: 'service', entityId: undefined }, bearer(token))).toEqual(
      GRANTED,
    );
  });

  test('is entered with its secret alone, if it has one', async () => {
    expect(await outcome(policies, { clientId: 'either', clientSecret: 's3cret' })).toEqual(GRANTED);
  });

  test('trusts the secret about the user if a token of another user is sent along', async () => {
    const token = await idp.sign({ sub: 'crm' });
    const vendor = { clientId: 'either', clientSecret: 's3cret' };
    expect(await outcome(policies, vendor, bearer(token))).toEqual(GRANTED);
  });

  test('refuses a wrong token beside the right secret, and a wrong secret beside the right token', async () => {
    const right = await idp.sign({ sub: 'jane' });
    const wrong = await stranger.sign({ sub: 'jane' });
    const vendor = { clientId: 'either', clientSecret: 's3cret' };
    expect(await outcome(policies, vendor, bearer(wrong))).toMatch(/^pdp-unauthorized: The signature/);
    const guessed = { ...vendor, clientSecret: 'guess' };
    expect(await outcome(policies, guessed, bearer(right))).toMatch(/^pdp-unauthorized: The client id/);
  });

  test.each<[string, HeaderFields]>([
    ['another scheme', [['Authorization', 'Basic amFuZTpqYW5l']]],
    ['no token', [['Authorization', 'Bearer']]],
    ['two tokens', [['Authorization', 'Bearer a, Bearer b']]],
    ['nothing', [['authorization', '']]],
    [
      'two fields',
      [
        ['Authorization', 'Bearer a'],
        ['authorization', 'Bearer b'],
      ],
    ],
  ])(
    'refuses an authorization with %s beside the right secret, where tokens count',
    async (_name, headers) => {
      const vendor = { clientId: 'either', clientSecret: 's3cret' };
      expect(await outcome(policies, vendor, headers)).toMatch(/^pdp-unauthorized: The/);
    },
  );

  test('does not take another scheme of authorization for a token', async () => {
    const headers: HeaderFields = [['Authorization', 'Basic amFuZTpqYW5l']];
    expect(await outcome(policies, { clientId: 'either' }, headers)).toMatch(/^pdp-unauthorized/);
  });
});

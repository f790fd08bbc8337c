import { beforeAll, describe, expect, test, jest } from '@jest/globals';
import type { PolicyFile } from '../../../../src/pdp/policies/policy.ts';
import type { HeaderFields } from '../../../../src/pdp/port.ts';
import { ask, policiesFrom, type Vendor } from './ask.ts';
import { AUDIENCE, bearer, claimsWith, createIdentityProvider, ISSUER, tokenOf } from './tokens.ts';
import type { IdentityProvider } from './tokens.ts';

let idp: IdentityProvider;
let policies: PolicyFile;

beforeAll(async () => {
  idp = await createIdentityProvider();
  const trust = `jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE}`;
  policies = policiesFrom(`
scopes:
  - { clientId: typed, jwt: { ${trust}, entityTypeId: $.type } }
  - { clientId: defaulted, entityTypeId: Clerk, jwt: { ${trust}, entityTypeId: $.type } }
  - { clientId: plain, clientSecret: s3cret, jwt: { ${trust} } }
  - { clientId: secret, clientSecret: s3cret }
  - { clientId: lasting, jwt: { ${trust}, requireExpiration: false } }
policies:
  - { name: Salaries, except: { entityTypes: [Manager] }, properties: [salary], action: MASK }
  - { name: Regions, except: { claims: { "$.r": [EU] } }, properties: [region], action: MASK }
  - { name: Notes, properties: [note], action: MASK }`);
});

/** The properties that are masked, or the code of the refusal. */
async function masked(vendor: Vendor, headers: HeaderFields): Promise<unknown> {
  try {
    const answer = JSON.stringify(await ask(policies, vendor, { headers }));
    return [...answer.matchAll(/"path":"(\w+)"/g)].map(([, path]) => path);
  } catch (error) {
    return Error.isError(error) && 'code' in error ? error.code : error;
  }
}

async function maskedFor(clientId: string, claims: string, vendor: Vendor = {}): Promise<unknown> {
  return masked({ clientId, ...vendor }, bearer(await idp.signText(claimsWith(claims))));
}

describe('the type of a user, with a token alone,', () => {
  test.each([
    ['is not there', '"x":1'],
    ['is null', '"type":null'],
    ['is several', '"type":["Clerk","Manager"]'],
    ['is an empty list', '"type":[]'],
    ['is an object', '"type":{"name":"Manager"}'],
    ['is an object in a list', '"type":[{"name":"Manager"}]'],
    ['is empty', '"type":""'],
    ['is true', '"type":true'],
    ['is a fraction', '"type":1.0'],
    ['is there under another spelling', '"Type":"Manager"'],
    ['is there under a name that only looks the same', '"typе":"Manager"'],
  ])('is unknown if the claim %s, whatever the request says', async (_, type) => {
    expect(await maskedFor('typed', `"sub":"jane",${type}`, { entityTypeId: 'Manager' })).toBe(
      'pdp-unauthorized',
    );
    expect(await maskedFor('typed', `"sub":"jane",${type}`)).toBe('pdp-unauthorized');
  });

  test.each(['"Clerk"', '["Clerk"]', '"\\u0043lerk"'])('is what the token says: %s', async (type) => {
    expect(await maskedFor('typed', `"sub":"jane","type":${type}`)).toEqual(['salary', 'region', 'note']);
    const asManager = maskedFor('typed', `"sub":"jane","type":${type}`, { entityTypeId: 'Manager' });
    expect(await asManager).toBe('pdp-forbidden');
  });

  test('is the one of the scope if the token has no such claim, and unknown if the claim is unclear', async () => {
    expect(await maskedFor('defaulted', '"sub":"jane"')).toEqual(['salary', 'region', 'note']);
    expect(await maskedFor('defaulted', '"sub":"jane","type":"Manager"')).toEqual(['region', 'note']);
    expect(await maskedFor('defaulted', '"sub":"jane","type":[]')).toBe('pdp-unauthorized');
  });

  test('is not taken from the request if neither the token nor the scope says it', async () => {
    expect(await maskedFor('plain', '"sub":"jane"', { entityTypeId: 'Manager' })).toBe('pdp-forbidden');
  });
});

describe('the user, with a token alone,', () => {
  test.each([
    ['is not there', '"x":1'],
    ['is null', '"sub":null'],
    ['is several', '"sub":["jane","max"]'],
    ['is an object', '"sub":{}'],
    ['is empty', '"sub":""'],
    ['is a number that could be written in another way', '"sub":1e0'],
  ])('is unknown if the claim %s', async (_, sub) => {
    expect(await maskedFor('typed', `${sub},"type":"Clerk"`, { entityId: 'jane' })).toBe('pdp-unauthorized');
    expect(await maskedFor('typed', `${sub},"type":"Clerk"`)).toBe('pdp-unauthorized');
  });

  test('may be a number of any size, and is never another user', async () => {
    const claims = '"type":"Clerk","sub":9007199254740993';
    expect(await maskedFor('typed', claims, { entityId: '9007199254740993' })).toEqual([
      'salary',
      'region',
      'note',
    ]);
    expect(await maskedFor('typed', claims, { entityId: '9007199254740992' })).toBe('pdp-forbidden');
  });
});

describe('a token', () => {
  const HARMLESS = '"sub":"jane","type":"Clerk"';

  test.each([
    ['of a claim', `${HARMLESS},"type":"Manager"`],
    ['of a claim, spelt with an escape', `${HARMLESS},"ty\\u0070e":"Manager"`],
    ['of a member of a claim', `${HARMLESS},"a":{"b":1,"b":2}`],
    ['of a member in a list', `${HARMLESS},"a":[{"b":1,"b":1}]`],
  ])('is refused if it has two values %s', async (_, claims) => {
    expect(await maskedFor('typed', claims)).toBe('pdp-unauthorized');
  });

  test.each([{ b64: true }, { b64: true, crit: ['b64'] }])(
    'is refused if its header has what changes the signed text, even if it is signed: %j',
    async (header) => {
      const token = await idp.signText(claimsWith(HARMLESS), header);
      expect(await masked({ clientId: 'typed' }, bearer(token))).toBe('pdp-unauthorized');
    },
  );

  test('is refused if its header has an escape, even if it is signed', async () => {
    const token = await idp.signText(claimsWith(HARMLESS), { typ: 'a"b' });
    expect(await masked({ clientId: 'typed' }, bearer(token))).toBe('pdp-unauthorized');
  });

  test.each([
    ['has no `exp`', '"exp":0,', ''],
    ['has an `exp` that is text', '"exp":0,', '"exp":"9999999999",'],
    ['has an `exp` that is not finite', '"exp":0,', '"exp":1e400,'],
    ['has an `nbf` in the future', '"exp":0,', '"exp":9999999999,"nbf":9999999999,'],
    ['has an `nbf` that is text', '"exp":0,', '"exp":9999999999,"nbf":"0",'],
    ['has another `iss`', ISSUER, 'https://else.example.com/'],
    ['has several `iss`', `"${ISSUER}"`, `["${ISSUER}"]`],
    ['has another `aud`', `"${AUDIENCE}"`, '["shop"]'],
    ['has an `aud` that is not text', `"${AUDIENCE}"`, `["${AUDIENCE}",1]`],
    ['has no `aud`', `"aud":"${AUDIENCE}",`, ''],
  ])('is refused if it %s', async (_, right, wrong) => {
    const claims = claimsWith(HARMLESS).replace(/"exp":\d+/u, '"exp":0');
    const token = await idp.signText(claims.replace(right, wrong).replace('"exp":0', '"exp":9999999999'));
    expect(await masked({ clientId: 'typed' }, bearer(token))).toBe('pdp-unauthorized');
  });

  test('may have expired a moment ago if the clocks may differ', async () => {
    const claims = `{"iss":"${ISSUER}","aud":"${AUDIENCE}","sub":"jane","exp":1000000}`;
    const headers = bearer(await idp.signText(claims));
    const tolerant = (seconds: number) =>
      policiesFrom(`
scopes: [{ clientId: a, entityTypeId: Clerk, jwt: { jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE}, clockTolerance: ${seconds} } }]
policies: [{ name: Notes, properties: [note], action: MASK }]`);
    jest.spyOn(Date, 'now').mockReturnValue(1_000_005_000);
    await expect(ask(tolerant(6), { clientId: 'a' }, { headers })).resolves.toHaveProperty('response');
    await expect(ask(tolerant(5), { clientId: 'a' }, { headers })).rejects.toMatchObject({
      code: 'pdp-unauthorized',
    });
    jest.restoreAllMocks();
  });

  test('may have several `aud`, and no `exp` if the scope allows it', async () => {
    const claims = `{"iss":"${ISSUER}","aud":["shop","${AUDIENCE}"],"sub":"jane"}`;
    const vendor = { clientId: 'lasting' };
    expect(await masked(vendor, bearer(await idp.signText(claims)))).toBe('pdp-unauthorized');
    const withType = policiesFrom(`
scopes: [{ clientId: lasting, jwt: { jwks: ${idp.jwks}, issuer: '${ISSUER}', audience: ${AUDIENCE}, requireExpiration: false } }]
policies: [{ name: Notes, properties: [note], action: MASK }]`);
    await expect(
      ask(withType, vendor, { headers: bearer(await idp.signText(claims)) }),
    ).resolves.toHaveProperty('response.0.access.length', 1);
    await expect(
      ask(withType, vendor, {
        headers: bearer(await idp.signText(claims.replace('"sub"', '"exp":1,"sub"'))),
      }),
    ).rejects.toMatchObject({ code: 'pdp-unauthorized', callerDetail: 'The token has expired.' });
  });
});

describe('a junk token', () => {
  /** https://github.com/nodejs/node/issues/63785: JSON.parse takes later names with escapes for the name in this text. */
  const POISON = '{"iss":[],"aud":[],"exp":[],"sub":[],"type":[],"\\\\":0}';
  const CLAIMS = `{"iss":"${ISSUER}","aud":"${AUDIENCE}","exp":9999999999,"sub":"jane","type":"Manager","\\u0072":"EU"}`;

  test('would change what JSON.parse reads later', () => {
    JSON.parse(POISON);
    expect(Object.keys(JSON.parse(CLAIMS))).not.toContain('r');
  });

  test.each([
    ['in its header', tokenOf(POISON, POISON)],
    ['in its claims', tokenOf('{"alg":"ES256","kid":"key-1"}', POISON)],
  ])('with escaped names %s does not change what later, valid tokens say', async (_, junk) => {
    expect(await masked({ clientId: 'typed' }, bearer(junk))).toBe('pdp-unauthorized');
    expect(await masked({ clientId: 'typed' }, bearer(await idp.signText(CLAIMS)))).toEqual(['note']);
  });
});

describe('the right secret', () => {
  const SECRET = { clientSecret: 's3cret', entityId: 'jane', entityTypeId: 'Clerk' };

  test.each(['Basic amFuZTpqYW5l', 'Bearer', 'Bearer a b', 'Bearer a,b', 'DPoP abc', '', 'Bearer "abc"'])(
    'is not enough beside `Authorization: %s` in a scope with tokens',
    async (value) => {
      const vendor = { clientId: 'plain', ...SECRET };
      expect(await masked(vendor, [['Authorization', value]])).toBe('pdp-unauthorized');
    },
  );

  test('is enough in a scope without tokens, which reads no header', async () => {
    const only = policiesFrom(`
scopes: [{ clientId: secret, clientSecret: s3cret }]
policies: [{ name: Notes, properties: [note], action: MASK }]`);
    const headers: HeaderFields = [['Authorization', 'Basic amFuZTpqYW5l']];
    await expect(ask(only, { clientId: 'secret', ...SECRET }, { headers })).resolves.toHaveProperty(
      'response.0.access.length',
      1,
    );
  });
});

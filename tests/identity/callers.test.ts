import { TOP, valueAt } from '../../src/core/index.ts';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { SignJWT } from 'jose';
import type { ServiceError } from '../../src/errors.ts';
import { createCallers, type Callers, type JwtSettings } from '../../src/identity/callers.ts';
import { eventually } from '../support/eventually.ts';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { startProvider, type Provider } from './provider.ts';

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

/** Has the clocks go on by so many milliseconds. */
function passTime(milliseconds: number): void {
  for (const clock of [Date, performance]) {
    const now = clock.now() + milliseconds;
    jest.spyOn(clock, 'now').mockReturnValue(now);
  }
}

/** Has the clock stand still. */
function stopTime(): void {
  passTime(0);
}

function callersOf(provider: Provider, more: Partial<JwtSettings> = {}, reasons: string[] = []): Callers {
  const callers = createCallers({ ...provider.jwt, ...more }, (reason) => reasons.push(reason));
  stopLater(() => callers.close());
  return callers;
}

/** The subject of the verified token, or the code, status and challenge of the refusal. */
async function outcome(callers: Callers, token: string | undefined): Promise<unknown> {
  const headers = token === undefined ? [] : ([['authorization', `Bearer ${token}`]] as const);
  try {
    const claims = await callers.claims(headers);
    return valueAt(claims, TOP);
  } catch (error) {
    if (!(Error.isError(error) && 'code' in error && 'headers' in error)) throw error;
    return [error.code, error.headers];
  }
}

/** A token with a key that no other provider has. */
async function strangerToken(): Promise<string> {
  const stranger = await startProvider();
  await fetch(`${stranger.url}/keys`);
  await stranger.rotate();
  return stranger.sign();
}

const JANE = expect.objectContaining({ sub: 'jane' });

function challenge(description: string): unknown {
  const value = `Bearer error="invalid_token", error_description="${description}"`;
  return ['token-refused', { 'WWW-Authenticate': value }];
}

const UNKNOWN_KEY = challenge('The token is signed with a key that is not known.');
const WRONG_SIGNATURE = challenge('The signature of the token is not right.');
const UNAVAILABLE = ['identity-unavailable', { 'Retry-After': '1' }];

describe('a token', () => {
  test('of the issuer, for this service, is accepted; its keys come by discovery', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider);
    expect(await outcome(callers, await provider.sign())).toEqual(JANE);
    expect(await outcome(callers, await provider.sign())).toEqual(JANE);
    expect(provider.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('is verified with the keys at jwksUri, if that is given', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    expect(await outcome(callers, await provider.sign())).toEqual(JANE);
    expect(provider.requests).toEqual(['/keys']);
  });

  test('that is missing is asked for', async () => {
    const callers = callersOf(await startProvider());
    expect(await outcome(callers, undefined)).toEqual(['token-refused', { 'WWW-Authenticate': 'Bearer' }]);
    expect(await callers.claims([['Authorization', 'Basic eDp5']]).catch(String)).toContain('bearer token');
  });

  test('is refused if there are two', async () => {
    const provider = await startProvider();
    const field = ['Authorization', `Bearer ${await provider.sign()}`] as const;
    await expect(callersOf(provider).claims([field, field])).rejects.toMatchObject({ code: 'token-refused' });
  });

  test.each([
    [' ', '', 'read'],
    ['\t', ' \t', 'read'],
    ['\u00a0', '', 'token-refused'],
    ['', '\ufeff', 'token-refused'],
  ])('may have the blanks of HTTP around it, and no others: %j, %j', async (before, after, expected) => {
    const provider = await startProvider();
    const field = ['Authorization', `${before}Bearer ${await provider.sign()}${after}`] as const;
    const read = callersOf(provider).claims([field]);
    const code = await read.then(
      () => 'read',
      (error: ServiceError) => error.code,
    );
    expect(code).toBe(expected);
  });

  const now = Math.floor(Date.now() / 1000);
  test.each([
    ['for another service', { aud: 'other' }, "The claim 'aud' of the token is not accepted."],
    ['of another issuer', { iss: 'https://other.example' }, "The claim 'iss' of the token is not accepted."],
    ['that has expired', { exp: now - 60 }, 'The token has expired.'],
    ['that is not valid yet', { nbf: now + 600 }, "The claim 'nbf' of the token is not accepted."],
    // Without a tolerance.
    [
      'that is not valid for another half minute',
      { nbf: now + 30 },
      "The claim 'nbf' of the token is not accepted.",
    ],
  ])('%s is refused', async (_name, claims, description) => {
    const provider = await startProvider();
    expect(await outcome(callersOf(provider), await provider.sign(claims))).toEqual(challenge(description));
  });

  test.each([
    ['that expires now', { exp: now }, 1],
    ['that has expired', { exp: now - 60 }, 60_001],
    ['that is not valid yet', { nbf: now + 60 }, 60_000],
  ])('%s is accepted if the clocks may differ by as much', async (_name, claims, clockTolerance) => {
    jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
    const provider = await startProvider();
    const token = await provider.sign(claims);
    const outcomeWith = (tolerance: number) =>
      outcome(callersOf(provider, { clockTolerance: tolerance }), token);
    expect(await outcomeWith(clockTolerance - 1)).toHaveProperty('0', 'token-refused');
    expect(await outcomeWith(clockTolerance)).toEqual(JANE);
  });

  test('that never expires is refused', async () => {
    const provider = await startProvider();
    expect(await outcome(callersOf(provider), await provider.signLasting())).toEqual(
      challenge("The claim 'exp' of the token is not accepted."),
    );
  });

  test.each([
    ['aud', '"aud":["customers-api",1],"exp":9999999999'],
    ['aud', '"aud":["customers-api",["customers-api"]],"exp":9999999999'],
    ['aud', '"aud":{"0":"customers-api"},"exp":9999999999'],
    ['exp', '"aud":"customers-api","exp":1e999'],
    ['exp', '"aud":"customers-api","exp":"9999999999"'],
    ['exp', '"aud":"customers-api","exp":null'],
    ['nbf', '"aud":"customers-api","exp":9999999999,"nbf":-1e999'],
  ])('whose %s is not understood is refused: %s', async (claim, claims) => {
    const provider = await startProvider();
    const token = await provider.signText(`{"iss":"${provider.url}",${claims}}`);
    expect(await outcome(callersOf(provider), token)).toEqual(
      challenge(`The claim '${claim}' of the token is not accepted.`),
    );
  });

  test('whose header has an escape is refused, whoever signed it', async () => {
    const provider = await startProvider();
    await provider.rotate({ kid: 'a"key' });
    expect(await outcome(callersOf(provider), await provider.sign())).toEqual(
      challenge('The token is not valid.'),
    );
    expect(provider.requests).toEqual([]);
  });

  test.each([{ crit: ['exp'] }, { crit: [] }, { b64: true }, { b64: false, crit: ['b64'] }])(
    'whose header changes what is signed is refused, whoever signed it: %j',
    async (members) => {
      const provider = await startProvider();
      const header = { alg: 'ES256', kid: 'key-0', ...members };
      const parts = [header, { iss: provider.url, aud: provider.jwt.audience }].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      expect(await outcome(callersOf(provider), `${parts.join('.')}.AAAA`)).toEqual(
        challenge('The token is not valid.'),
      );
      expect(provider.requests).toEqual([]);
    },
  );

  test('that is not signed by any algorithm has no keys fetched again', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider);
    const good = await provider.sign();
    await outcome(callers, good);
    const fetched = provider.requests.length;
    const header = Buffer.from('{"alg":"none","kid":"key-0"}').toString('base64url');
    const unsigned = [header, good.split('.')[1], ''].join('.');
    expect(await outcome(callers, unsigned)).toEqual(challenge('The token is not valid.'));
    expect(provider.requests).toHaveLength(fetched);
  });

  test('of another algorithm than configured is refused, also one with a shared secret', async () => {
    const provider = await startProvider();
    const rejected = challenge('The token is not valid.');
    expect(await outcome(callersOf(provider, { algorithms: ['RS256'] }), await provider.sign())).toEqual(
      rejected,
    );
    const forged = await new SignJWT({ iss: provider.url, aud: provider.jwt.audience, sub: 'eve' })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-0' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a secret that everybody knows, the public key'));
    expect(await outcome(callersOf(provider), forged)).toEqual(rejected);
  });
});

describe('keys', () => {
  test('are fetched again at once if a token has an unknown one', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    stopTime();
    await outcome(callers, await provider.sign());
    await provider.rotate();
    expect(await outcome(callers, await provider.sign())).toEqual(JANE);
    expect(provider.requests).toHaveLength(2);
  });

  test.each(['key-0', null])('are fetched again if one was replaced and kept the id %s', async (kid) => {
    const provider = await startProvider();
    await provider.rotate({ kid });
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    stopTime();
    const old = await provider.sign();
    expect(await outcome(callers, old)).toEqual(JANE);
    await provider.rotate({ kid });
    const token = await provider.sign();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(callers, token)));
    expect(outcomes).toEqual(outcomes.map(() => JANE));
    expect(provider.requests).toHaveLength(2);
    for (const _ of [1, 2, 3])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await outcome(callers, old)).toEqual(WRONG_SIGNATURE);
    expect(provider.requests).toHaveLength(2);
    passTime(30_001);
    expect(await outcome(callers, old)).toEqual(WRONG_SIGNATURE);
    expect(await outcome(callers, token)).toEqual(JANE);
    expect(provider.requests).toHaveLength(3);
  });

  test('are asked for once if signatures are wrong and the provider is unavailable', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    stopTime();
    const good = await provider.sign();
    expect(await outcome(callers, good)).toEqual(JANE);
    const wrong = `${good.slice(0, good.lastIndexOf('.') + 1)}${'A'.repeat(86)}`;
    provider.fail({ status: 500, body: '' });
    for (const _ of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await outcome(callers, wrong)).toEqual(WRONG_SIGNATURE);
      passTime(2000);
    }
    expect(await outcome(callers, good)).toEqual(JANE);
    expect(provider.requests).toHaveLength(2);
    // That a key is unknown is not known then, and a new one is found as soon as the provider is back.
    expect(await outcome(callers, await strangerToken())).toEqual(UNAVAILABLE);
    provider.fail(undefined);
    await provider.rotate();
    passTime(2000);
    expect(await outcome(callers, await provider.sign())).toEqual(JANE);
  });

  test.each([
    [3, JANE],
    [20, JANE],
    [21, challenge('Too many known keys fit the token, so nothing says which one signed it.')],
  ])('without ids are all tried: %i', async (count, expected) => {
    const provider = await startProvider();
    await provider.rotate({ kid: null });
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    const first = await provider.sign();
    for (let added = 1; added < count; added++)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await provider.rotate({ kid: null, isAdded: true });
    expect(await outcome(callers, first)).toEqual(JANE);
    expect(await outcome(callers, await provider.sign())).toEqual(expected);
  });

  test('are asked for with the query of their address', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys?appid=1` });
    await outcome(callers, await provider.sign());
    expect(provider.requests).toEqual(['/keys?appid=1']);
  });

  test('are not fetched again for each token with an unknown one', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    stopTime();
    const good = await provider.sign();
    await outcome(callers, good);
    const stranger = await strangerToken();
    for (const fetches of [2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(callers, stranger)));
      expect(outcomes).toEqual(outcomes.map(() => UNKNOWN_KEY));
      // oxlint-disable-next-line no-await-in-loop
      expect(await outcome(callers, stranger)).toEqual(UNKNOWN_KEY);
      // oxlint-disable-next-line no-await-in-loop
      expect(await outcome(callers, good)).toEqual(JANE);
      expect(provider.requests).toHaveLength(fetches);
      passTime(30_001);
    }
  });

  test.each([false, true])(
    'are fetched again for a token that came while they were fetched, and once for all such: known keys %s',
    async (areKnown) => {
      const provider = await startProvider();
      const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
      stopTime();
      if (areKnown) await outcome(callers, await provider.sign());
      const fetchedBefore = provider.requests.length;
      const letGo = provider.holdNext();
      const stranger = outcome(callers, await strangerToken());
      await eventually(() => provider.requests.length > fetchedBefore);
      await provider.rotate();
      const token = await provider.sign();
      const outcomes = Array.from({ length: 5 }, () => outcome(callers, token));
      letGo();
      expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => JANE));
      expect(await stranger).toEqual(UNKNOWN_KEY);
      expect(provider.requests).toHaveLength(fetchedBefore + 2);
      await outcome(callers, await strangerToken());
      expect(provider.requests).toHaveLength(fetchedBefore + 2);
    },
  );

  test('that were fetched for a token are not fetched again for it', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    expect(await outcome(callers, await strangerToken())).toEqual(UNKNOWN_KEY);
    expect(provider.requests).toHaveLength(1);
  });

  test('that are withdrawn stop counting after ten minutes', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    for (const _ of [1, 2, 3]) {
      // oxlint-disable no-await-in-loop -- one key after the other
      const old = await provider.sign();
      expect(await outcome(callers, old)).toEqual(JANE);
      await provider.rotate();
      passTime(601_000);
      expect(await outcome(callers, old)).toEqual(UNKNOWN_KEY);
      // oxlint-enable no-await-in-loop
    }
  });

  test('are fetched once for all who want them at the same time', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { jwksUri: `${provider.url}/keys` });
    const token = await provider.sign();
    await Promise.all(Array.from({ length: 20 }, () => outcome(callers, token)));
    expect(provider.requests).toHaveLength(1);
  });
});

describe('while the identity provider is unavailable', () => {
  test.each([
    ['it resets connections', 'reset', /cannot be reached/u],
    ['it answers 500', { status: 500, body: '' }, /answers with 500/u],
    ['it redirects', { status: 302, body: '' }, /answers with 302/u],
    ['it answers something else', { status: 200, body: '<html>' }, /not answer with valid JSON/u],
    ['it answers other JSON', { status: 200, body: '{}' }, /not describe the issuer/u],
    ['it answers without an end', { status: 200, body: ' '.repeat(2 ** 20 + 1) }, /more than 1 MB/u],
  ] as const)('the answer is 503 and not 401: %s', async (_name, failure, reason) => {
    const provider = await startProvider();
    provider.fail(failure);
    const callers = callersOf(provider);
    const token = await provider.sign();
    expect(await outcome(callers, token)).toEqual(UNAVAILABLE);
    passTime(2000);
    await expect(callers.claims([['authorization', `Bearer ${token}`]])).rejects.toMatchObject({
      message: 'The token cannot be verified now.',
      cause: { message: expect.stringMatching(reason) },
    });
  });

  test('the reason names where the provider is, and says nothing of what went wrong there', async () => {
    const provider = await startProvider();
    const token = await provider.sign();
    provider.fail('reset');
    await expect(callersOf(provider).claims([['authorization', `Bearer ${token}`]])).rejects.toHaveProperty(
      'cause.message',
      `${provider.url} cannot be reached`,
    );
  });

  test('an issuer that ends in a slash is asked at the same address', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider, { issuer: `${provider.url}/` });
    expect(await outcome(callers, await provider.sign())).toEqual(UNAVAILABLE);
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
  });

  test('it describes another issuer, whose keys are asked for by nobody', async () => {
    const provider = await startProvider();
    const body = JSON.stringify({ issuer: 'https://other.example', jwks_uri: `${provider.url}/keys` });
    provider.fail({ status: 200, body });
    await expect(
      callersOf(provider).claims([['authorization', `Bearer ${await provider.sign()}`]]),
    ).rejects.toMatchObject({
      cause: { message: expect.stringContaining('does not describe the issuer') },
    });
    expect(provider.requests).toEqual(['/.well-known/openid-configuration']);
  });

  test.each(['ftp://127.0.0.1/keys', '/keys'])('it has its keys at %s, which is not asked', async (uri) => {
    const provider = await startProvider();
    provider.fail({ status: 200, body: JSON.stringify({ issuer: provider.url, jwks_uri: uri }) });
    await expect(
      callersOf(provider).claims([['authorization', `Bearer ${await provider.sign()}`]]),
    ).rejects.toMatchObject({ cause: { message: expect.stringContaining('unsafe address') } });
  });

  test('it has five seconds for each answer', async () => {
    const provider = await startProvider();
    provider.fail('silence');
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    expect(await outcome(callersOf(provider), await provider.sign())).toEqual(UNAVAILABLE);
    expect(timeout.mock.calls).toEqual([[5000]]);
  });

  test('known keys go on counting for an hour', async () => {
    const provider = await startProvider();
    const reasons: string[] = [];
    const callers = callersOf(provider, {}, reasons);
    const token = await provider.sign({ exp: Math.floor(Date.now() / 1000) + 100_000 });
    await outcome(callers, token);
    provider.fail('reset');
    passTime(1_800_000);
    expect(await outcome(callers, token)).toEqual(JANE);
    expect(reasons).toEqual([expect.stringMatching(/cannot be reached/u)]);
    passTime(1_800_000);
    expect(await outcome(callers, token)).toEqual(UNAVAILABLE);
  });

  test('nobody waits for the keys once they could not be fetched, and each failure is reported once', async () => {
    const provider = await startProvider();
    const reasons: string[] = [];
    const callers = callersOf(provider, {}, reasons);
    const token = await provider.sign({ exp: Math.floor(Date.now() / 1000) + 100_000 });
    const outcomes = () => Promise.all(Array.from({ length: 5 }, () => outcome(callers, token)));
    await outcomes();
    provider.fail('reset');
    passTime(1_800_000);
    expect(await outcomes()).toEqual(Array.from({ length: 5 }, () => JANE));
    expect(await outcomes()).toEqual(Array.from({ length: 5 }, () => JANE));
    provider.fail('silence');
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    passTime(1001);
    expect(await outcomes()).toEqual(Array.from({ length: 5 }, () => JANE));
    expect(reasons).toHaveLength(1);
  });

  test('a token with an unknown key is not refused for good, however new the known keys are', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider);
    stopTime();
    await outcome(callers, await provider.sign());
    await provider.rotate();
    const token = await provider.sign();
    provider.fail('reset');
    expect(await outcome(callers, token)).toEqual(UNAVAILABLE);
    expect(await outcome(callers, token)).toEqual(UNAVAILABLE);
    provider.fail(undefined);
    passTime(1001);
    expect(await outcome(callers, token)).toEqual(JANE);
  });

  test('it works again a second later', async () => {
    const provider = await startProvider();
    const callers = callersOf(provider);
    provider.fail('reset');
    const token = await provider.sign();
    await outcome(callers, token);
    provider.fail(undefined);
    expect(await outcome(callers, token)).toEqual(UNAVAILABLE);
    passTime(1001);
    expect(await outcome(callers, token)).toEqual(JANE);
  });
});

import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { StubAnswer } from '../stub.ts';
import { closeAll, question, rejection, startPair, type CallParts } from './setup.ts';

afterEach(closeAll);

const NO_REASON = 'The PDP gave no reason.';
/** What a log gets in place of the reason. */
const LOGGED = 'The PDP refused the request.';

async function refusal(answer: StubAnswer, parts: CallParts = {}): Promise<unknown> {
  const { pdp } = await startPair({ status: 403, ...answer });
  return rejection(pdp.decide(question(parts)));
}

describe('a refusal by a PDP over HTTP', () => {
  it('is the same status, with the reason of the PDP', async () => {
    const body = 'None of the Identity Templates Matched';
    expect(await refusal({ status: 403, body })).toMatchObject({
      code: 'pdp-forbidden',
      callerDetail: body,
      message: LOGGED,
    });
    expect(await refusal({ status: 401, body })).toMatchObject({
      code: 'pdp-unauthorized',
      callerDetail: body,
      message: LOGGED,
    });
  });

  it.each([
    ['  spaces around it \r\n', 'spaces around it'],
    ['Zugriff für «Jürgen» verweigert – 100 %', 'Zugriff für «Jürgen» verweigert – 100 %'],
    ['a < b', 'a < b'],
    ['"None of the Identity Templates Matched"', 'None of the Identity Templates Matched'],
    [' "No \\u00ab nope \\u00bb "\n', 'No « nope »'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ])('has a reason that is short text: %j', async (body, message) => {
    expect(await refusal({ body })).toMatchObject({ callerDetail: message, message: LOGGED });
  });

  it.each([
    '',
    ' \r\n ',
    'x'.repeat(201),
    'two\nlines',
    'a\ttab',
    'an \u001b[31mescape',
    'a turned \u202e text',
    '<html><body>Forbidden</body></html>',
    'Forbidden<br>',
    '<?xml version="1.0"?>',
    '{"message":["Forbidden"]}',
    '{"message":"two\\nlines"}',
    '{"message":"<b>Forbidden</b>"}',
    '{"message":"a \\ud800 surrogate"}',
    '{"message":"one","message":"two"}',
    '{"message":"one","more":{"a":1,"a":2}}',
    '{"message":"Forbidden"',
    '{"text":"Forbidden"}',
    `{"message":"${'x'.repeat(201)}"}`,
    `{"message":"Forbidden","more":${'['.repeat(20)}${']'.repeat(20)}}`,
    `{"message":"Forbidden","more":"${'x'.repeat(20_000)}"}`,
    '["Forbidden"]',
    '"two\\nlines"',
    '"Forbidden',
    '"Forbidden" by the scope',
    '"\\"Forbidden\\""',
    `"${'x'.repeat(201)}"`,
  ])('has no reason if the PDP sends something else: %j', async (body) => {
    expect(await refusal({ body })).toMatchObject({ code: 'pdp-forbidden', callerDetail: NO_REASON });
  });

  it.each([
    ['{"message":"No data mapper is named nope"}', 'No data mapper is named nope'],
    ['{"message":"No \\u00ab nope \\u00bb"}', 'No « nope »'],
    ['{"title":"Bad Request","status":400,"detail":"No such scope"}', 'No such scope'],
    ['{"error":"invalid_token","error_description":"The token has expired"}', 'The token has expired'],
    ['{"title":"The scope is locked","status":403}', 'The scope is locked'],
    ['{"reason":"Not today"}', 'Not today'],
    [' {"error":"forbidden"}\n', 'forbidden'],
    ['{"message":{"en":"no"},"error":"forbidden"}', 'forbidden'],
    ['{"message":"two\\nlines","detail":"one line"}', 'one line'],
  ])('has a reason that is short text in a member of an object: %s', async (body, callerDetail) => {
    expect(await refusal({ body })).toMatchObject({ callerDetail, message: LOGGED });
  });

  it('has no reason if the PDP does not send UTF-8', async () => {
    expect(await refusal({ body: Buffer.from([0x41, 0xff]) })).toMatchObject({ callerDetail: NO_REASON });
  });

  it('has a reason that came compressed, and none that cannot be decompressed', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const body = gzipSync('Not today');
    expect(await refusal({ headers, body })).toMatchObject({ callerDetail: 'Not today' });
    expect(await refusal({ headers, body: body.subarray(0, 15) })).toMatchObject({
      code: 'pdp-forbidden',
      callerDetail: NO_REASON,
    });
  });

  it('passes the challenge on with 401, to the caller alone', async () => {
    const headers = {
      'www-authenticate': ['Bearer realm="pdp", error="invalid_token"', 'Basic realm="pdp"'],
    };
    expect(await refusal({ status: 401, headers })).toMatchObject({
      headers: { 'WWW-Authenticate': 'Bearer' },
      callerHeaders: { 'WWW-Authenticate': 'Bearer realm="pdp", error="invalid_token", Basic realm="pdp"' },
    });
  });

  it('passes a challenge on byte by byte, beyond ASCII too', async () => {
    const challenge = Buffer.from('Bearer realm="Zürich – 1"').toString('latin1');
    expect(await refusal({ status: 401, headers: { 'www-authenticate': challenge } })).toMatchObject({
      callerHeaders: { 'WWW-Authenticate': challenge },
    });
  });

  it.each(['normalize', 'set', 'constructor', '__proto__'])(
    'is read with a field named %s in its header',
    async (name) => {
      const headers = Object.fromEntries([[name, '1']]);
      expect(await refusal({ headers, body: 'Not today' })).toMatchObject({ callerDetail: 'Not today' });
    },
  );

  it.each([400, 404, 409, 422, 429, 499])(
    'gives the reason to the caller alone when the status is %d',
    async (status) => {
      expect(await refusal({ status, body: 'No such scope' })).toMatchObject({
        code: 'pdp-failed',
        message: `The PDP answered with status ${status}.`,
        callerDetail: `The PDP answered with status ${status}: No such scope`,
      });
    },
  );

  it.each([302, 500, 503])('has no reason when the status is %d', async (status) => {
    const message = `The PDP answered with status ${status}.`;
    expect(await refusal({ status, body: 'No such scope' })).toMatchObject({
      message,
      callerDetail: message,
    });
  });

  it.each([{}, { 'www-authenticate': '' }, { 'www-authenticate': ' ' }])(
    'challenges for a bearer token if the PDP sent no challenge with 401: %j',
    async (headers) => {
      expect(await refusal({ status: 401, headers })).toMatchObject({
        callerHeaders: { 'WWW-Authenticate': 'Bearer' },
      });
    },
  );

  it('has no challenge with 403', async () => {
    expect(await refusal({ headers: { 'www-authenticate': 'Basic' } })).toMatchObject({ headers: {} });
  });
});

describe('a refusal that quotes the question', () => {
  const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl';

  it.each([
    ['the bearer token', ['Authorization', `Bearer ${token}`], `The token ${token} has expired`],
    [
      'a piece of the bearer token',
      ['authorization', `bearer ${token}`],
      'The token eyJhbGciOi… has expired',
    ],
    ['eight characters of a token', ['Authorization', `Bearer ${token}`], 'The token eyJhbGci is old'],
    ['a cookie', ['Cookie', 'lang=en; sid=abc123'], 'No session abc123'],
    ['four characters of a cookie', ['Cookie', 'sid=ab12'], 'No session ab12'],
    ['an API key', ['X-Api-Key', 'k-4711'], 'k-4711 is not known'],
    ['an API key in a JSON object', ['X-Api-Key', 'k-4711'], '{"message":"k-4711 is not known"}'],
    ['an API key that is escaped', ['X-Api-Key', 'k-4711'], '{"message":"\\u006b-4711 is not known"}'],
    ['an API key that is escaped in a JSON string', ['X-Api-Key', 'k-4711'], '"\\u006b-4711 is not known"'],
    ['an API key in other letters', ['X-Api-Key', 'k-AbCd'], 'K-ABCD is not known'],
    ['a password that is encoded', ['Authorization', 'Basic amFuZTpodW50OnIy'], 'hunt:r2 is wrong'],
    ['an assertion', ['X-Client-Assertion', 'abc.def.ghi'], 'abc.def.ghi has expired'],
    ['a header of another name for a token', ['X_Access_Token', 'tok-1'], 'bad tok-1'],
  ] as const)('has no reason if that is %s', async (_, field, body) => {
    expect(await refusal({ body }, { headers: [field] })).toMatchObject({ callerDetail: NO_REASON });
  });

  it.each([
    ['the client secret', { clientSecret: 's3' }, 'The secret s3 is wrong'],
    ['a secret further down', { environment: [{ Client_SECRET: ['a', 'hush'] }] }, 'hush is wrong'],
    ['a password in other letters', { userPassword: 'Hunter2' }, 'HUNTER2?'],
    ['a password', { userPassword: 'hunter2' }, 'hunter2?'],
    ['a client assertion', { client_assertion: 'abc.def.ghi' }, 'abc.def.ghi has expired'],
    ...['pwd', 'passwd', 'pass', 'pin', 'otp', 'bearer'].map(
      (name) => [`a secret named ${name}`, { [name]: '4711' }, '4711 is wrong'] as const,
    ),
    ['a secret in a URL', { clientSecret: 'a b&c' }, 'GET /t?s=a%20b%26c failed'],
    ['a secret in a query', { clientSecret: 'a b&c' }, 's=a+b%26c is wrong'],
    ['a secret in JSON', { clientSecret: 'a"b' }, 'bad value a\\"b'],
    ['a secret with a quote', { clientSecret: 'a"b' }, 'bad value a"b'],
    ['an API key of the body', { apiKey: 'k-4711' }, 'k-4711 is not known'],
    ['an authorization of the body', { context: { authorization: 'Basic eDp5eHh4eHg=' } }, 'eDp5eHh4eHg=?'],
    [
      'an asset identifier from the payload',
      { assetList: [{ template: 't', path: 'C-17' }] },
      'No asset C-17',
    ],
    ['one that OPA gets', { input: { resource: { type: 't', ids: ['C-17'] } } }, 'No asset C-17'],
    [
      'one that an AuthZEN PDP gets',
      { resource: { type: 't', id: 'x' }, evaluations: [{ resource: { type: 't', id: 'C-17' } }] },
      'No asset C-17',
    ],
  ])('has no reason if that is %s', async (_, body, text) => {
    expect(await refusal({ body: text }, { body: Buffer.from(JSON.stringify(body)) })).toMatchObject({
      callerDetail: NO_REASON,
    });
  });

  it.each([
    ['Not today, ask again after 17:00', 'Not today, ask again after 17:00'],
    ['The asset a7 is locked', NO_REASON],
    ['Locked:A7.', NO_REASON],
    ['7 is locked', NO_REASON],
    ['asset_7 is locked', NO_REASON],
    ['Der Fall ß7ß ist gesperrt', NO_REASON],
  ])('has its reason if a short identifier is a part of other words in it: %s', async (text, shown) => {
    const body = Buffer.from(JSON.stringify({ ids: ['a7', '7', 'o', 'ay'] }));
    expect(await refusal({ body: text }, { body })).toMatchObject({ callerDetail: shown });
  });

  it('has its reason if that has no more of a token than many words have, and of a cookie a word', async () => {
    const headers = [
      ['Authorization', `Bearer ${token}`],
      ['Cookie', 'a=not; b=yes'],
    ] as const;
    const body = 'Not for eyJhbGc';
    expect(await refusal({ body }, { headers })).toMatchObject({ callerDetail: body });
  });

  it('has no reason if that is a number with more digits than JavaScript keeps', async () => {
    const body = Buffer.from('{"assetList":[{"template":"t","path":12345678901234567890}]}');
    expect(await refusal({ body: 'No asset 12345678901234567890' }, { body })).toMatchObject({
      callerDetail: NO_REASON,
    });
  });

  it('has no reason if the question is not JSON, so that nothing can be compared', async () => {
    expect(await refusal({ body: 'Not JSON' }, { body: Buffer.from('{') })).toMatchObject({
      callerDetail: NO_REASON,
    });
  });

  it('has its reason if that only names the user and the scope', async () => {
    const body = 'Bearer token of jane is not for scope-1';
    const parts = {
      headers: [['Authorization', `Bearer ${token}`]],
      body: Buffer.from(
        '{"clientId":"scope-1","clientSecret":"s3cret","entityId":"jane","a":null,"b":true,"c":""}',
      ),
    } as const;
    expect(await refusal({ body }, parts)).toMatchObject({ callerDetail: body });
  });

  it.each([
    { subject: { type: 'user', id: 'jane' }, resource: { type: 'customers', id: 'customers' } },
    { subject: { type: 'user', id: 'jane' }, evaluations: [{ resource: { type: 'customers', id: 'ssn' } }] },
  ])('has its reason if that names the user, the asset type and a property: %j', async (asked) => {
    const body = 'No policy of customers shows ssn to jane';
    expect(await refusal({ body }, { body: Buffer.from(JSON.stringify(asked)) })).toMatchObject({
      callerDetail: body,
    });
  });

  it('has a plain challenge if the PDP quotes the token in its own', async () => {
    const headers = { 'www-authenticate': `Bearer error_description="${token} has expired"` };
    const parts = { headers: [['Authorization', `Bearer ${token}`]] } as const;
    expect(await refusal({ status: 401, headers }, parts)).toMatchObject({
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  });

  it.each([
    ['64 KB', { note: 'x'.repeat(64 * 1024 - 11) }, 'Not today'],
    ['a byte more', { note: 'x'.repeat(64 * 1024 - 10) }, NO_REASON],
    ['100 levels', JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`), 'Not today'],
    ['101 levels', JSON.parse(`${'['.repeat(101)}${']'.repeat(101)}`), NO_REASON],
  ])('has a reason only if the question can be searched at once: %s', async (_, body, callerDetail) => {
    expect(await refusal({ body: 'Not today' }, { body: Buffer.from(JSON.stringify(body)) })).toMatchObject({
      callerDetail,
    });
  });
});

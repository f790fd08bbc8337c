import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { NO_RULES, startEnforcement } from '../../support/service.ts';
import { leaksIn, PLANTED_HEADERS, PLANTED_PAYLOAD, PLANTED_VENDOR } from './planted.ts';

afterEach(closeAll);

describe('the answer to an enforce request', () => {
  test('is the payload alone, with a header that says no more than it must', async () => {
    const { port } = await startEnforcement();
    const { status, headers, text } = await call(port, { body: enforcing('{"name":"Zoë 😀"}') });
    expect({ status, text }).toEqual({ status: 200, text: '{"name":"Zoë 😀"}' });
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength('{"name":"Zoë 😀"}')),
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
      date: expect.any(String),
      connection: 'close',
    });
  });

  test('is the payload as it was spelt, spaces included, if no rule is about it', async () => {
    const { port } = await startEnforcement();
    const payload = ' [ {"n" : 1.10, "e":1e400,\t"z": -0, "s":"\\u0041\\/\\ud800", "n":2} ]\r\n';
    expect((await call(port, { body: enforcing(payload) })).text).toBe(payload.trim());
  });

  test('says nothing of what the service is made of', async () => {
    const { port } = await startEnforcement();
    const paths = ['/enforce', '/nope', '/health/liveness', '/health/readiness'];
    const answers = await Promise.all(paths.map((path) => call(port, { method: 'GET', path })));
    for (const { headers } of answers) {
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('etag');
      expect(headers).not.toHaveProperty('server');
    }
  });

  test('goes to the one who asked, however many ask at once', async () => {
    const service = await startEnforcement();
    service.pdp.answer(({ body }) => {
      const { entityId }: { entityId: string } = JSON.parse(body.toString());
      return { body: decision({ access: [maskRule(entityId)] }), delay: Number(entityId.slice(1)) % 7 };
    });
    const users = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const answers = await Promise.all(
      users.map(async (user) => {
        const body = enforcing(`{"${user}":"x","of":"${user}"}`, { vendor: { entityId: user } });
        return (await call(service.port, { body })).text;
      }),
    );
    expect(answers).toEqual(users.map((user) => `{"${user}":"***","of":"${user}"}`));
  });
});

test('a large payload is answered whole, however much of it is masked', async () => {
  const service = await startEnforcement();
  const filler = 'x'.repeat(200_000);
  const payload = (first: string, last: string) => `[{"a":"${first}","b":"${filler}","c":"${last}"}]`;
  const answers = [
    { names: [], expected: payload('1', '2') },
    { names: ['a'], expected: payload('***', '2') },
    { names: ['c'], expected: payload('1', '***') },
    { names: ['a', 'b', 'c'], expected: payload('***', '***').replace(filler, '***') },
  ];
  for (const { names, expected } of answers) {
    service.pdp.answer({ body: decision({ access: names.map((name) => maskRule(name)) }) });
    // oxlint-disable-next-line no-await-in-loop -- one after another: the memory of one may serve the next
    const { text } = await call(service.port, { body: enforcing(payload('1', '2')) });
    expect(text === expected).toBe(true);
  }
});

describe('the log of an enforce request', () => {
  test('counts, and gives no secret and no payload value away, not even at debug', async () => {
    const body = decision({ access: [maskRule('ssn'), maskRule('n')] });
    const service = await startEnforcement({ body });
    const sent = { body: enforcing(PLANTED_PAYLOAD, { vendor: PLANTED_VENDOR }), headers: PLANTED_HEADERS };
    const answer = await call(service.port, sent);
    await eventually(() => service.logged.length > 0);
    expect(answer.text).toContain('"ssn":"***","n":null');
    expect(service.logged.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'info',
        status: 200,
        records: 1,
        masked: 2,
        responseBytes: answer.text.length,
      }),
    ]);
    expect(leaksIn(service.logged.join('\n'))).toEqual([]);
  });

  test('names of a dry run the record by its identifier, and no other value', async () => {
    const policies = [{ name: 'Mask SSN', metadata: { DRY_RUN: 'id' } }];
    const service = await startEnforcement({
      body: decision({ access: [{ ...maskRule('ssn'), policies }] }),
    });
    const payload = PLANTED_PAYLOAD.replace('planted-payload-value', 'c-1');
    const sent = { body: enforcing(payload, { vendor: PLANTED_VENDOR }), headers: PLANTED_HEADERS };
    expect((await call(service.port, sent)).text).toBe(payload);
    expect(service.logged.join('\n')).toContain(
      'Enforcement by Policy Mask SSN on id c-1 was skipped for User jane',
    );
    expect(leaksIn(service.logged.join('\n'))).toEqual([]);
  });
});

test('if a PDP answers 401, the caller is challenged', async () => {
  const { port } = await startEnforcement({
    ...NO_RULES,
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="pdp"' },
  });
  const answer = await call(port, { body: enforcing('[]') });
  expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer realm="pdp"' } });
  expect(problemIn(answer).detail).toBe('The PDP gave no reason.');
});

test('no cache may keep an answer that is an error', async () => {
  const { port } = await startEnforcement({ status: 500 });
  const answers = await Promise.all([
    call(port, { body: enforcing('[]') }),
    call(port, { path: '/nope', method: 'GET' }),
  ]);
  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store']);
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { createApp } from '../../src/compose/app.ts';
import { ConfigurationError } from '../../src/yaml/problem.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { loggerInMemory } from '../telemetry/log/memory-sink.ts';
import { call, enforcing, problemIn, type Answer } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { startEnforcement, startService } from '../support/service.ts';
import { closeAll, freePort, startStub } from './transport/setup.ts';

afterEach(closeAll);

const BODY = enforcing('{"ssn":"1"}', { vendor: { clientId: 'scope-1' } });
const DECISION = (ssn: string): string =>
  `{"tokenValidity":300,"response":[{"access":[{"resourceType":"columns","path":"ssn","actions":[{"action":"${ssn}"}]}]}]}`;

function asking(port: number, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return call(port, { body: BODY, headers });
}

describe('a service with a decision cache', () => {
  const CACHE = { 'pdpCache.enabled': true };

  test('asks once for the same caller, whatever the request and trace ids', async () => {
    const { port, pdp } = await startEnforcement({ body: DECISION('MASK') }, CACHE);
    const first = await asking(port, { authorization: 'Bearer a', 'x-request-id': 'one' });
    const second = await asking(port, { authorization: 'Bearer a', 'x-request-id': 'two' });
    expect([first.text, second.text]).toEqual(['{"ssn":"***"}', '{"ssn":"***"}']);
    expect(pdp.requests).toHaveLength(1);
  });

  test('asks for each caller, and gives each its own', async () => {
    const { port, pdp } = await startEnforcement({}, CACHE);
    pdp.answer(({ headers }) => ({ body: DECISION(String(headers['authorization'])) }));
    const texts: string[] = [];
    for (const token of ['a', 'b', 'a']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      texts.push((await asking(port, { authorization: token })).text);
    }
    expect(texts).toEqual(['{"ssn":"a"}', '{"ssn":"b"}', '{"ssn":"a"}']);
    expect(pdp.requests).toHaveLength(2);
  });

  test.each([
    ['a decision that is not understood', {}, DECISION('last(4'), 502],
    [
      'a denial',
      { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/data/masking' },
      '{"result":{"allow":false,"tokenValidity":300}}',
      403,
    ],
  ])('asks again after %s', async (_case, written, body, status) => {
    const { port, pdp } = await startEnforcement({ body }, { ...CACHE, ...written });
    const vendor = { entityId: 'jane' };
    const answers = [
      await call(port, { body: enforcing('{"ssn":"1"}', { vendor }) }),
      await call(port, { body: enforcing('{"ssn":"1"}', { vendor }) }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(pdp.requests).toHaveLength(2);
  });

  test('knows what it remembers while the PDP is down', async () => {
    const pdp = await startStub({ body: DECISION('MASK') }, await freePort());
    const { port } = await startService({ pdpUrl: pdp.url.href, ...CACHE });
    await asking(port);
    await pdp.close();
    expect(await asking(port)).toMatchObject({ status: 200 });
  });
});

test('a service without a decision cache asks each time', async () => {
  const { port, pdp } = await startEnforcement({ body: DECISION('MASK') });
  await asking(port);
  await asking(port);
  expect(pdp.requests).toHaveLength(2);
});

describe('a service whose PDP is down', () => {
  const BREAKER = { 'pdpBreaker.minimumCalls': 2, 'pdpBreaker.probeAfter': 3_600_000 };

  test('answers at once without asking it, says so in the log and in the metrics, and stays ready', async () => {
    const written = { ...BREAKER, 'metrics.port': 9464 };
    const { port, pdp, logged, metrics } = await startEnforcement({ status: 503 }, written);
    await asking(port);
    await asking(port);
    const answer = await asking(port);
    expect(answer.status).toBe(502);
    expect(problemIn(answer).detail).toBe('The PDP is unavailable: the circuit breaker is open.');
    expect(pdp.requests).toHaveLength(2);
    expect(logged.filter((line) => line.includes('Circuit open'))).toHaveLength(1);
    expect(await metrics?.registry.metrics()).toMatch(/pdp_breaker_state\{state="open"\} 1/);
    expect(await call(port, { method: 'GET', path: '/health/readiness' })).toMatchObject({ status: 200 });
  });

  test('finds it back', async () => {
    const written = { ...BREAKER, 'pdpBreaker.probeAfter': 5 };
    const { port, pdp, logged } = await startEnforcement({ status: 503 }, written);
    await asking(port);
    await asking(port);
    pdp.answer({ body: DECISION('MASK') });
    await eventually(async () => (await asking(port)).status === 200);
    expect(logged.filter((line) => line.includes('Circuit closed'))).toHaveLength(1);
  });

  test('keeps asking it if the breaker is off', async () => {
    const { port, pdp } = await startEnforcement(
      { status: 503 },
      { ...BREAKER, 'pdpBreaker.enabled': false },
    );
    await asking(port);
    await asking(port);
    await asking(port);
    expect(pdp.requests).toHaveLength(3);
  });
});

test('a service is not put together if files of pdpTls are missing', async () => {
  const text = 'port: 0\npdpUrl: https://pdp\npdpTls.caFile: none.crt\n';
  const configuration = parseConfiguration(text, { file: '/etc/authz/config.yaml' });
  const creation = createApp(configuration, loggerInMemory().logger);
  await expect(creation).rejects.toThrow(ConfigurationError);
  await expect(creation).rejects.toThrow('/etc/authz/none.crt');
});

describe('a service with a policy file', () => {
  const POLICIES = `
attrName: field
object: entity
policies:
  - { name: Plain, object: person, properties: [ssn], action: MASK }
  - { name: Denied, effect: denied, properties: [note], action: MASK }
  - name: Conditional
    properties: [phone]
    action: MASK
    when: { attribute: status, operator: EQUALS, values: closed }`;
  const PAYLOAD =
    '[{"person":{"ssn":"1"},"note":"n","phone":"2","status":"closed"},{"phone":"3","status":"open"}]';

  test('takes the names of properties from the file, if the configuration has none', async () => {
    const folder = await folderWith({ 'policies.yaml': POLICIES });
    const { port } = await startService({ policyFile: `${folder}/policies.yaml` });
    expect(await call(port, { body: enforcing(PAYLOAD) })).toMatchObject({
      status: 200,
      text: '[{"person":{"ssn":"***"},"note":"***","phone":"***","status":"closed"},{"phone":"3","status":"open"}]',
    });
  });

  test('answers 400 with the place of what a caller got wrong', async () => {
    const folder = await folderWith({ 'policies.yaml': POLICIES });
    const { port } = await startService({ policyFile: `${folder}/policies.yaml` });
    const answer = await call(port, {
      body: enforcing('{}', { vendor: { clientSecret: null, entityId: 5 } }),
    });
    expect(answer.status).toBe(400);
    expect(problemIn(answer)).toMatchObject({
      errors: [{ pointer: '/vendor/clientSecret' }, { pointer: '/vendor/entityId' }],
    });
  });

  test.each(['attrName', 'object'])(
    'is not put together if the configuration has another %s',
    async (key) => {
      const folder = await folderWith({ 'policies.yaml': POLICIES });
      const names = { attrName: 'field', object: 'entity', [key]: 'other' };
      await expect(startService({ policyFile: `${folder}/policies.yaml`, ...names })).rejects.toThrow(
        `${key} is ${key === 'object' ? 'entity' : 'field'} here and other in the configuration`,
      );
    },
  );
});

test('an answer about all assets in question is about those of each payload', async () => {
  const rule = { assets: { type: 'Customer', ids: 'all' }, properties: ['ssn'], action: 'MASK' };
  const written = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/data/masking' };
  const { port } = await startEnforcement({ body: JSON.stringify({ result: { rules: [rule] } }) }, written);
  const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'Customer' };
  const vendor = { entityId: 'jane' };
  const textFor = async (id: number) =>
    (await call(port, { body: enforcing(`{"id":"${id}","ssn":"1"}`, { vendor, parameters }) })).text;
  expect([await textFor(1), await textFor(2), await textFor(3)]).toEqual([
    '{"id":"1","ssn":"***"}',
    '{"id":"2","ssn":"***"}',
    '{"id":"3","ssn":"***"}',
  ]);
});

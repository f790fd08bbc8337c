import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { serving } from '../support/process.ts';

afterEach(closeAll);

const POLICIES = `
attrName: column
assetType: columns
policies:
  - name: Social security numbers are confidential
    except: { entityTypes: [Manager] }
    properties: [ssn]
    action: last4
  - name: Agents see customers of their country
    for: { entityTypes: [Agent] }
    action: FILTER
    when: { attribute: country, operator: EQUALS, values: [US] }
  - name: Managers see all customers
    for: { entityTypes: [Manager] }
    action: FILTER
  - name: Balances of joint accounts are confidential
    assetType: accounts
    assets: { type: Account, ids: [a2] }
    properties: [balance]
    action: MASK
`;

const CUSTOMERS = '[{"ssn":"123-45-6789","country":"US"},{"ssn":"987-65-4321","country":"DE"}]';

/** Both processes: the PDP, and the service that asks it over HTTP. */
async function started(policies = POLICIES) {
  const folder = await folderWith({ 'policies.yaml': policies });
  const pdp = await serving('pdp', '-p', `${folder}/policies.yaml`, '--port', '0', '--host', '127.0.0.1');
  const config = `port: 0\nhost: 127.0.0.1\npdpUrl: 127.0.0.1:${pdp.port}\nattrName: column\nfilter: true\n`;
  const service = await serving('-c', `${await folderWith({ 'config.yaml': config })}/config.yaml`);
  return { pdp, service };
}

describe('the embedded PDP as a process of its own', () => {
  test('decides for the service over HTTP, by resolution and by context', async () => {
    const { service } = await started();
    const asked = (vendor: object, payload: string, parameters = {}) =>
      call(service.port, { body: enforcing(payload, { vendor, parameters }) });

    const agent = await asked({ entityTypeId: 'Agent', entityId: 'jane' }, CUSTOMERS);
    expect(agent).toMatchObject({ status: 200, text: '[{"ssn":"*******6789","country":"US"}]' });

    const manager = await asked({ entityTypeId: 'Manager', entityId: 'max' }, CUSTOMERS);
    expect(manager).toMatchObject({ status: 200, text: CUSTOMERS });

    const accounts = '[{"id":"a1","balance":1},{"id":"a2","balance":2}]';
    const parameters = {
      calculationType: 'context',
      assetId: 'id',
      protectedObject: 'Account',
      assetType: 'accounts',
    };
    const context = await asked({ entityTypeId: 'Agent', entityId: 'jane' }, accounts, {
      ...parameters,
      filter: false,
    });
    expect(context).toMatchObject({
      status: 200,
      text: '[{"id":"a1","balance":1},{"id":"a2","balance":null}]',
    });
  });

  test('makes the service ready, and not ready when it stops', async () => {
    const { pdp, service } = await started();
    const probe = { method: 'GET', path: '/health/readiness' };
    expect((await call(service.port, probe)).status).toBe(200);
    pdp.signal('SIGTERM');
    expect(await pdp.ended).toMatchObject({ code: 0, stderr: '' });
    expect((await call(service.port, { body: enforcing('[]') })).status).toBe(502);
    await eventually(async () => (await call(service.port, probe)).status === 503);
  });

  test('refuses a wrong client secret, and the caller of the service learns why', async () => {
    const scopes = '\nscopes:\n  - { clientId: branch, clientSecret: planted-client-secret }\n';
    const { pdp, service } = await started(POLICIES + scopes);
    const vendor = {
      clientId: 'branch',
      clientSecret: 'planted-wrong-secret',
      entityTypeId: 'Agent',
      entityId: 'jane',
    };
    const refused = await call(service.port, { body: enforcing(CUSTOMERS, { vendor }) });
    expect(refused.status).toBe(401);
    expect(problemIn(refused).type).toBe('urn:authz-jsonmasking:error:pdp-unauthorized');
    const right = { ...vendor, clientSecret: 'planted-client-secret' };
    expect((await call(service.port, { body: enforcing(CUSTOMERS, { vendor: right }) })).status).toBe(200);
    expect(pdp.logged() + service.logged() + refused.text).not.toContain('planted');
  });
});

test.each([[['SIGTERM']], [['SIGHUP']], [[]]] as const)(
  'SIGINT does not wait until callers have gone elsewhere, also after %j',
  async (before) => {
    const folder = await folderWith({ 'policies.yaml': POLICIES });
    const delay = ['--port', '0', '--host', '127.0.0.1', '--drain-delay', '3600000'];
    const pdp = await serving('pdp', '-p', `${folder}/policies.yaml`, ...delay);
    for (const signal of before) pdp.signal(signal);
    await eventually(() => pdp.logged().split('"message":"Stopping"').length > before.length);
    expect((await call(pdp.port, { method: 'GET', path: '/health/liveness' })).status).toBe(200);
    pdp.signal('SIGINT');
    expect((await pdp.ended).code).toBe(0);
  },
);

test('a policy file that changes is read again, also once the PDP is asked to stop, and the log says so', async () => {
  const folder = await folderWith({ 'policies.yaml': POLICIES });
  const file = `${folder}/policies.yaml`;
  const delay = ['--port', '0', '--host', '127.0.0.1', '--drain-delay', '3600000'];
  const pdp = await serving('pdp', '-p', file, ...delay);
  await writeFile(file, 'policies: [');
  await eventually(() => pdp.logged().includes('"level":"error","message":"Policy file is not valid;'));
  pdp.signal('SIGTERM');
  await eventually(() => pdp.logged().includes('"message":"Stopping"'));
  await writeFile(file, POLICIES.replace('action: last4', 'action: MASK'));
  await eventually(() => pdp.logged().includes('"level":"info","message":"Policies loaded"'));
  pdp.signal('SIGINT');
  expect(await pdp.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"Stopped"') });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { startPdpServer } from '../../../../src/pdp/protocols/embedded/server.ts';
import { call, enforcing, problemIn, type Answer } from '../../../support/caller.ts';
import { startService } from '../../../support/service.ts';
import { closeAll, stopLater } from '../../transport/setup.ts';
import { policiesFrom } from './ask.ts';

afterEach(closeAll);

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const MASK = '- { name: Mask, properties: [ssn], action: last(2) }';
const CHOSEN = "- { name: Chosen, assets: { type: customer, ids: ['1', x/2] }, action: FILTER }";
const US =
  '- { name: US, for: { entityTypes: [Agent] }, action: FILTER, when: { attribute: country, operator: EQUALS, values: [US] } }';

const FILES: readonly (readonly [name: string, policies: string, filterDefault: 'allow' | 'deny'])[] = [
  [
    'masks alone',
    `${MASK}\n- { name: Assets, assets: { type: customer, ids: ['2'] }, properties: [ssn], action: MASK }`,
    'allow',
  ],
  ['a filter of assets', `${MASK}\n${CHOSEN}`, 'deny'],
  [
    'filters of assets for some',
    `${MASK}\n- { name: Theirs, for: { entityTypes: [Manager] }, assets: { type: customer, ids: all }, action: FILTER }`,
    'deny',
  ],
  ['filters of assets and of records', `${MASK}\n${CHOSEN}\n${US}`, 'deny'],
  [
    'a filter of records for some, and masks of an asset',
    `${US}\n- { name: Second, priority: 1, assets: { type: customer, ids: ['2'] }, object: home, properties: [city], action: remove() }`,
    'deny',
  ],
  [
    'a denied filter',
    `${MASK}\n${CHOSEN}\n- { name: Held, effect: denied, action: FILTER, when: { attribute: country, operator: EQUALS, values: [ES] } }`,
    'deny',
  ],
  [
    'a filter in dry run',
    `${MASK}\n- { name: Try, assets: { type: customer, ids: ['1'] }, action: FILTER, metadata: { DRY_RUN: id } }`,
    'deny',
  ],
  [
    'a filter in dry run and one that is enforced',
    `${CHOSEN}\n- { name: Try, assets: { type: customer, ids: all }, action: FILTER, metadata: { DRY_RUN: id } }`,
    'deny',
  ],
  [
    'masks of assets whose policy is of another asset type',
    `${MASK}\n- { name: Theirs, assetType: orders, priority: 1, assets: { type: customer, ids: ['2'] }, properties: [ssn], action: remove() }`,
    'allow',
  ],
  [
    'policies of another asset type, which depend on a token',
    `${MASK}\n${CHOSEN}\n- { name: Orders, assetType: orders, for: { claims: { $.dep: [a] } }, properties: [ssn], action: MASK }`,
    'deny',
  ],
];

const PAYLOAD = JSON.stringify([
  { id: 1, ssn: '123456', country: 'ES', home: { city: 'Rome' } },
  { id: '2', ssn: '234567', country: 'US', home: { city: 'Bern' } },
  { id: 'x/2', ssn: '345678', country: 'US', home: { city: 'Oslo' } },
  { id: 'columns', ssn: '456789', country: 'FR', home: { city: 'Wien' } },
  { id: 'customer', ssn: '567890', country: 'US', home: { city: 'Kyiv' } },
]);
const CONTEXT = { calculationType: 'context', assetId: 'id', protectedObject: 'customer' };

async function pdpWith(policies: string): Promise<string> {
  const server = await startPdpServer({
    policies: { current: policiesFrom(`policies:\n${policies}`) },
    port: 0,
    host: '127.0.0.1',
    logger: silent,
  });
  stopLater(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

async function enforced(
  configuration: Readonly<Record<string, unknown>>,
  entityTypeId: string,
  parameters: unknown = CONTEXT,
): Promise<Answer> {
  const { port } = await startService({
    attrName: 'column',
    object: 'table',
    filter: true,
    ...configuration,
  });
  const vendor = { entityTypeId, entityId: 'jane' };
  return call(port, { body: enforcing(PAYLOAD, { vendor, parameters }) });
}

/** What the service answers if it asks by a protocol, without headers that differ each time. */
async function answersOf(pdpUrl: string, user: string, more: Readonly<Record<string, unknown>>) {
  const [authzen, resolution] = await Promise.all(
    [{ pdpProtocol: 'authzen', authzen: { batch: 2 } }, {}].map((protocol) =>
      enforced({ pdpUrl, ...protocol, ...more }, user),
    ),
  );
  return { authzen: [authzen?.status, authzen?.text], resolution: [resolution?.status, resolution?.text] };
}

describe('in context mode, the embedded PDP says the same through AuthZEN as through the resolution protocol', () => {
  const cases = FILES.flatMap(([name, policies, filterDefault]) =>
    ['Agent', 'Manager'].map((user) => [name, policies, filterDefault, user] as const),
  );
  test.each(cases)('%s', async (_name, policies, filterDefault, user) => {
    const pdpUrl = await pdpWith(policies);
    const { authzen, resolution } = await answersOf(pdpUrl, user, { filterDefault });
    expect(authzen).toEqual(resolution);
    expect(authzen[0]).toBe(200);
  });

  test('with records that filters remove and masks in those that stay', async () => {
    const pdpUrl = await pdpWith(`${MASK}\n${CHOSEN}`);
    const { text } = await enforced({ pdpUrl, pdpProtocol: 'authzen' }, 'Agent');
    const records: readonly { readonly id: unknown; readonly ssn: string }[] = JSON.parse(text);
    expect(records.map(({ id, ssn }) => [id, ssn])).toEqual([
      [1, '****56'],
      ['x/2', '****78'],
    ]);
  });

  test('with no record if the filters of assets are for others', async () => {
    const pdpUrl = await pdpWith(
      "- { name: Own, for: { entityTypes: [Manager] }, assets: { type: customer, ids: ['1'] }, action: FILTER }\n- { name: M, assetType: customer, properties: [ssn], action: MASK }",
    );
    const asked = { pdpUrl, pdpProtocol: 'authzen', assetType: 'customer', filterDefault: 'deny' };
    expect(await enforced(asked, 'Agent')).toMatchObject({ status: 200, text: '[]' });
    expect((await enforced(asked, 'Manager')).text).toContain('"id":1,"ssn":"***"');
  });

  test('if the records have the asset type of the assets', async () => {
    const pdpUrl = await pdpWith(
      "- { name: M, assetType: customer, properties: [ssn], action: MASK }\n- { name: C, assetType: customer, assets: { type: customer, ids: ['1'] }, action: FILTER }",
    );
    const { text } = await enforced({ pdpUrl, pdpProtocol: 'authzen', assetType: 'customer' }, 'Agent');
    expect(text).toBe('[{"id":1,"ssn":"***","country":"ES","home":{"city":"Rome"}}]');
  });
});

describe('in context mode, what would show too much is refused', () => {
  test.each([
    ['an asset type of the configuration that no policy is for', { assetType: 'colums' }, CONTEXT],
    ['a type of assets that no policy is for', {}, { ...CONTEXT, protectedObject: 'Order' }],
  ])('%s', async (_name, more, parameters) => {
    const pdpUrl = await pdpWith(
      `${MASK}\n- { name: A, assets: { type: customer, ids: all }, action: FILTER }`,
    );
    const { status, text } = await enforced({ pdpUrl, pdpProtocol: 'authzen', ...more }, 'Agent', parameters);
    expect(status).not.toBe(200);
    expect(text).not.toContain('123456');
  });

  test('masks that the service did not ask for', async () => {
    const pdpUrl = await pdpWith(`${MASK}\n${CHOSEN}`);
    const more = { pdpProtocol: 'authzen', authzen: { properties: [] } };
    const answer = await enforced({ pdpUrl, ...more }, 'Agent');
    expect(answer.status).toBe(403);
    expect(problemIn(answer).detail).toContain('authzen.obligations: true');
    const both = await enforced({ pdpUrl, ...more, authzen: { properties: [], obligations: true } }, 'Agent');
    expect(both.text).toContain('****56');
  });
});

describe('the embedded PDP asked about one asset', () => {
  test.each([
    ['1', true],
    ['3', false],
  ])('%s: %j', async (id, decision) => {
    const url = await pdpWith(`${MASK}\n${CHOSEN}`);
    const answer = await fetch(`${url}/access/v1/evaluation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        subject: { type: 'Agent', id: 'jane' },
        action: { name: 'read' },
        resource: { type: 'customer', id },
      }),
    });
    expect(await answer.json()).toMatchObject({ decision });
  });
});

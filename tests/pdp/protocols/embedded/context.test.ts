import { describe, expect, test } from '@jest/globals';
import { createEmbeddedPdp } from '../../../../src/pdp/protocols/embedded/adapter.ts';
import { questionInContext } from '../../questions.ts';
import { ask, decision, policiesFrom, type Vendor } from './ask.ts';

const POLICIES = policiesFrom(`
mappers:
  columns: { v2: { home.street: address.#.line1, home.city: address.#.city, ssn: id.ssn, status: state } }
policies:
  - { name: Mine, assets: { type: Customer, ids: [c1, 7] }, action: FILTER }
  - { name: Homes, assets: { type: Customer, ids: all }, object: home, properties: [street, city], action: MASK, priority: 2 }
  - { name: Numbers, properties: [ssn], action: last4 }
  - { name: Closed, properties: [ssn], action: MASK, when: { attribute: status, operator: EQUALS, values: [closed] } }`);

const asset = (path: string) => ({ template: 'Customer', path });
const policies = (name: string) => [{ name, metadata: {} }];

const filter = (path: string) => ({
  path,
  resourceType: 'Customer',
  attributes: {},
  actions: [{ action: 'FILTER' }],
  policies: policies('Mine'),
});
const mask = (path: string) => ({
  path,
  resourceType: 'Customer',
  attributes: { column: ['street', 'city'], table: ['home'] },
  actions: [{ action: '2::MASK' }],
  policies: policies('Homes'),
});

async function decide(vendor: Vendor): Promise<unknown> {
  return ask(POLICIES, vendor, { calculationType: 'context' });
}

describe('a question in context', () => {
  test('is answered for each asset that it names, and which a policy is about', async () => {
    const answer = await decide({
      resourceTypes: [{ name: 'Customer' }],
      assetList: [asset('c1'), asset('c2'), asset('7'), { template: 'Order', path: 'c1' }],
    });
    expect(answer).toEqual(
      decision({ access: [filter('c1'), filter('7'), mask('c1'), mask('c2'), mask('7')] }),
    );
  });

  test('may name an asset by the empty text, as a payload may', async () => {
    const answer = await decide({
      resourceTypes: [{ name: 'Customer' }],
      assetList: [asset(''), asset('c1')],
    });
    expect(answer).toEqual(decision({ access: [filter('c1'), mask(''), mask('c1')] }));
  });

  test('is answered with the policies for every record too', async () => {
    const answer = await decide({
      resourceTypes: [{ name: 'columns' }, { name: 'Customer' }],
      assetList: [],
    });
    expect(answer).toHaveProperty('response.0.access', [
      {
        path: 'ssn',
        resourceType: 'columns',
        attributes: { column: ['ssn'] },
        actions: [{ action: 'last4' }],
        policies: policies('Numbers'),
      },
    ]);
    expect(answer).toHaveProperty('response.0.privileges.allowed.0.actions.0.policies', policies('Closed'));
  });

  test('gets physical paths from the mapper of the asset type whose properties they are', async () => {
    const answer = await decide({ assetList: [asset('c9')], environment: { resourceFullPath: ['v2'] } });
    expect(answer).toHaveProperty('response.0.access.0.path', 'c9');
    expect(answer).toHaveProperty('response.0.access.0.attributes', {
      column: ['address.#.line1', 'address.#.city'],
    });
  });

  test('is answered with an entry of each policy that filters, also if it is about none of the assets', async () => {
    const answer = await decide({ resourceTypes: [{ name: 'Customer' }], assetList: [asset('c9')] });
    const never = { action: 'FILTER', 'asset-attributes-filter': { OR: [] }, policies: policies('Mine') };
    expect(answer).toEqual(
      decision({ access: [mask('c9')], allowed: [{ resourceType: 'Customer', actions: [never] }] }),
    );
  });

  test('may name no assets at all', async () => {
    expect(await decide({ resourceTypes: [{ name: 'Customer' }] })).toEqual(decision({}));
  });
});

test('a policy about assets is not in the answer to a question without context', async () => {
  const answer = await ask(POLICIES, { resourceTypes: [{ name: 'Customer' }], assetList: [asset('c1')] });
  expect(answer).toEqual(decision({}));
});

function policiesAbout(count: number) {
  const list = Array.from(
    { length: count },
    (_, at) =>
      `  - { name: P${at}, assets: { type: Customer, ids: all }, properties: [p${at}], action: MASK }`,
  );
  return policiesFrom(`policies:\n${list.join('\n')}`);
}

describe('policies about all assets', () => {
  test('are not answered for each asset if that is too long', async () => {
    const assetList = Array.from({ length: 100_000 }, (_, at) => asset(String(at)));
    const asked = ask(policiesAbout(10), { assetList }, { calculationType: 'context' });
    await expect(asked).rejects.toMatchObject({
      code: 'pdp-failed',
      callerDetail: expect.stringContaining('Ask for less at once'),
    });
  });

  test('name the assets once in the fingerprint of their decision', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `id${at}`);
    const question = questionInContext({}, { type: 'Customer', ids }, { calculationType: 'context' });
    const lengthFor = async (count: number) => {
      const { fingerprint } = await createEmbeddedPdp({ current: policiesAbout(count) }).decide(question);
      return fingerprint.length;
    };
    expect(await lengthFor(50)).toBeLessThan(2 * (await lengthFor(1)));
  });

  test('have one set of the assets for all their rules', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `id${at}`);
    const question = questionInContext({}, { type: 'Customer', ids }, { calculationType: 'context' });
    const asked = { ...question, settings: { ...question.settings, protectedObject: 'Customer' } };
    const { rules } = await createEmbeddedPdp({ current: policiesAbout(50) }).decide(asked);
    expect(rules.properties).toHaveLength(50);
    expect(new Set(rules.properties.map(({ assetIds }) => assetIds)).size).toBe(1);
  });

  test('have another fingerprint if the assets are others', async () => {
    const pdp = createEmbeddedPdp({ current: policiesAbout(2) });
    const decisions = [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'b'],
    ].map((ids) =>
      pdp.decide(questionInContext({}, { type: 'Customer', ids }, { calculationType: 'context' })),
    );
    const [first, second, third] = (await Promise.all(decisions)).map(({ fingerprint }) =>
      Buffer.from(fingerprint).toString(),
    );
    expect([first === second, first === third]).toEqual([false, true]);
  });
});

test('policies about listed assets get those that are asked for, in their order', async () => {
  const listing = policiesFrom(`
policies:
  - { name: A, assets: { type: Customer, ids: [c3, c1, c1, c9] }, properties: [p], action: MASK }
  - { name: B, assets: { type: Customer, ids: [c2, c1] }, properties: [p], action: MASK }
  - { name: C, assets: { type: Order, ids: [c2] }, properties: [p], action: MASK }`);
  const assetList = [asset('c1'), asset('c2'), { template: 'Order', path: 'c1' }, asset('c3')];
  const answer = await ask(listing, { assetList }, { calculationType: 'context' });
  const { response } = Object(answer);
  expect(
    response[0].access.map((entry: { path: string; policies: { name: string }[] }) => [
      entry.policies[0]?.name,
      entry.path,
    ]),
  ).toEqual([
    ['A', 'c1'],
    ['A', 'c3'],
    ['B', 'c1'],
    ['B', 'c2'],
  ]);
});

test('inside the service, a policy is one rule for all of its assets', async () => {
  const ids = Array.from({ length: 100_000 }, (_, at) => String(at));
  const question = questionInContext({}, { type: 'Customer', ids }, { calculationType: 'context' });
  const { settings } = question;
  const asked = { ...question, settings: { ...settings, protectedObject: 'Customer' } };
  const { rules } = await createEmbeddedPdp({ current: POLICIES }).decide(asked);
  const about = rules.properties.filter(({ assetIds }) => assetIds !== undefined);
  expect(about.map(({ assetIds }) => assetIds?.size)).toEqual([100_000]);
  expect(rules.filters.map(({ assetIds }) => assetIds)).toEqual([new Set(['7'])]);
});

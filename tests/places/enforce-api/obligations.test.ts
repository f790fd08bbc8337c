import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, type Answer } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

/** A rules document by which records stay that have this value. */
function keep(attribute: string, value: string, more: object = {}): object {
  const when = { attribute, operator: 'EQUALS', values: [value] };
  return { action: 'FILTER', when, ...more };
}

const KEEP_US = keep('c', 'US');
const KEEP_OPEN = keep('v', 'open');
const KEEP_NEW = keep('v', 'new');
const MASK_S = { properties: ['s'], action: 'MASK' };

const RECORDS = [
  { id: 1, c: 'US', v: 'open' },
  { id: 2, c: 'US', v: 'closed' },
  { id: 3, c: 'ES', v: 'open' },
  { id: 4, c: 'US', v: 'new' },
];

function filtering(...rules: readonly object[]): object {
  return { type: 'filter', properties: { filter: { rules } } };
}

function custom(...rules: readonly object[]): object {
  return { type: 'custom', properties: { vendor: 'authz-jsonmasking', rules } };
}

function output(...rules: readonly object[]): object {
  return { outputs: [{ src: 'p', val: { rules } }] };
}

/** What the service answers and logs if the permit has this context. */
async function exchangeBy(context: object): Promise<Answer & { readonly logged: readonly string[] }> {
  const body = JSON.stringify({ decision: true, context });
  const { port, logged } = await startEnforcement({ body }, { pdpProtocol: 'authzen' });
  const asked = enforcing(JSON.stringify(RECORDS), { vendor: { entityId: 'jane' } });
  return { ...(await call(port, { body: asked })), logged };
}

/** The policies in dry run that would have removed a record, each with its identifier. */
async function skippedBy(context: object): Promise<readonly string[]> {
  const { status, logged } = await exchangeBy(context);
  expect(status).toBe(200);
  const lines = logged.join('\n').matchAll(/Enforcement by Policy (.*) on id (\d) was skipped/gu);
  return Array.from(lines, ([, policy, id]) => `${policy} ${id}`).toSorted();
}

/** The identifiers of the records that stay by this context of a permit. */
async function staying(context: object): Promise<readonly unknown[]> {
  const { text } = await exchangeBy(context);
  const records: typeof RECORDS = JSON.parse(text);
  return records.map(({ id }) => id);
}

describe('records stay', () => {
  test.each([
    ['one', [filtering(KEEP_US, KEEP_OPEN)], [1, 2, 3, 4]],
    ['two', [filtering(KEEP_US), filtering(KEEP_OPEN)], [1]],
    ['two kinds', [custom(KEEP_US), filtering(KEEP_OPEN, KEEP_NEW)], [1, 4]],
    ['three', [filtering(KEEP_US), filtering(KEEP_OPEN, KEEP_NEW), custom(KEEP_NEW)], [4]],
    ['one, beside another that filters nothing', [filtering(KEEP_US), filtering(MASK_S)], [1, 2, 4]],
    ['one, beside a denial', [filtering(KEEP_US), filtering({ ...KEEP_NEW, effect: 'denied' })], [1, 2]],
    [
      'one, beside another in dry run',
      [filtering(KEEP_US), filtering({ ...KEEP_OPEN, dryRun: 'id' })],
      [1, 2, 4],
    ],
  ])('that all obligations allow: %s', async (_, obligations, ids) => {
    expect(await staying({ obligations })).toEqual(ids);
  });

  test('that any of the outputs of Cerbos allows, and all obligations', async () => {
    const response = { results: [output(KEEP_OPEN), output(KEEP_NEW)] };
    expect(await staying({ 'cerbos.response': response })).toEqual([1, 3, 4]);
    const obligations = [filtering(KEEP_US)];
    expect(await staying({ obligations, 'cerbos.response': response })).toEqual([1, 4]);
  });
});

function dry(rule: object, policy: string): object {
  return { ...rule, policy, dryRun: 'id' };
}

describe('records that obligations in dry run would remove are logged', () => {
  const OPEN = dry(KEEP_OPEN, 'Open');
  const NEW = dry(KEEP_NEW, 'New');
  const US = dry(KEEP_US, 'US');

  test.each([
    ['alone', [filtering(OPEN)], ['Open 2', 'Open 4']],
    ['beside one that is enforced', [filtering(KEEP_US), filtering(OPEN)], ['Open 2', 'Open 4']],
    ['both of two', [filtering(US), filtering(OPEN)], ['Open 2', 'Open 4', 'US 3']],
    ['with two rules', [filtering(KEEP_US), custom(OPEN, NEW)], ['New 2', 'Open 2']],
    ['with one rule, another of which is enforced', [filtering(OPEN, KEEP_US), filtering(KEEP_US)], []],
    ['with one rule, another of which is enforced, alone', [filtering(OPEN, KEEP_US)], []],
    ['beside one that denies', [filtering(OPEN), filtering({ ...KEEP_NEW, effect: 'denied' })], ['Open 2']],
    [
      'that denies, beside another',
      [filtering({ ...dry(KEEP_NEW, 'Not new'), effect: 'denied' }), filtering(OPEN)],
      ['Not new 4', 'Open 2', 'Open 4'],
    ],
  ])('%s', async (_name, obligations, lines) => {
    expect(await skippedBy({ obligations })).toEqual(lines);
  });

  test('in outputs of Cerbos, which decide together', async () => {
    const response = { results: [output(OPEN), output(NEW)] };
    expect(await skippedBy({ 'cerbos.response': response })).toEqual(['New 2', 'Open 2']);
  });
});

test('obligations that would take too many combinations are refused', async () => {
  const many = Array.from({ length: 101 }, (_, i) => keep('c', `${i}`));
  const { status, text } = await exchangeBy({ obligations: [filtering(...many), filtering(...many)] });
  expect([status, text]).toEqual([502, expect.stringContaining('more than 10000 combinations of filters')]);
});

test('thousands of obligations are fulfilled', async () => {
  const others = Array.from({ length: 6000 }, () => filtering(KEEP_OPEN));
  expect(await staying({ obligations: [filtering(KEEP_US), ...others] })).toEqual([1]);
});

test('obligations of which the combinations would be too long are refused', async () => {
  const long = Array.from({ length: 9000 }, () => filtering(KEEP_OPEN));
  const wide = filtering(...Array.from({ length: 100 }, () => KEEP_US));
  const { status, text } = await exchangeBy({ obligations: [wide, ...long] });
  expect([status, text]).toEqual([502, expect.stringContaining('or 200000 filters in them')]);
});

/** Rules by which records of these assets stay. */
function aboutEach(ids: readonly string[], rules: number): readonly object[] {
  return Array.from({ length: rules }, () => ({ action: 'FILTER', assets: { type: 'A', ids } }));
}

/** Answers in context to a question about assets: all are permitted, and two obligations have these rules about them. */
async function aboutAssets(some: readonly object[], others: readonly object[] = some): Promise<Answer> {
  const context = { obligations: [filtering(...some), filtering(...others)] };
  const single = JSON.stringify({ decision: true, context });
  const several = JSON.stringify({ evaluations: RECORDS.map(() => ({ decision: true })) });
  const { port } = await startEnforcement(({ path }) => ({ body: path.endsWith('s') ? several : single }), {
    pdpProtocol: 'authzen',
    pdpUrl: '{pdp}/evaluation',
  });
  const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'A' };
  return call(port, {
    body: enforcing(JSON.stringify(RECORDS), { parameters, vendor: { entityId: 'jane' } }),
  });
}

test('obligations of which the combinations would have too many assets are refused', async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `${i}`);
  expect(await aboutAssets(aboutEach(ids, 40))).toMatchObject({ status: 200, text: JSON.stringify(RECORDS) });
  const { status, text } = await aboutAssets(aboutEach(ids, 50));
  expect([status, text]).toEqual([502, expect.stringContaining('more than 1000000 assets')]);
});

test('obligations of which the combinations compare too many assets are refused, also if they share none', async () => {
  const ids = Array.from({ length: 500 }, (_, i) => `${i}`);
  const others = ids.map((id) => `not ${id}`);
  const { status, text } = await aboutAssets(aboutEach(ids, 50), aboutEach(others, 50));
  expect([status, text]).toEqual([502, expect.stringContaining('more than 1000000 assets')]);
});

test('obligations of which the conditions would be too long together are refused', async () => {
  const values = Array.from({ length: 50 }, (_, i) => `${i}`);
  const leaf = { attribute: 'c', operator: 'IN', values };
  const when = { any: [leaf, leaf] };
  const many = Array.from({ length: 72 }, () => ({ action: 'FILTER', when }));
  const { status, text } = await exchangeBy({ obligations: [filtering(...many), filtering(...many)] });
  expect([status, text]).toEqual([502, expect.stringContaining('more than 1000000 values in combinations')]);
});

test('names of an object that its properties repeat count in all obligations and outputs together', async () => {
  const properties = Array.from({ length: 40 }, (_property, at) => `p${at}`);
  const object = Array.from({ length: 400 }, () => 'o').join('.');
  const rule = { properties, object, action: 'MASK' };
  expect((await exchangeBy({ obligations: [custom(rule)] })).status).toBe(200);
  expect((await exchangeBy({ obligations: [custom(rule), filtering(rule)] })).status).toBe(403);
  const outputs = { results: [output(rule)] };
  expect((await exchangeBy({ obligations: [custom(rule)], 'cerbos.response': outputs })).status).toBe(502);
});

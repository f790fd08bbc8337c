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

/** What the service answers if the permit has this context. */
async function answerBy(context: object): Promise<Answer> {
  const body = JSON.stringify({ decision: true, context });
  const { port } = await startEnforcement({ body }, { pdpProtocol: 'authzen' });
  return call(port, { body: enforcing(JSON.stringify(RECORDS), { vendor: { entityId: 'jane' } }) });
}

/** The identifiers of the records that stay by this context of a permit. */
async function staying(context: object): Promise<readonly unknown[]> {
  const { text } = await answerBy(context);
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

test('obligations that would take too many combinations are refused', async () => {
  const many = Array.from({ length: 101 }, (_, i) => keep('c', `${i}`));
  const { status, text } = await answerBy({ obligations: [filtering(...many), filtering(...many)] });
  expect([status, text]).toEqual([502, expect.stringContaining('more than 10000 combinations of filters')]);
});

test('thousands of obligations are fulfilled', async () => {
  const others = Array.from({ length: 6000 }, () => filtering(KEEP_OPEN));
  expect(await staying({ obligations: [filtering(KEEP_US), ...others] })).toEqual([1]);
});

test('obligations of which the combinations would be too long are refused', async () => {
  const long = Array.from({ length: 9000 }, () => filtering(KEEP_OPEN));
  const wide = filtering(...Array.from({ length: 100 }, () => KEEP_US));
  const { status, text } = await answerBy({ obligations: [wide, ...long] });
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
  const { status, text } = await answerBy({ obligations: [filtering(...many), filtering(...many)] });
  expect([status, text]).toEqual([502, expect.stringContaining('more than 1000000 values in combinations')]);
});

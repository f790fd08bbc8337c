import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
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

/** The identifiers of the records that stay by this context of a permit. */
async function staying(context: object): Promise<readonly unknown[]> {
  const body = JSON.stringify({ decision: true, context });
  const { port } = await startEnforcement({ body }, { pdpProtocol: 'authzen' });
  const { text } = await call(port, {
    body: enforcing(JSON.stringify(RECORDS), { vendor: { entityId: 'jane' } }),
  });
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
  const context = { obligations: [filtering(...many), filtering(...many)] };
  const body = JSON.stringify({ decision: true, context });
  const { port } = await startEnforcement({ body }, { pdpProtocol: 'authzen' });
  const { status, text } = await call(port, {
    body: enforcing(JSON.stringify(RECORDS), { vendor: { entityId: 'jane' } }),
  });
  expect([status, text]).toEqual([502, expect.stringContaining('more than 10000 combinations of filters')]);
});

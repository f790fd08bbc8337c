import { afterEach, describe, expect, test } from '@jest/globals';
import { call, enforcing } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';
import { closeAll } from '../transport/setup.ts';

afterEach(closeAll);

const RECORDS = [
  { n: 1, state: 'open', age: 20, tags: ['a', 'b'], vip: true },
  { n: 2, state: 'closed', age: 9.5, vip: false },
  { n: 3, state: null },
  { n: 4 },
];

const field = (operator: string, name: string, value: unknown) => ({
  type: 'field',
  operator,
  field: name,
  value,
});
const compound = (operator: string, ...value: unknown[]) => ({ type: 'compound', operator, value });

async function kept(result: unknown, written: Record<string, unknown> = {}): Promise<unknown> {
  const config = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/filters/include', ...written };
  const { port } = await startEnforcement({ body: JSON.stringify({ result }) }, config);
  const options = { vendor: { entityId: 'jane' }, parameters: { assetType: 'tickets' } };
  const answer = await call(port, { body: enforcing(JSON.stringify(RECORDS), options) });
  expect(answer.status).toBe(200);
  const records: readonly { readonly n: number }[] = JSON.parse(answer.text);
  return records.map(({ n }) => n);
}

describe('a query that OPA compiled keeps the records for which it holds', () => {
  test.each([
    ['all', {}, [1, 2, 3, 4]],
    ['eq', field('eq', 'tickets.state', 'open'), [1]],
    ['eq with a number, as a number', field('eq', 'tickets.age', 9.5), [2]],
    ['eq with a boolean', field('eq', 'tickets.vip', false), [2]],
    ['eq in a list', field('eq', 'tickets.tags', 'b'), [1]],
    ['ne, if the attribute is there', field('ne', 'tickets.state', 'closed'), [1]],
    ['ne null, if there is a value', field('ne', 'tickets.state', null), [1, 2]],
    ['lt', field('lt', 'tickets.age', 10), [2]],
    ['lte', field('lte', 'tickets.age', 20), [1, 2]],
    ['gt', field('gt', 'tickets.age', 10), [1]],
    ['gte', field('gte', 'tickets.age', 9.5), [1, 2]],
    ['in with values of several types', field('in', 'tickets.state', ['open', 9.5, true]), [1]],
    ['in nothing', field('in', 'tickets.state', []), []],
    ['nin, if the attribute is there', field('nin', 'tickets.state', ['closed', 3]), [1]],
    ['nin nothing, if the attribute is there', field('nin', 'tickets.state', []), [1, 2]],
    ['contains', field('contains', 'tickets.state', 'los'), [2]],
    ['startswith', field('startswith', 'tickets.state', 'op'), [1]],
    ['endswith', field('endswith', 'tickets.state', 'ed'), [2]],
    ['and', compound('and', field('gt', 'tickets.age', 1), field('eq', 'tickets.state', 'open')), [1]],
    ['or', compound('or', field('eq', 'tickets.n', 4), field('eq', 'tickets.state', 'open')), [1, 4]],
    ['not, if the attribute is there', compound('not', field('eq', 'tickets.state', 'closed')), [1]],
    [
      'not of or',
      compound('not', compound('or', field('eq', 'tickets.state', 'closed'), field('eq', 'tickets.n', 9))),
      [1],
    ],
    [
      'not of not, if the attribute is there',
      compound('not', compound('not', field('eq', 'tickets.state', 'open'))),
      [1],
    ],
    [
      'not of in nothing, if the attribute is there',
      compound('not', field('in', 'tickets.state', [])),
      [1, 2],
    ],
    ['not of ne, if the attribute is there', compound('not', field('ne', 'tickets.state', 'open')), [1]],
    ['another table, whose name stays', field('eq', 'users.state', 'open'), []],
  ])('%s', async (_case, query, expected) => {
    expect(await kept({ query })).toEqual(expected);
  });

  test('nothing, whatever filterDefault says, without a query', async () => {
    expect(await kept({ masks: {} }, { filterDefault: 'allow' })).toEqual([]);
  });

  test('deeply nested negations, in no more time than others', async () => {
    const nested = Array.from({ length: 60 }).reduce(
      (query: unknown) => compound('not', query),
      field('eq', 'tickets.n', 1),
    );
    expect(await kept({ query: nested })).toEqual([1]);
  });
});

/** What becomes of a decision that masks so many columns of a table whose name has so many parts. */
async function statusOfMasks(columns: number, parts: number): Promise<number> {
  const table = Array.from({ length: parts }, () => 'a').join('.');
  const names = Array.from({ length: columns }, (_column, at) => [`c${at}`, { replace: { value: 1 } }]);
  const result = { query: {}, masks: { [table]: Object.fromEntries(names) } };
  const config = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/filters/include' };
  const { port } = await startEnforcement({ body: JSON.stringify({ result }) }, config);
  const answer = await call(port, { body: enforcing('[]', { vendor: { entityId: 'jane' } }) });
  return answer.status;
}

test('many columns of a table are masked unless its name has very many parts, each of which every column repeats', async () => {
  expect(await statusOfMasks(2000, 15)).toBe(200);
  expect(await statusOfMasks(2000, 400)).toBe(502);
  expect(await statusOfMasks(20, 400)).toBe(200);
});

test('in context mode, the table of the protected object is that of the records', async () => {
  const result = {
    query: field('eq', 'Customer.state', 'open'),
    masks: { Customer: { ssn: { replace: { value: 'H' } } }, columns: { id: { replace: { value: 'I' } } } },
  };
  const config = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/filters/include' };
  const { port } = await startEnforcement({ body: JSON.stringify({ result }) }, config);
  const records = [
    { id: 1, state: 'open', ssn: '123' },
    { id: 2, state: 'closed', ssn: '456' },
  ];
  const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'Customer' };
  const body = enforcing(JSON.stringify(records), { vendor: { entityId: 'jane' }, parameters });
  expect(JSON.parse((await call(port, { body })).text)).toEqual([{ id: 'I', state: 'open', ssn: 'H' }]);
});

test('a query is about the fields of the records alone, whatever the payload around them has', async () => {
  const result = { query: field('eq', 'tickets.state', 'open') };
  const config = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/filters/include' };
  const { port } = await startEnforcement({ body: JSON.stringify({ result }) }, config);
  const rows = [
    { n: 1, state: 'open' },
    { n: 2, state: 'closed' },
  ];
  const parameters = { assetType: 'tickets', root: 'rows' };
  const body = enforcing(JSON.stringify({ state: 'open', rows }), {
    vendor: { entityId: 'jane' },
    parameters,
  });
  expect((await call(port, { body })).text).toBe('{"state":"open","rows":[{"n":1,"state":"open"}]}');
});

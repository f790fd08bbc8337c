import { afterEach, expect, jest, test } from '@jest/globals';
import { RecordView } from '../../src/core/plan/record.ts';
import { StepList } from '../../src/core/plan/step.ts';
import { WorkTime } from '../../src/enforcement/work-time.ts';
import type { EnforcementProblem } from '../reference/enforce.ts';
import { coreExplain } from './core.ts';

const LIMITS = { maxExplained: 100, maxBytes: 16_000_000 };
const RECORDS = 100;

afterEach(() => void jest.restoreAllMocks());

function problem(part: Partial<EnforcementProblem>, decision: object): EnforcementProblem {
  return {
    config: { attrName: 'column', filter: true, filterDefault: 'deny' },
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText: '[]',
    decision: { response: [{ access: [], privileges: { allowed: [], denied: [] }, ...decision }] },
    ...part,
  };
}

function inContext(assetId: string): EnforcementProblem['parameters'] {
  return { calculationType: 'context', assetId, protectedObject: 'Account' };
}

function many<T>(count: number, one: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => one(index));
}

/** What decides whether records stay: their assets, or what an attribute is. */
function filters(attribute: string): object {
  const actions = [
    { action: 'FILTER', 'asset-attributes-filter': { attribute, operator: 'EQUALS', values: ['none'] } },
  ];
  return { allowed: many(20, () => ({ resourceType: 'columns', actions })), denied: [] };
}

function assets(count: number, action: string): readonly object[] {
  return many(count, (index) => ({
    path: `a${index}`,
    resourceType: 'Account',
    attributes: action === 'FILTER' ? {} : { column: ['ssn'] },
    actions: [{ action }],
  }));
}

test('what identifies a record is read once for all filters, however many it has', async () => {
  const ids = jest.spyOn(RecordView.prototype, 'assetIds', 'get');
  const own = many(50, (index) => `a${index}`);
  const { explained } = await coreExplain(
    problem(
      { parameters: inContext('id'), jsonText: JSON.stringify([{ id: own }, { id: own }]) },
      { access: assets(50, 'FILTER'), privileges: filters('k') },
    ),
    LIMITS,
  );
  expect(explained?.records.map(({ kept }) => kept)).toEqual([true, true]);
  expect(ids.mock.calls.length).toBe(2);
});

test.each([
  ['conditions', {}, { privileges: filters('$.ids[*]') }],
  ['assets', inContext('$.ids[*]'), { access: assets(20, 'FILTER'), privileges: filters('k') }],
])(
  'what is explained of many values of the payload for each record counts as work: %s',
  async (_name, context, decision) => {
    const looks = jest.spyOn(WorkTime.prototype, 'isLate').mockReturnValue(false);
    const rows = many(RECORDS, () => ({ k: 'x' }));
    const json = { rows, ids: many(3000, (index) => `a${index}`) };
    const { explained } = await coreExplain(
      problem({ parameters: { root: 'rows', ...context }, jsonText: JSON.stringify(json) }, decision),
      LIMITS,
    );
    expect(explained?.records.length).toBe(RECORDS);
    expect(looks.mock.calls.length).toBeGreaterThanOrEqual(RECORDS);
  },
);

test('the rules about a value are no longer collected once there is no room to explain it', async () => {
  const collected = jest.spyOn(StepList.prototype, 'about');
  const { explained } = await coreExplain(
    problem(
      { parameters: inContext('id'), jsonText: JSON.stringify(many(1000, () => ({ id: 'a0', ssn: 1 }))) },
      { access: [...assets(1, 'MASK'), ...assets(1, 'FILTER')] },
    ),
    LIMITS,
  );
  expect(explained?.changes.length).toBe(LIMITS.maxExplained);
  expect(collected.mock.calls.length).toBe(LIMITS.maxExplained + 1);
});

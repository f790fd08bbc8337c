import { afterEach, describe, expect, test } from '@jest/globals';
import { Audit, MOST_COUNTED } from '../../src/enforcement/audit.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, maskRule } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

const PAYLOAD = '[{"ssn":"planted-ssn","name":"Ann"},{"ssn":"222","name":"Bob"},{"name":"Zoe","extra":1}]';
const VENDOR = { entityId: 'jane', clientSecret: 'planted-secret' };

/** A rule that comes from policies. */
function ruleOf(names: readonly string[], path: string, value = 'MASK'): object {
  return { ...maskRule(path), actions: [{ action: value }], policies: names.map((name) => ({ name })) };
}

/** What the audit has of a payload that was enforced. */
async function auditOf(
  body: string,
  config: Readonly<Record<string, unknown>> = { audit: true },
): Promise<readonly unknown[]> {
  const service = await startEnforcement({ body }, config, 'info');
  await call(service.port, { body: enforcing(PAYLOAD, { vendor: VENDOR }) });
  const lines = service.logged.filter((line) => line.includes('"message":"Audit'));
  const told = lines.join('\n').replaceAll(/"requestId":"[^"]*"/gu, '');
  expect(told).not.toMatch(/planted|Ann/u);
  return lines.map((line): unknown => JSON.parse(line));
}

function changed(policy: string, masked: number, created: number, records: number, removed = 0): object {
  const counts = { masked, set: 0, created, removed, records };
  return { level: 'info', message: 'Audit: properties changed', policy, ...counts, user: 'jane' };
}

describe('the audit', () => {
  test('has one line for each policy, with how many properties of how many records it changed', async () => {
    const body = decision({
      access: [
        ruleOf(['Hide SSN'], 'ssn'),
        ruleOf(['Hide names'], 'name'),
        ruleOf(['Label'], 'label', 'internal'),
        ruleOf(['Drop'], 'extra', 'remove()'),
      ],
    });
    expect(await auditOf(body)).toMatchObject([
      changed('Hide SSN', 2, 0, 2),
      changed('Hide names', 3, 0, 3),
      changed('Label', 0, 3, 3),
      changed('Drop', 0, 0, 1, 1),
    ]);
  });

  test('counts properties apart from records', async () => {
    const body = decision({ access: [ruleOf(['Hide all'], 'ssn'), ruleOf(['Hide all'], 'name')] });
    expect(await auditOf(body)).toMatchObject([changed('Hide all', 5, 0, 3)]);
  });

  test('has a line for each of several policies of a rule, and for a rule without any', async () => {
    const body = decision({ access: [ruleOf(['A', 'B', 'A'], 'ssn'), ruleOf([], 'name')] });
    expect(await auditOf(body)).toMatchObject([
      changed('A', 2, 0, 2),
      changed('B', 2, 0, 2),
      changed('unknown', 3, 0, 3),
    ]);
  });

  test('counts the records of policies of which only some are of another rule', async () => {
    const body = decision({
      access: [
        ruleOf(['A', 'B', 'C'], 'ssn'),
        ruleOf(['B', 'C', 'D'], 'name'),
        ruleOf(['C', 'A'], 'extra'),
        ruleOf(['D', 'B', 'C'], 'nowhere'),
      ],
    });
    expect(await auditOf(body)).toMatchObject([
      changed('A', 3, 0, 3),
      changed('B', 5, 0, 3),
      changed('C', 6, 0, 3),
      changed('D', 3, 0, 3),
    ]);
  });

  test('has the records that the filter removed, with the policies that decide which may stay', async () => {
    const condition = { attribute: 'name', operator: 'EQUALS', values: ['Ann'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': condition }],
      policies: [{ name: 'Own customers' }],
    };
    const entries = await auditOf(decision({ allowed: [filter] }), { audit: true, filter: true });
    expect(entries).toMatchObject([
      { message: 'Audit: records removed', policies: ['Own customers'], removed: 2, user: 'jane' },
    ]);
  });

  test('names policies shortly, and at most a hundred in one line', async () => {
    const long = 'x'.repeat(300);
    const policies = Array.from({ length: 103 }, (_, at) => ({ name: `${at} ${long}` }));
    const condition = { attribute: 'name', operator: 'EQUALS', values: ['Ann'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': condition }],
    };
    const entries = await auditOf(
      decision({ access: [ruleOf([long], 'ssn')], allowed: [{ ...filter, policies }] }),
      { audit: true, filter: true },
    );
    expect(entries).toMatchObject([
      { message: 'Audit: properties changed', policy: `${'x'.repeat(255)}…` },
      { message: 'Audit: records removed', more: 3, removed: 2 },
    ]);
    const [, removed] = entries;
    expect(Object(removed).policies).toEqual(
      policies.slice(0, 100).map(({ name }) => `${name.slice(0, 255)}…`),
    );
  });

  test('names a policy of several filters once, and a hundred without more', async () => {
    const condition = { attribute: 'name', operator: 'EQUALS', values: ['Ann'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': condition }],
      policies: Array.from({ length: 100 }, (_, at) => ({ name: `P${at}` })),
    };
    const [removed] = await auditOf(decision({ allowed: [filter, filter] }), { audit: true, filter: true });
    expect(Object(removed).policies).toEqual(filter.policies.map(({ name }) => name));
    expect(removed).not.toHaveProperty('more');
  });

  test('says nothing if nothing was changed', async () => {
    expect(await auditOf(decision({ access: [ruleOf(['Hide'], 'nowhere')] }))).toEqual([]);
  });

  test('says nothing unless it is asked for', async () => {
    expect(await auditOf(decision({ access: [ruleOf(['Hide'], 'ssn')] }), {})).toEqual([]);
  });
});

describe('the audit takes no time for each pair', () => {
  /** How many records are looked at for each of as many policies. */
  const MANY = 100;
  const NAMES = Array.from({ length: MANY }, (_value, at) => ({ name: `P${at}`, dryRun: undefined }));

  test('of a record and a policy of a rule', () => {
    const audit = new Audit({ warn: () => undefined, info: () => undefined }, () => 'jane');
    const rules = [NAMES, NAMES.slice(MANY / 2)];
    for (const rule of rules) audit.changed('masked', rule, 0);
    const steps = stepsOf(() => {
      for (let record = 1; record <= MANY; record++)
        for (const rule of rules) audit.changed('masked', rule, record);
    });
    expect(steps).toBeLessThan(16 * MANY);
  });

  test('of records and policies that are all counted apart: it then says nothing of records', () => {
    const { steps, lines } = countedApart(1.2 * MOST_COUNTED);
    expect(steps).toBeLessThan(1.1 * MOST_COUNTED);
    expect(lines[0]).toEqual(['Audit: properties changed', 'P0', undefined]);
    expect(lines.at(-1)).toEqual([
      'Records are not counted for the audit: too many policies changed the same ones',
      undefined,
      undefined,
    ]);
  });

  test('until it is known to be too long', () => {
    const { lines } = countedApart(0.9 * MOST_COUNTED);
    expect(lines).toHaveLength(APART);
    expect(lines.at(-1)).toEqual([
      'Audit: properties changed',
      `P${APART - 1}`,
      0.9 * (MOST_COUNTED / APART),
    ]);
  });
});

/** How many policies one rule has that each are also that of another. */
const APART = 5000;

/** What a rule of many policies costs that changes so many records that each policy is counted for so many together, and its audit. */
function countedApart(pairs: number): { readonly steps: number; readonly lines: readonly unknown[][] } {
  const lines: unknown[][] = [];
  const note = (message: string, { policy, records }: Readonly<Record<string, unknown>> = {}): void =>
    void lines.push([message, policy, records]);
  const audit = new Audit({ warn: note, info: note }, () => 'jane');
  const policies = Array.from({ length: APART }, (_value, at) => ({ name: `P${at}`, dryRun: undefined }));
  for (const policy of policies) audit.changed('masked', [policy], 0);
  audit.changed('masked', policies, 0);
  const steps = stepsOf(() => {
    for (let record = 1; record < pairs / APART; record++) audit.changed('masked', policies, record);
  });
  audit.log({ properties: [], filters: [], filterDefault: undefined });
  return { steps, lines };
}

/** How many elements of lists, maps and sets are gone through one by one. */
function stepsOf(work: () => void): number {
  let steps = 0;
  const restore = [[].values(), new Map().values(), new Set().values()].map((iterator) => {
    const prototype: Iterator<unknown> = Object.getPrototypeOf(iterator);
    const next: () => IteratorResult<unknown> = Reflect.get(prototype, 'next');
    prototype.next = function counted() {
      steps++;
      return Reflect.apply(next, this, []);
    };
    return () => (prototype.next = next);
  });
  try {
    work();
  } finally {
    for (const one of restore) one();
  }
  return steps;
}

import { afterEach, describe, expect, test } from '@jest/globals';
import _ from 'lodash';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { decision, literalRule, maskRule } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { connected } from '../../support/wire.ts';

afterEach(closeAll);

const CONFIG = {
  explain: { port: 1 },
  attrName: 'column',
  object: 'table',
  filter: true,
  filterDefault: 'allow',
};

/** An explanation as a caller reads it. */
interface Explained {
  readonly rules: readonly {
    readonly id: number;
    readonly place: string;
    readonly reached: number;
    readonly applied: number;
  }[];
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly records: readonly unknown[];
  readonly timings: unknown;
  readonly truncated?: true;
}

async function explain(answer: string, payload: unknown, config: object = {}): Promise<Explained> {
  const { explainPort = 0 } = await startEnforcement({ body: answer }, { ...CONFIG, ...config });
  const body = enforcing(JSON.stringify(payload), { vendor: { entityId: 'jane' } });
  const { text } = await call(explainPort, { path: '/explain', body });
  const explained: Explained = JSON.parse(text);
  return explained;
}

function conditional(action: string, leaf: object, column = 'ssn'): object {
  return {
    resourceType: 'columns',
    policies: [{ name: 'Conditional' }],
    actions: [{ action, 'asset-attributes-filter': { AND: [called('EQUALS', column), leaf] } }],
  };
}

/** That the property has a name. */
function called(operator: string, name: string): object {
  return { attribute: 'column', operator, values: [name] };
}

function filter(leaf?: object): object {
  return {
    resourceType: 'columns',
    actions: [{ action: 'FILTER', ...(leaf && { 'asset-attributes-filter': leaf }) }],
  };
}

async function places(answer: string): Promise<readonly string[]> {
  return _.map((await explain(answer, {})).rules, 'place');
}

const VIP = { attribute: 'vip', type: 'BOOLEAN', operator: 'EQUALS', values: ['true'] };

test('POST /explain writes no audit, as it serves nobody', async () => {
  const body = enforcing('[{"ssn":"1"}]', { vendor: { entityId: 'jane' } });
  const answer = { body: decision({ access: [maskRule('ssn')] }) };
  const { port, explainPort = 0, logged } = await startEnforcement(answer, { ...CONFIG, audit: true });
  await call(explainPort, { path: '/explain', body });
  expect(logged.join('')).not.toContain('Audit');
  await call(port, { body });
  expect(logged.join('')).toContain('Audit: properties changed');
});

test('POST /explain writes no line of a dry run, as nothing is skipped for a user', async () => {
  const body = enforcing('[{"id":7,"ssn":"1"}]', { vendor: { entityId: 'jane' } });
  const soon = { ...maskRule('ssn'), policies: [{ name: 'Soon', metadata: { DRY_RUN: 'id' } }] };
  const answer = { body: decision({ access: [soon] }) };
  const { port, explainPort = 0, logged } = await startEnforcement(answer, CONFIG);
  await call(explainPort, { path: '/explain', body });
  await eventually(() => logged.some((line) => line.includes('"path":"/explain"')));
  expect(logged.join('')).not.toContain('was skipped');
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ path: '/explain', skipped: 1 });
  await call(port, { body });
  expect(logged.join('')).toContain('Enforcement by Policy Soon on id 7 was skipped for User jane');
});

test('POST /explain is logged with how much of the payload is masked, as POST /enforce is', async () => {
  const answer = { body: decision({ access: [maskRule('ssn')] }) };
  const { explainPort = 0, logged } = await startEnforcement(answer, CONFIG);
  await call(explainPort, { path: '/explain', body: enforcing('[{"ssn":"1"},{"ssn":"2"}]') });
  await eventually(() => logged.some((line) => line.includes('"message":"Request"')));
  const fields = { path: '/explain', status: 200, records: 2, masked: 2 };
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject(fields);
});

test('POST /explain needs room for its answer, which is longer than the payload', async () => {
  const answer = { body: decision({ access: [maskRule('ssn')] }) };
  const { port, explainPort = 0 } = await startEnforcement(answer, { ...CONFIG, maxInFlightBody: 1 });
  const records = enforcing(JSON.stringify(Array.from({ length: 500 }, () => ({ ssn: 1 }))));
  const ask = () => call(explainPort, { path: '/explain', body: records });
  expect((await ask()).text.length).toBeGreaterThan(3 * records.length);
  const other = await connected(port);
  const room = 1024 * 1024 - 2 * records.length;
  other.write(
    `POST /enforce HTTP/1.1\r\nHost: s\r\nContent-Type: application/json\r\nContent-Length: ${room}\r\n\r\n{`,
  );
  await eventually(async () => (await ask()).status === 503);
  expect(problemIn(await ask()).detail).toBe('The service has too many bytes in progress (maxInFlightBody).');
  expect((await call(port, { body: records })).status).toBe(200);
  other.destroy();
});

describe('POST /explain says of each place', () => {
  test('which rule was applied, and why the others were not', async () => {
    const access = [
      { ...maskRule('ssn'), actions: [{ action: '10::last(4)' }], policies: [{ name: 'Mask SSNs' }] },
      maskRule('ssn'),
    ];
    const answer = decision({ access, allowed: [conditional('MASK', VIP)] });
    const { changes, rules } = await explain(answer, [{ ssn: '123-45-6789', vip: false }]);
    expect(changes).toEqual([
      {
        pointer: '/0/ssn',
        effect: 'masked',
        rule: 0,
        lost: [
          { rule: 1, because: 'priority' },
          {
            rule: 2,
            because: 'condition',
            condition: { attribute: 'vip', operator: 'EQUALS', holds: false, read: 'present' },
          },
        ],
      },
    ]);
    expect(rules[0]).toEqual({
      id: 0,
      policy: 'Mask SSNs',
      action: 'last(4)',
      priority: 10,
      effect: 'allowed',
      dryRun: false,
      place: '/response/0/access/0',
      reached: 1,
      applied: 1,
    });
    expect(rules[1]).toMatchObject({ policy: 'unknown', reached: 1, applied: 0 });
    expect(rules[1]).not.toHaveProperty('priority');
    expect(rules[2]).toMatchObject({ policy: 'Conditional', reached: 1, applied: 0 });
  });

  test.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
  ])('the priority %s of a rule with all of its digits', async (written, priority) => {
    const answer = decision({ access: [{ ...maskRule('ssn'), actions: [{ action: `${written}::MASK` }] }] });
    const { rules } = await explain(answer, { ssn: 'x' });
    expect(rules).toMatchObject([{ action: 'MASK', priority }]);
  });

  test('the names of all policies of a rule', async () => {
    const policies = [{ name: 'Mask SSNs' }, { name: 'Hide numbers' }];
    const { rules } = await explain(decision({ access: [{ ...maskRule('ssn'), policies }] }), {});
    expect(rules).toMatchObject([{ policy: 'Mask SSNs, Hide numbers' }]);
  });

  test('every alternative of a rule that is about it in several ways', async () => {
    const country = { attribute: 'country', operator: 'IN', values: ['US'] };
    const tree = {
      OR: [{ AND: [called('EQUALS', 'ssn'), VIP] }, { AND: [called('STARTS_WITH', 's'), country] }],
    };
    const rule = {
      resourceType: 'columns',
      actions: [{ action: 'MASK', 'asset-attributes-filter': tree }],
    };
    const { changes } = await explain(decision({ allowed: [rule] }), [{ ssn: 'x', vip: false }]);
    const leaf = { operator: 'EQUALS', holds: false };
    expect(changes).toMatchObject([{ pointer: '/0/ssn', lost: [{ rule: 0, because: 'condition' }] }]);
    expect(_.get(changes, [0, 'lost', 0, 'condition'])).toEqual({
      OR: [
        { ...leaf, attribute: 'vip', read: 'present' },
        { ...leaf, attribute: 'country', operator: 'IN', read: 'absent' },
      ],
      holds: false,
    });
  });

  test('nothing of what another rule would create in a value that is created', async () => {
    const access = [literalRule('a', 'x'), literalRule('a.b', 'y'), literalRule('c.d', 'z')];
    const { changes } = await explain(decision({ access }), { c: {} });
    expect(_.map(changes, ({ pointer, effect }) => [pointer, effect])).toEqual([
      ['/c/d', 'created'],
      ['/a', 'created'],
    ]);
  });

  test('that a rule lost by priority if its condition holds', async () => {
    const answer = decision({ access: [maskRule('ssn')], allowed: [conditional('last(4)', VIP)] });
    const { changes } = await explain(answer, [{ ssn: '123-45-6789', vip: true }]);
    expect(changes[0]).toMatchObject({ rule: 0, lost: [{ rule: 1, because: 'priority' }] });
  });

  test('under which condition a rule was applied', async () => {
    const { changes } = await explain(decision({ allowed: [conditional('MASK', VIP)] }), {
      ssn: 'x',
      vip: true,
    });
    const condition = { attribute: 'vip', operator: 'EQUALS', holds: true, read: 'present' };
    expect(changes).toEqual([{ pointer: '/ssn', effect: 'masked', rule: 0, condition, lost: [] }]);
  });

  test.each([
    ['present', { n: 1 }, false],
    ['absent', {}, false],
    ['absent', { n: null }, false],
    ['unreadable', { n: 'many' }, false],
    ['unreadable', { n: {} }, false],
    ['unreadable', { n: ['many', 7] }, true],
    ['present', { n: [7, 'many'] }, true],
    ['present', { n: 7 }, true],
  ])('that what a condition reads is %s in %j', async (read, record, holds) => {
    const leaf = { attribute: 'n', type: 'INTEGER', operator: 'GREATER', values: ['5'] };
    const answer = decision({ allowed: [conditional('MASK', leaf)] });
    const { changes } = await explain(answer, [{ ssn: 'x', ...record }]);
    const [{ condition, lost } = {}] = changes;
    expect(condition ?? _.get(lost, [0, 'condition'])).toEqual({
      attribute: 'n',
      operator: 'GREATER',
      holds,
      read,
    });
  });

  test('the whole condition tree, also the parts that no longer decide', async () => {
    const country = { attribute: 'country', operator: 'IN', values: ['US'] };
    const tree = { OR: [{ AND: [VIP, country] }, country] };
    const { changes } = await explain(decision({ allowed: [conditional('MASK', tree)] }), [
      { ssn: 'x', country: 'DE' },
    ]);
    const vip = { attribute: 'vip', operator: 'EQUALS', holds: false, read: 'absent' };
    const us = { attribute: 'country', operator: 'IN', holds: false, read: 'present' };
    expect(_.get(changes, [0, 'lost', 0, 'condition'])).toEqual({
      OR: [{ AND: [vip, us], holds: false }, us],
      holds: false,
    });
  });

  test('what was set, created, removed and left as it is', async () => {
    const access = [
      literalRule('note', 'none'),
      literalRule('customer.since', '2026'),
      { ...maskRule('iban'), actions: [{ action: 'remove()' }] },
      { ...maskRule('pin'), actions: [{ action: 'last(4)' }] },
    ];
    const { changes } = await explain(decision({ access }), [
      { note: '', iban: 'DE1', pin: '12', customer: {} },
    ]);
    expect(changes.map(({ pointer, effect, rule }) => [pointer, effect, rule])).toEqual([
      ['/0/note', 'set', 0],
      ['/0/iban', 'removed', 2],
      ['/0/pin', 'unchanged', 3],
      ['/0/customer/since', 'created', 1],
    ]);
  });

  test('that a policy in dry run would have been applied', async () => {
    const dry = { ...maskRule('ssn'), policies: [{ name: 'Soon', metadata: { DRY_RUN: 'id' } }] };
    const { changes, rules } = await explain(decision({ access: [dry] }), [{ id: 1, ssn: 'x' }]);
    expect(changes).toEqual([
      { pointer: '/0/ssn', effect: 'unchanged', lost: [{ rule: 0, because: 'dryRun' }] },
    ]);
    expect(rules[0]).toMatchObject({ dryRun: true, reached: 1, applied: 0 });
  });

  test('its pointer in the payload as the caller sent it, whatever names it has and whatever was removed', async () => {
    const denied = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': VIP }],
    };
    const access = [maskRule(String.raw`a/b~c`), maskRule('list.#.x')];
    const payload = { rows: [{ vip: true }, { 'a/b~c': 1 }, { list: [[{ x: 1 }], { x: 2 }] }] };
    const { changes } = await explain(decision({ access, denied: [denied] }), payload, { rootWord: 'rows' });
    expect(_.map(changes, 'pointer')).toEqual(['/rows/1/a~1b~0c', '/rows/2/list/0/0/x', '/rows/2/list/1/x']);
  });
});

/** A comparison as OPA's compile API writes it. */
function field(operator: string, name: string, value: unknown) {
  return { type: 'field', operator, field: `columns.${name}`, value };
}

describe('POST /explain says of each record', () => {
  const COUNTRY = { attribute: 'country', operator: 'EQUALS', values: ['US'] };

  test('which filters hold for it, and whether it was kept', async () => {
    const answer = decision({ allowed: [filter(COUNTRY)], denied: [filter(VIP)] });
    const { records, rules } = await explain(answer, [
      { country: 'US' },
      { country: 'US', vip: true },
      { country: 'DE' },
    ]);
    const us = { attribute: 'country', operator: 'EQUALS', read: 'present' };
    const vip = { attribute: 'vip', operator: 'EQUALS' };
    const because = (isUs: boolean, isVip: boolean | undefined) => [
      {
        rule: 0,
        holds: isVip ?? false,
        condition: { ...vip, holds: isVip ?? false, read: isVip === undefined ? 'absent' : 'present' },
      },
      { rule: 1, holds: isUs, condition: { ...us, holds: isUs } },
    ];
    expect(records).toEqual([
      { pointer: '/0', kept: true, because: because(true, undefined) },
      { pointer: '/1', kept: false, because: because(true, true) },
      { pointer: '/2', kept: false, because: because(false, undefined) },
    ]);
    expect(_.map(rules, ({ reached, applied }) => ({ reached, applied }))).toEqual([
      { reached: 3, applied: 1 },
      { reached: 3, applied: 2 },
    ]);
  });

  test('what a filter of OPA asks, in the operators of OPA', async () => {
    const value = [
      field('eq', 'a', 1),
      field('in', 'b', ['x', 'y']),
      field('ne', 'c', 2),
      field('lte', 'd', 3),
    ];
    const query = { type: 'compound', operator: 'and', value };
    const opa = { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/filters' };
    const { records } = await explain(JSON.stringify({ result: { query } }), [{ a: 1 }], opa);
    const operators = [
      ...JSON.stringify(records).matchAll(/"attribute":"columns\.(.)","operator":"([^"]+)"/gu),
    ];
    expect(operators.map(([, name, operator]) => `${name} ${operator}`)).toEqual([
      'a eq',
      'b in',
      'c present',
      'c ne',
      'd lte',
    ]);
  });

  test('nothing if no filter decides', async () => {
    const { records } = await explain(decision({ access: [maskRule('x')] }), [{ x: 1 }]);
    expect(records).toEqual([]);
  });

  test('that a filter in dry run holds, and is applied to none', async () => {
    const soon = { name: 'Soon', metadata: { DRY_RUN: 'id' } };
    const dry = { ...filter(VIP), policies: [soon] };
    const { records, rules } = await explain(decision({ denied: [dry] }), [{ id: 1, vip: true }]);
    expect(records).toMatchObject([{ pointer: '/0', kept: true, because: [{ rule: 0, holds: true }] }]);
    expect(rules[0]).toMatchObject({ dryRun: true, reached: 1, applied: 0 });
  });

  test('that the payload itself is gone', async () => {
    const { records } = await explain(decision({ denied: [filter()] }), { x: 1 });
    expect(records).toEqual([{ pointer: '', kept: false, because: [{ rule: 0, holds: true }] }]);
  });
});

describe('a rule is found in the answer of the PDP', () => {
  test('by its entry, or by its action if the entry has several', async () => {
    const twice = { ...maskRule('x'), actions: [{ action: 'MASK' }, { action: 'last(4)' }] };
    expect(await places(decision({ access: [maskRule('y'), twice] }))).toEqual([
      '/response/0/access/0',
      '/response/0/access/1/actions/0',
      '/response/0/access/1/actions/1',
    ]);
  });

  test('also if the answer is wrapped', async () => {
    expect(await places(`{"data":${decision({ access: [maskRule('y')] })}}`)).toEqual([
      '/data/response/0/access/0',
    ]);
  });
});

describe('an explanation is bounded', () => {
  const RECORDS = Array.from({ length: 50 }, (_value, id) => ({ id, ssn: 'x' }));

  test('by maxExplained', async () => {
    const { changes, truncated, rules } = await explain(decision({ access: [maskRule('ssn')] }), RECORDS, {
      maxExplained: 20,
    });
    expect(changes).toHaveLength(20);
    expect(truncated).toBe(true);
    expect(rules[0]).toMatchObject({ reached: 20, applied: 20 });
  });

  test('and says so only if there is more', async () => {
    const { changes, truncated } = await explain(decision({ access: [maskRule('ssn')] }), RECORDS, {
      maxExplained: 50,
    });
    expect(changes).toHaveLength(50);
    expect(truncated).toBeUndefined();
  });

  test('for records and changes apart', async () => {
    const access = [maskRule('ssn')];
    const answer = decision({ access, denied: [filter(VIP)] });
    const payload = RECORDS.map(({ id }) => (id < 40 ? { id } : { id, ssn: 'x' }));
    const { changes, records, truncated } = await explain(answer, payload, { maxExplained: 20 });
    expect([changes.length, records.length, truncated]).toEqual([10, 20, true]);
  });

  test('by maxAnswer, however long the names in the payload are', async () => {
    const name = 'n'.repeat(2000);
    const list = { [name]: Array.from({ length: 500 }, () => ({ ssn: 'x' })) };
    const answer = decision({ access: [maskRule(`${name}.#.ssn`)] });
    const { changes, truncated } = await explain(answer, list, { maxAnswer: 1 });
    expect(changes.length).toBeLessThan(100);
    expect(truncated).toBe(true);
  });

  const LEAVES = Array.from({ length: 10_000 }, (_value, id) => ({ ...VIP, attribute: `n${id}` }));
  const LONG = { AND: LEAVES };
  const LONG_OR = { OR: [...LEAVES, { attribute: 'ssn', operator: 'EQUALS', values: ['x'] }] };
  test.each([
    ['a filter', decision({ allowed: [filter(LONG)] })],
    ['a rule that was applied', decision({ allowed: [conditional('MASK', LONG_OR)] })],
    ['a rule that lost', decision({ allowed: [conditional('MASK', LONG)] })],
  ])('by maxAnswer, however long the condition is of %s', async (_name, answer) => {
    const { changes, records, rules, truncated } = await explain(answer, [{ ssn: 'x' }], { maxAnswer: 1 });
    expect({ changes, records, truncated }).toEqual({ changes: [], records: [], truncated: true });
    expect(rules).toMatchObject([{ reached: 0, applied: 0 }]);
  });
});

/** What a browser sends for a page whose name a DNS server points to the loopback address. */
async function statusAs(host: string, address = '127.0.0.1'): Promise<number> {
  const { explainPort = 0 } = await startEnforcement(undefined, {
    ...CONFIG,
    explain: { port: 1, host: address },
  });
  return (await call(explainPort, { path: '/explain', headers: { host }, body: enforcing('{}') })).status;
}

describe('the listener for explanations', () => {
  test('is off unless it is configured', async () => {
    const { explainPort, port } = await startEnforcement();
    expect(explainPort).toBeUndefined();
    expect((await call(port, { path: '/explain', body: enforcing('{}') })).status).toBe(404);
  });

  test('has no other route', async () => {
    const { explainPort = 0 } = await startEnforcement(undefined, CONFIG);
    const answer = await call(explainPort, { path: '/enforce', body: enforcing('{}') });
    expect(problemIn(answer)).toMatchObject({ status: 404, detail: expect.stringContaining('/explain') });
  });

  test.each(['attacker.example:5006', 'localhost.attacker.example', 'a b', '[::1'])(
    'answers nobody who calls it %j',
    async (host) => {
      expect(await statusAs(host)).toBe(400);
    },
  );

  test.each(['localhost', 'LocalHost:5006', '127.0.0.1:80', '[::1]:5006'])(
    'may be called %s',
    async (host) => {
      expect(await statusAs(host)).toBe(200);
    },
  );

  test('may have any name if it is opened to other machines', async () => {
    expect(await statusAs('authorizer.pods:5006', '0.0.0.0')).toBe(200);
  });
});

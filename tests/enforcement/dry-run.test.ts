import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { Changes } from '../../src/core/walk/changes.ts';
import { DryRunLog, MAX_LINES } from '../../src/enforcement/dry-run.ts';
import { enforce, intentFrom } from '../../src/enforcement/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { MAX_QUOTED } from '../../src/shortened.ts';
import { decision, maskRule } from '../support/decision.ts';
import { portsOn, SETTINGS } from './ports.ts';

afterEach(() => void jest.restoreAllMocks());

/** What became of a payload, and what was logged. */
interface Tried {
  readonly text: string;
  readonly skipped: number;
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

async function tried(json: unknown, sections: Parameters<typeof decision>[0], user = 'jane'): Promise<Tried> {
  const settings = { ...SETTINGS, filter: true, filterDefault: 'allow' } as const;
  const answer = decisionFrom(Buffer.from(decision(sections)), settings, NO_MASK_KEYS);
  const lines: string[] = [];
  const warnings: string[] = [];
  const log = {
    info: (message: string) => void lines.push(message),
    warn: (message: string, fields: object = {}) =>
      void warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const ports = { ...portsOn({ decide: () => Promise.resolve(answer) }), settings, log };
  const intent = { ...intentFrom({ vendor: JSON.stringify({ entityId: user }) }, 4), headers: [] };
  const { payload, counts } = await enforce(Buffer.from(JSON.stringify(json)), intent, ports);
  const text = Buffer.concat([...payload]).toString();
  return {
    text,
    skipped: counts.skipped,
    lines,
    warnings: warnings.filter((message) => message.startsWith('Dry')),
  };
}

/** A rule in dry run. */
function dry(rule: object, name = 'P', property = 'id'): object {
  return { ...rule, policies: [{ name, metadata: { DRY_RUN: property } }] };
}

function line(policy: string, property: string, value: string): string {
  return `Enforcement by Policy ${policy} on ${property} ${value} was skipped for User jane`;
}

test('policies are told apart whatever blanks their names and properties have', async () => {
  const json = [{ a: '1', 'a b': '2', ssn: 's', name: 'n' }];
  const access = [dry(maskRule('ssn'), 'c', 'a b'), dry(maskRule('name'), 'b c', 'a')];
  const { lines } = await tried(json, { access });
  expect(lines.toSorted()).toEqual([line('b c', 'a', '1'), line('c', 'a b', '2')]);
});

/** The same object, with a call for each look at one of its properties. */
function watched<T extends object>(object: T, property: keyof T, onLook: () => void): T {
  return new Proxy(object, {
    get: (target, name): unknown => {
      if (name === property) onLook();
      return Reflect.get(target, name, target);
    },
  });
}

test('a policy that a rule names a thousand times is looked at once a record', async () => {
  let looks = 0;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its log
  const { skipped } = DryRunLog.prototype;
  jest.spyOn(DryRunLog.prototype, 'skipped').mockImplementation(function (this: DryRunLog, policies, record) {
    return skipped.call(
      this,
      policies,
      watched(record, 'node', () => looks++),
    );
  });
  const policies = Array.from({ length: 1000 }, () => ({ name: 'P', metadata: { DRY_RUN: 'id' } }));
  const records = [
    { id: 1, ssn: 's' },
    { id: 2, ssn: 's' },
  ];
  const { lines } = await tried(records, { access: [{ ...maskRule('ssn'), policies }] });
  expect(lines).toEqual([line('P', 'id', '1'), line('P', 'id', '2')]);
  expect(looks).toBeLessThan(100);
});

const MANY = Array.from({ length: MAX_LINES + 1 }, (_, id) => ({ id, ssn: 's', name: 'n' }));

/** What is warned of once so many lines are logged. */
function fullAfter(lines: number): readonly string[] {
  return [`Dry runs would have more lines than are logged for one payload {"lines":${lines}}`];
}

describe('a payload with more lines than are logged', () => {
  test.each([
    ['masks', { access: [dry(maskRule('ssn')), maskRule('name')] }],
    [
      'conditional masks',
      {
        access: [maskRule('name')],
        allowed: [
          dry(maskRule('x', { AND: [{ attribute: 'column', operator: 'IN', values: ['ssn', 'id'] }] })),
        ],
      },
    ],
    [
      'filters',
      {
        access: [maskRule('name')],
        denied: [dry({ resourceType: 'columns', actions: [{ action: 'FILTER' }] })],
      },
    ],
  ])(
    'has the first lines, says that there would be more, and is enforced as any other: %s',
    async (_, of) => {
      const { text, skipped, lines, warnings } = await tried(MANY, of);
      expect(lines).toHaveLength(MAX_LINES);
      expect(lines.at(-1)).toBe(line('P', 'id', String(MAX_LINES - 1)));
      expect(skipped).toBe(MAX_LINES);
      expect(warnings).toEqual(fullAfter(lines.length));
      expect(text).toBe(JSON.stringify(MANY.map((record) => ({ ...record, name: '***' }))));
    },
  );

  test('counts a line for each policy', async () => {
    const rules = Array.from({ length: 20 }, (_, policy) => dry(maskRule('ssn'), `P${policy}`));
    const { lines, warnings } = await tried(MANY.slice(0, MAX_LINES / 10), { access: rules });
    expect(lines).toHaveLength(MAX_LINES);
    expect(warnings).toEqual(fullAfter(lines.length));
  });

  test('may have exactly as many', async () => {
    const { lines, warnings } = await tried(MANY.slice(1), { access: [dry(maskRule('ssn'))] });
    expect(lines).toHaveLength(MAX_LINES);
    expect(warnings).toEqual([]);
  });
});

test('what rules in dry run would create is not worked out once there are no more lines', async () => {
  const creating = jest.spyOn(Changes.prototype, 'creating');
  const of = { access: [dry({ ...maskRule('created'), actions: [{ action: 'x' }] })] };
  const records = [...MANY, ...MANY];
  const { lines, text } = await tried(records, of);
  expect(lines).toHaveLength(MAX_LINES);
  expect(text).toBe(JSON.stringify(records));
  // Once more than there are lines, to know that there would be more.
  expect(creating).toHaveBeenCalledTimes(MAX_LINES + 1);
});

describe('a line', () => {
  test('is one for a record and a policy, however many properties and rules have it', async () => {
    const record = { id: 1, ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, 'x'])) };
    const everything = { OR: [{ attribute: 'column', operator: 'STARTS_WITH', values: ['p'] }] };
    const allowed = Array.from({ length: 50 }, (_, policy) =>
      dry(maskRule('x', everything), `P${policy % 25}`),
    );
    const { lines, text } = await tried([record, { ...record, id: 2 }], { allowed });
    expect(lines.toSorted()).toEqual(
      Array.from({ length: 25 }, (_, policy) => [
        line(`P${policy}`, 'id', '1'),
        line(`P${policy}`, 'id', '2'),
      ])
        .flat()
        .toSorted(),
    );
    expect(text).toBe(JSON.stringify([record, { ...record, id: 2 }]));
  });

  test('takes no more reading for a record that many policies identify alike', async () => {
    const access = Array.from({ length: 100 }, (_, policy) => dry(maskRule('ssn'), `P${policy}`));
    const { lines, warnings } = await tried([{ id: 1, ssn: 1, other: 'x'.repeat(100_000) }], { access });
    expect(lines).toHaveLength(100);
    expect(warnings).toEqual([]);
  });

  test('shortens what somebody else chose', async () => {
    const long = 'x'.repeat(1000);
    const shortened = `${'x'.repeat(MAX_QUOTED - 1)}…`;
    const access = [dry(maskRule('ssn'), long, long)];
    const { lines } = await tried([{ [long]: long, ssn: 1 }], { access }, long);
    expect(lines).toEqual([
      `Enforcement by Policy ${shortened} on ${shortened} ${shortened} was skipped for User ${shortened}`,
    ]);
  });

  test('names the first of many values', async () => {
    const values = Array.from({ length: 100_000 }, (_, at) => at);
    const { lines } = await tried([{ ids: values, ssn: 1 }], { access: [dry(maskRule('ssn'), 'P', 'ids')] });
    expect(lines).toEqual([line('P', 'ids', `${values.join(',').slice(0, MAX_QUOTED - 1)}…`)]);
  });

  test('names those of the values that are texts, wherever they are', async () => {
    const { lines } = await tried([{ ids: [{}, 7, [], 'a'], ssn: 1 }], {
      access: [dry(maskRule('ssn'), 'P', 'ids')],
    });
    expect(lines).toEqual([line('P', 'ids', '7,a')]);
  });

  test('names the values of the payload beside those of the record', async () => {
    const { lines } = await tried(
      { json: { other: ['a', 'b'], id: 7 }, ssn: 1 },
      { access: [dry(maskRule('ssn'), 'P', 'json.other')] },
    );
    expect(lines).toEqual([line('P', 'json.other', 'a,b')]);
  });
});

test('a small payload is read as often as policies identify its records by other properties', async () => {
  const access = Array.from({ length: 100 }, (_, at) => dry(maskRule('ssn'), 'P', `p${at}`));
  const { lines, warnings } = await tried([{ p99: 'x'.repeat(1000), p7: 7, ssn: 1 }], { access });
  expect(lines).toHaveLength(100);
  expect(lines).toContain(line('P', 'p7', '7'));
  expect(warnings).toEqual([]);
});

test('records of which much has to be read by many names are identified as far as that is in proportion', async () => {
  const values = Array.from({ length: 200_000 }, (_, at) => at);
  const rules = Array.from({ length: 200 }, (_, at) => dry(maskRule('ssn'), 'P', `${'i*'.repeat(at)}ids`));
  const { lines, warnings, text } = await tried([{ ids: values, ssn: 1 }], {
    access: [...rules, maskRule('ssn')],
  });
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.length).toBeLessThan(40);
  expect(warnings).toEqual(fullAfter(lines.length));
  expect(text).toMatch(/"ssn":null\}\]$/u);
});

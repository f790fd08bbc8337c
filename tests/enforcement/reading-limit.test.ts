import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import type { Ports } from '../../src/enforcement/index.ts';
import { ServiceError } from '../../src/errors.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { enforcedText, portsOn, SETTINGS } from './ports.ts';

const MEGABYTE = 1_000_000;
const TEXT = 'ab'.repeat(MEGABYTE / 2);

interface Compared {
  readonly operator: string;
  readonly type?: string;
  /** What condition number so and so compares the value with. */
  readonly value: (index: number) => string;
}

const CONTAINS: Compared = { operator: 'CONTAINS', value: (index) => `abab${index}` };

/** Masks `ssn` under many conditions on `a` that do not hold, or one that does. */
function decisionOn({ operator, type, value }: Compared, count: number): Buffer {
  const leaves = Array.from({ length: count }, (_, index) => ({
    attribute: 'a',
    operator,
    ...(type !== undefined && { type }),
    values: [value(index)],
  }));
  const holds = { attribute: 'ssn', operator: 'EQUALS', values: ['1'] };
  const tree = {
    AND: [{ attribute: 'column', operator: 'EQUALS', values: ['ssn'] }, { OR: [...leaves, holds] }],
  };
  const actions = [{ action: 'MASK', 'asset-attributes-filter': tree }];
  const privileges = { allowed: [{ resourceType: 'columns', actions }] };
  return Buffer.from(JSON.stringify({ tokenValidity: 0, response: [{ privileges }] }));
}

const records = z.array(z.looseObject({ ssn: z.string() }));

/** What `ssn` of the records became, or the code of the error. */
async function outcome(payload: string, decision: Buffer, more: Partial<Ports> = {}): Promise<unknown> {
  const settings = { ...SETTINGS, attrName: 'column' };
  const made = decisionFrom(decision, settings, NO_MASK_KEYS);
  const ports = { ...portsOn({ decide: () => Promise.resolve(made) }), settings, ...more };
  try {
    const masked = records.parse(JSON.parse(await enforcedText(payload, ports)));
    return [...new Set(masked.map(({ ssn }) => ssn))];
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
}

const EXPLAINED = { explain: { maxExplained: 100, maxBytes: MEGABYTE } };

test.each<[string, string, Compared]>([
  ['a text', `"${TEXT}"`, CONTAINS],
  ['a text with escapes', `"${String.raw`\u0061b`.repeat(MEGABYTE / 8)}"`, CONTAINS],
  ['a number', '1'.repeat(MEGABYTE), { operator: 'LESS', type: 'NUMBER', value: String }],
  [
    'a text that is no date',
    `"${TEXT}"`,
    { operator: 'LESS', type: 'DATE', value: (index) => `${1000 + index}-01-01` },
  ],
  ['a list of long texts', `["${TEXT}","${TEXT}"]`, CONTAINS],
])(
  'a record is refused if too many conditions read %s, and not if some do',
  async (_name, value, compared) => {
    const payload = `[{"a":${value},"ssn":"1"}]`;
    expect(await outcome(payload, decisionOn(compared, 1000))).toBe('enforcement-too-costly');
    expect(await outcome(payload, decisionOn(compared, 1000), EXPLAINED)).toBe('enforcement-too-costly');
    expect(await outcome(payload, decisionOn(compared, 8))).toEqual(['***']);
  },
);

test('an explanation is refused if too many conditions read a long list', async () => {
  const list = JSON.stringify(Array.from({ length: 50_000 }, () => ({ b: 'x' })));
  const equals = { operator: 'EQUALS', value: (index: number) => `q${index}` };
  const decision = decisionOn(equals, 1000).toString().replaceAll('"attribute":"a"', '"attribute":"a.#.b"');
  expect(await outcome(`[{"a":${list},"ssn":"1"}]`, Buffer.from(decision), EXPLAINED)).toBe(
    'enforcement-too-costly',
  );
});

test('what the records of a payload have together does not count', async () => {
  const payload = JSON.stringify(Array.from({ length: 100 }, () => ({ a: TEXT.slice(0, 10_000), ssn: '1' })));
  expect(await outcome(payload, decisionOn(CONTAINS, 200))).toEqual(['***']);
});

test('an explanation reads a value once for all properties of a record that have the same condition', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
  const decision = decisionOn(CONTAINS, 8)
    .toString()
    .replace('"values":["ssn"]', `"values":${JSON.stringify(names)}`)
    .replace('"operator":"EQUALS"', '"operator":"IN"');
  const properties = names.map((name) => `"${name}":1`).join(',');
  expect(
    await outcome(`[{"a":"${TEXT}","ssn":"1",${properties}}]`, Buffer.from(decision), EXPLAINED),
  ).toEqual(['1']);
});

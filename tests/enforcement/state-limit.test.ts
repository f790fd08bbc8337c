import process from 'node:process';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import type { Ports } from '../../src/enforcement/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { enforcedText, portsOn, SETTINGS } from './ports.ts';

/** How fast the machine is does not matter here: the limit of processor time has tests of its own. */
beforeEach(() => void jest.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 }));
afterEach(() => void jest.restoreAllMocks());

const RECORDS = 20_000;

/** Masks properties whose paths lack any of some texts: below each name it matters which of them it contains. */
function masksWithout(texts: readonly string[]): Buffer {
  const actions = texts.map((text) => ({
    action: 'MASK',
    'asset-attributes-filter': { attribute: 'column', operator: 'NOT_CONTAINS', values: [text] },
  }));
  const privileges = { allowed: [{ resourceType: 'columns', actions }] };
  return Buffer.from(JSON.stringify({ tokenValidity: 0, response: [{ privileges }] }));
}

/** Masks each of so many properties. */
function masksEach(count: number): Buffer {
  const access = Array.from({ length: count }, (_, index) => ({
    resourceType: 'columns',
    attributes: { column: `a${index}.b.ssn` },
    actions: [{ action: 'MASK' }],
  }));
  return Buffer.from(JSON.stringify({ tokenValidity: 0, response: [{ access }] }));
}

/** Masks all properties but some. */
function masksAllBut(names: readonly string[]): Buffer {
  const filter = { attribute: 'column', operator: 'NOT_IN', values: names };
  const actions = [{ action: 'MASK', 'asset-attributes-filter': filter }];
  const privileges = { allowed: [{ resourceType: 'columns', actions }] };
  return Buffer.from(JSON.stringify({ tokenValidity: 0, response: [{ privileges }] }));
}

const TEXTS = ['ab', 'cd', 'ef', 'gh', 'ij', 'kl', 'mn', 'op', 'qr', 'st', 'uv', 'wx', 'yz', 'AB', 'CD'];

/** Records with a property each, whose name contains other texts than all others. */
const PAYLOAD = JSON.stringify(
  Array.from({ length: RECORDS }, (_, n) => ({
    [TEXTS.filter((_text, at) => Math.floor(n / 2 ** at) % 2 === 1).join('-')]: { ssn: 'x' },
  })),
);

function masked(payload: string, decision: Buffer, more: Partial<Ports> = {}): Promise<string> {
  const settings = { ...SETTINGS, attrName: 'column' };
  const made = decisionFrom(decision, settings, NO_MASK_KEYS);
  const ports = { ...portsOn({ decide: () => Promise.resolve(made) }), settings, ...more };
  return enforcedText(payload, ports);
}

function masksIn(answer: string): number {
  return answer.split('"***"').length - 1;
}

const REFUSED = { code: 'enforcement-too-costly', message: expect.stringContaining('too many combinations') };

test.each<[string, Partial<Ports>]>([
  ['a payload', {}],
  ['one that is explained', { explain: { maxExplained: 100, maxBytes: 1024 ** 2 } }],
])('%s whose names meet conditions in very many combinations is refused', async (_name, more) => {
  await expect(masked(PAYLOAD, masksWithout(TEXTS), more)).rejects.toMatchObject(REFUSED);
});

test('a payload of as many names is not, if the conditions look for few texts', async () => {
  const answer = await masked(PAYLOAD, masksWithout(TEXTS.slice(0, 8)));
  expect(masksIn(answer)).toBeGreaterThan(RECORDS / 2);
});

test('a payload that follows each of many paths is not', async () => {
  const count = 10_000;
  const payload = JSON.stringify([
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, { b: { ssn: 'x' } }])),
  ]);
  expect(masksIn(await masked(payload, masksEach(count)))).toBe(count);
});

test('a payload that has each of many names that conditions spare is not', async () => {
  const count = 10_000;
  const payload = JSON.stringify([
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, { b: { name: 'x', ssn: 'x' } }])),
  ]);
  const spared = Array.from({ length: count }, (_, n) => `a${n}.b.name`);
  expect(masksIn(await masked(payload, masksAllBut(spared)))).toBe(count);
});

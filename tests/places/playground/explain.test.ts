import { describe, expect, jest, test } from '@jest/globals';
import { openSource } from '../../../src/compose/playground.ts';
import { KEYS_OF_NAMES } from '../../../src/compose/testing.ts';
import { explainer, type PlaygroundRequest } from '../../../src/places/playground/index.ts';
import { decision } from '../../support/decision.ts';

const explain = explainer({ open: openSource, keys: KEYS_OF_NAMES });

const POLICIES = 'policies: [{ name: P, properties: [ssn], action: MASK }]';

/** A question that differs in this from a usual one. */
function bodyOf(question: Partial<PlaygroundRequest>): Buffer {
  const usual: PlaygroundRequest = {
    parameters: {},
    vendor: {},
    claims: '',
    source: { kind: 'policies', text: POLICIES },
    settings: {},
    payload: '{"ssn":"1"}',
  };
  return Buffer.from(JSON.stringify({ ...usual, ...question }));
}

async function answered(question: Partial<PlaygroundRequest>): Promise<unknown> {
  const chunks = await explain(bodyOf(question), new AbortController().signal);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function payload(expected: unknown): unknown {
  return { explanation: expect.objectContaining({ payload: expected }) };
}

function problem(expected: Readonly<Record<string, unknown>>): unknown {
  return { problems: [expect.objectContaining(expected)] };
}

const USER = { entityId: 'jane' };
const CLAIMED =
  'policies: [{ name: P, properties: [ssn], action: MASK, for: { claims: { $.region: [EU] } } }]';
const SCOPED = `scopes: [{ clientId: app, clientSecret: s3cret, entityTypeId: Agent }]\n${POLICIES}`;
const ALLOWING =
  'policies: [{ name: F, action: FILTER, effect: allowed, for: { entityTypes: [Agent] }, when: { attribute: n, operator: EQUALS, values: [1] } }]';

describe('the playground believes its reader', () => {
  test.each([
    ['{ "region": "EU" }', '***'],
    ['{ "region": "US" }', '1'],
  ])('who claims %s', async (claims, ssn) => {
    const source = { kind: 'policies', text: CLAIMED } as const;
    await expect(answered({ source, claims })).resolves.toEqual(payload({ ssn }));
  });

  test('who claims nothing, and is not asked for claims', async () => {
    await expect(answered({ claims: ' ' })).resolves.toEqual(payload({ ssn: '***' }));
  });

  test('who enters a scope, whatever secret is given for it', async () => {
    const source = { kind: 'policies', text: SCOPED } as const;
    const vendor = { clientId: 'app', clientSecret: 'wrong' };
    await expect(answered({ source, vendor })).resolves.toEqual(payload({ ssn: '***' }));
  });
});

test('a change of the settings alone has another answer', async () => {
  const source = { kind: 'policies', text: ALLOWING } as const;
  const question = { source, payload: '[{"n":1},{"n":2}]', vendor: { entityTypeId: 'Clerk' } };
  const before = await answered(question);
  const allowing = await answered({ ...question, settings: { filterDefault: 'allow' } });
  const denying = await answered({ ...question, settings: { filterDefault: 'deny' } });
  expect([before, allowing, denying]).toEqual([payload([]), payload([{ n: 1 }, { n: 2 }]), payload([])]);
});

test('a decision without a filter removes records only if the settings say so', async () => {
  const question = { source: { kind: 'decision', text: decision({}) }, payload: '[{"n":1}]' } as const;
  const usual = await answered(question);
  const denying = await answered({ ...question, settings: { filterDefault: 'deny' } });
  expect([usual, denying]).toEqual([payload([{ n: 1 }]), payload([])]);
});

test('only the sources that were asked about last are kept', async () => {
  const open = jest.fn(openSource);
  const asking = explainer({ open, keys: KEYS_OF_NAMES });
  const questions = Array.from({ length: 5 }, (_, i) =>
    bodyOf({ source: { kind: 'policies', text: `${POLICIES} # ${i}` } }),
  );
  const { signal } = new AbortController();
  await Promise.all(questions.map((body) => asking(body, signal)));
  expect(open).toHaveBeenCalledTimes(5);
  await Promise.all(questions.map((body) => asking(body, signal)));
  const opened = open.mock.calls.length;
  expect(opened).toBeGreaterThan(5);
  await asking(questions.at(-1) ?? bodyOf({}), signal);
  expect(open).toHaveBeenCalledTimes(opened);
});

describe('a problem is one of the part that it is about', () => {
  const ofScope = { kind: 'policies', text: SCOPED } as const;
  test.each<[string, Partial<PlaygroundRequest>, Readonly<Record<string, unknown>>]>([
    ['claims that are a list', { claims: '[]' }, { part: 'user' }],
    ['claims that are no JSON', { claims: '{' }, { part: 'user' }],
    ['a payload that is a text', { payload: '"a"' }, { part: 'payload' }],
    ['a payload that is no JSON', { payload: '{\n,' }, { part: 'payload', line: 2 }],
    ['an unknown scope', { source: ofScope, vendor: { clientId: 'other' } }, { part: 'user' }],
    [
      'a member of vendor',
      { vendor: { entityId: 1 } },
      { part: 'user', message: 'entityId: It has to be a string that is not empty.' },
    ],
    ['a setting', { parameters: { filter: 'perhaps' } }, { part: 'settings' }],
    [
      'a policy file',
      { source: { kind: 'policies', text: '\npolicies: [{ name: P }]' } },
      { part: 'policies', line: 2 },
    ],
    [
      'a decision that is no JSON',
      { source: { kind: 'decision', text: '{\n\n,' } },
      { part: 'policies', line: 3 },
    ],
    [
      'a decision that nests too deep',
      { source: { kind: 'decision', text: '['.repeat(5000) } },
      { part: 'policies' },
    ],
    [
      'rules that are none',
      { source: { kind: 'rules', text: '[1]' }, vendor: USER },
      { part: 'policies', pointer: '' },
    ],
    [
      'rules that deny',
      { source: { kind: 'rules', text: 'false' }, vendor: USER },
      { part: 'policies', code: 'access-denied' },
    ],
    [
      'a place in a decision',
      { source: { kind: 'decision', text: '{"response":[{"access":1}]}' } },
      { part: 'policies', pointer: '/response/0/access' },
    ],
  ])('%s', async (_, question, expected) => {
    await expect(answered(question)).resolves.toEqual(problem(expected));
  });
});

import { describe, expect, test } from '@jest/globals';
import { placesIn, set, valueAt, type Json } from '../../../bench/hostile/places.ts';
import { ServiceError } from '../../../src/errors.ts';
import { MAX_QUOTED } from '../../../src/shortened.ts';
import { pdpSpeaking, type Protocol } from '../../../src/pdp/protocol.ts';
import type { Transport } from '../../../src/pdp/port.ts';
import { authzenEndpoints, authzenProtocol } from '../../../src/pdp/protocols/authzen/index.ts';
import { opaProtocol } from '../../../src/pdp/protocols/opa/index.ts';
import { resolutionProtocol } from '../../../src/pdp/protocols/resolution/index.ts';
import { questionInContext } from '../questions.ts';

const URL_OF_PDP = new URL('http://pdp:1/v1/data/masking');
const AT = { pdpAction: 'read', pdpContext: {}, bareDecision: 'allow', pdpHeaders: [] } as const;
const RULE = {
  properties: ['ssn'],
  action: 'MASK',
  when: { attribute: 'a', operator: 'IN', values: ['x'] },
  metadata: { DRY_RUN: 'id' },
};
const ENTRY = { resourceType: 'columns', attributes: { column: ['ssn'] }, actions: [{ action: 'MASK' }] };
const TREE = { attribute: 'column', operator: 'EQUALS', values: ['iban'] };
const PRIVILEGE = {
  resourceType: 'columns',
  actions: [{ action: 'MASK', 'asset-attributes-filter': TREE }],
};

const CASES: Record<string, readonly [Protocol, Json]> = {
  'the resolution protocol': [
    resolutionProtocol({ resolution: URL_OF_PDP, token: URL_OF_PDP }),
    { response: [{ access: [ENTRY], privileges: { allowed: [PRIVILEGE], denied: [PRIVILEGE] } }] },
  ],
  "OPA's data API": [
    opaProtocol({ ...AT, url: URL_OF_PDP }),
    { result: { allow: true, rules: [RULE] }, metrics: {} },
  ],
  "OPA's compile API": [
    opaProtocol({ ...AT, url: new URL('http://pdp:1/v1/compile/filters/include') }),
    {
      result: {
        query: { type: 'field', operator: 'eq', field: 'tickets.country', value: 'US' },
        masks: { tickets: { ssn: { replace: { value: 'x' } } } },
      },
    },
  ],
  AuthZEN: [
    authzenProtocol({
      ...AT,
      endpoints: authzenEndpoints(URL_OF_PDP),
      authzen: { properties: undefined, obligations: true, batch: 2 },
    }),
    {
      decision: true,
      context: { obligations: [{ id: 'o', type: 'filter', properties: { filter: { rules: [RULE] } } }] },
    },
  ],
};

const ASSET = 'ACC-4711';
/** Identifiers that names of any format have in them, and are no name of one. */
const PARTS_OF_WORDS = ['a', 'e', 'o', 't', 'r'];
const TOKEN = 'c2VjcmV0LXRva2Vu';
/** Nobody asked about it, but it is no word of any format. */
const ADDRESS = 'jane doe@example.com';

const QUESTION = questionInContext(
  { clientId: 'app', entityId: 'jane' },
  { type: 'Account', ids: [ASSET, ...PARTS_OF_WORDS] },
  { headers: [['authorization', `Bearer ${TOKEN}`]] },
);

/** Answers in which a name is that of a member somewhere, or a text, and nothing else has changed. */
function* answersWith(name: string, answer: Json): Generator<Json> {
  for (const at of placesIn([answer]).keys()) {
    for (const value of [name, { [name]: { rules: 1 } }, { [name]: null }, [{ [name]: [] }]]) {
      const whole = [structuredClone(answer)];
      const place = placesIn(whole)[at];
      if (place === undefined) continue;
      const before = valueAt(place);
      const isBeside = typeof value === 'object' && !Array.isArray(value) && isMembers(before);
      set(place, isBeside ? { ...before, ...value } : value);
      yield whole[0] ?? null;
    }
  }
}

/** The text of an answer with a member twice. */
function withTwice(name: string, answer: Json): string {
  return `{"${name}":1,"${name}":2,${JSON.stringify(answer).slice(1)}`;
}

function isMembers(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is thrown when the answer is read; undefined if it is a decision. */
async function failureOf(protocol: Protocol, text: string): Promise<ServiceError | undefined> {
  const transport: Transport = {
    decide: async ({ messages }) => messages.map(() => Buffer.from(text)),
    connection: async () => ({ connected: true }),
    close: async () => undefined,
  };
  try {
    void (await pdpSpeaking(protocol, transport).decide(QUESTION)).rules;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function saidBy({ message, callerDetail, errors, headers, callerHeaders, cause }: ServiceError): string {
  return JSON.stringify([message, callerDetail, errors, headers, callerHeaders, String(cause)]);
}

describe.each(Object.entries(CASES))('An error about an answer of %s', (_, [protocol, answer]) => {
  test.each([ASSET, TOKEN, ADDRESS])('never quotes %s, wherever it is a name or a text', async (name) => {
    const answers = [...answersWith(name, answer)].map((one) => JSON.stringify(one));
    const failures = await Promise.all(answers.map((text) => failureOf(protocol, text)));
    const said = failures.filter((failure) => failure !== undefined).map(saidBy);
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((text) => text.includes(name))).toEqual([]);
  });

  test('names the place of what is wrong, if nothing confidential leads there', async () => {
    const answers = [...answersWith('other', answer)].map((one) => JSON.stringify(one));
    const failures = await Promise.all(answers.map((text) => failureOf(protocol, text)));
    const places = failures.filter((failure) => failure?.message.includes('/'));
    expect(places.length).toBeGreaterThan(10);
  });

  test('names a member that occurs twice, unless that is confidential', async () => {
    const failure = await failureOf(protocol, withTwice('other', answer));
    expect(failure?.message).toContain('at /other');
    for (const name of [ASSET, TOKEN, ADDRESS]) {
      // oxlint-disable-next-line no-await-in-loop -- three
      const hidden = await failureOf(protocol, withTwice(name, answer));
      expect(hidden && saidBy(hidden)).not.toContain(name);
    }
  });
});

test('shows no more of a place than of other texts', async () => {
  const name = 'x'.repeat(60);
  const text = `{"decision":true,${`"${name}":{`.repeat(20)}"obligations":[0]${'}'.repeat(21)}`;
  const [protocol] = CASES['AuthZEN'] ?? [];
  const failure = protocol && (await failureOf(protocol, text));
  expect(failure?.message).toContain(`at ${`/${name}`.repeat(20).slice(0, MAX_QUOTED - 1)}….`);
});

import { describe, expect, test } from '@jest/globals';
import { readTokenObject, type JsonDocument } from '../../../src/core/index.ts';
import type { Question } from '../../../src/enforcement/question.ts';
import { opaProtocol, type OpaSettings } from '../../../src/pdp/protocols/opa/index.ts';
import { questionInContext, questionOf } from '../questions.ts';

const JANE = { entityId: 'jane' };

function protocol(path: string, settings: Partial<OpaSettings> = {}) {
  const url = new URL(path, 'http://opa:8181');
  return opaProtocol({
    url,
    pdpAction: 'read',
    pdpContext: {},
    pdpHeaders: [],
    bareDecision: 'refuse',
    ...settings,
  });
}

/** The claims of a verified token. */
function claimsIn(json: string): JsonDocument {
  const claims = readTokenObject(Buffer.from(json));
  if (claims === undefined) throw new Error(`No claims: ${json}`);
  return claims;
}

function textOf(question: Question): string {
  const [message] = protocol('/v1/data/x').ask(question);
  return Buffer.from(message?.body ?? []).toString();
}

function inputOf(question: Question, settings: Partial<OpaSettings> = {}): unknown {
  const [message] = protocol('/v1/data/x', settings).ask(question);
  return JSON.parse(Buffer.from(message?.body ?? []).toString());
}

describe('the input of a policy', () => {
  test('names who asks, for what, and passes the rest of vendor on in its context', () => {
    const vendor = { ...JANE, entityTypeId: 'Agent', clientId: 'a', environment: { x: [1] } };
    expect(inputOf(questionOf(vendor))).toEqual({
      input: {
        subject: { type: 'Agent', id: 'jane' },
        action: { name: 'read' },
        resource: { type: 'columns', id: 'columns' },
        context: { vendor: { clientId: 'a', environment: { x: [1] } } },
      },
    });
  });

  test('has what is configured, unless the caller says otherwise', () => {
    const settings = { pdpAction: 'view', pdpContext: { purpose: 'support', region: 'eu' } };
    expect(inputOf(questionOf({ ...JANE, context: { region: 'us' } }, {}), settings)).toMatchObject({
      input: { action: { name: 'view' }, context: { region: 'us', purpose: 'support' } },
    });
  });

  test('has nothing of a configured key without a value', () => {
    const pdpContext = {
      purpose: undefined,
      other: { region: undefined },
      large: 1e21,
      exact: 9_007_199_254_740_991,
    };
    const input = inputOf(questionOf(JANE, {}), { pdpAction: 'view', pdpContext });
    expect(input).toMatchObject({
      input: { context: { other: {}, large: 1e21, exact: 9_007_199_254_740_991 } },
    });
    expect(JSON.stringify(input)).not.toContain('purpose');
  });

  test('lists the assets in context mode, also next to a resource of the caller', () => {
    const assets = { type: 'Customer', ids: ['1', 'ü"'] };
    expect(inputOf(questionInContext(JANE, assets))).toMatchObject({
      input: { resource: { type: 'Customer', id: 'columns', ids: ['1', 'ü"'] } },
    });
    const own = { ...JANE, resource: { type: 'x', ids: ['other'] } };
    expect(inputOf(questionInContext(own, assets))).toMatchObject({
      input: { resource: { type: 'x', ids: ['1', 'ü"'] } },
    });
    expect(inputOf(questionInContext({ ...JANE, resource: {} }, assets))).toMatchObject({
      input: { resource: { ids: ['1', 'ü"'] } },
    });
  });

  test('has the headers that are configured, and no others', () => {
    const headers = [
      ['Authorization', 'Bearer x'],
      ['X-Tenant', 'a'],
      ['x-tenant', 'b'],
    ] as const;
    expect(inputOf(questionOf(JANE, { headers }))).not.toHaveProperty('input.headers');
    expect(inputOf(questionOf(JANE, { headers }), { pdpHeaders: ['X-Tenant', 'X-None'] })).toMatchObject({
      input: { headers: { 'x-tenant': 'a, b' } },
    });
  });

  test('has no other header next to those that are configured', () => {
    const headers = [
      ['Authorization', 'Bearer x'],
      ['Cookie', 'session=y'],
      ['X-Tenant', 'a'],
    ] as const;
    const input = inputOf(questionOf(JANE, { headers }), { pdpHeaders: ['X-Tenant'] });
    expect(input).toHaveProperty('input.headers', { 'x-tenant': 'a' });
  });

  test('has the identifiers of the payload alone, once, also if the caller writes others', () => {
    const own = { ...JANE, resource: { type: 'x', ids: ['other'] } };
    const text = textOf(questionInContext(own, { type: 'Customer', ids: ['1'] }));
    expect(text.split('"ids"')).toHaveLength(2);
    expect(text).not.toContain('other');
  });

  test('has the subject of a verified token if the caller names nobody', () => {
    const claims = { sub: 'jane', role: 'agent' };
    expect(inputOf(questionOf({}, { claims: claimsIn(JSON.stringify(claims)) }))).toMatchObject({
      input: { subject: { type: 'user', id: 'jane', properties: claims } },
    });
  });

  test.each(['12345678901234567890', '1.10', '-0', '1e400', '"\\u00e4\\/"', '{"__proto__":[0.30]}'])(
    'has the claim %s of the token as it is written',
    (claim) => {
      const claims = `{"sub":"jane", "x":${claim}}`;
      const subject = `"subject":{"type":"user","id":"jane","properties":${claims}}`;
      expect(textOf(questionOf({}, { claims: claimsIn(claims) }))).toContain(subject);
    },
  );

  test.each(['{}', '{"sub":""}', '{"sub":7}', '{"sub":null}', '{"sub":["jane"]}', '{"sub":{"id":"jane"}}'])(
    'has no subject if the caller names nobody and the claims are %s',
    (claims) => {
      expect(() => textOf(questionOf({}, { claims: claimsIn(claims) }))).toThrow(
        expect.objectContaining({ code: 'request-invalid' }),
      );
    },
  );

  test.each([
    ['nobody', {}, '/vendor/subject'],
    ['an empty name', { entityId: '' }, '/vendor/subject'],
    ['an object for a name', { entityId: {} }, '/vendor/entityId'],
    ['a subject that is text', { subject: 'jane' }, '/vendor/subject'],
    ['a context that is a list', { ...JANE, context: [] }, '/vendor/context'],
    [
      'a vendor in the context beside others',
      { ...JANE, a: 1, context: { vendor: {} } },
      '/vendor/context/vendor',
    ],
  ])('cannot be built with %s', (_case, vendor, pointer) => {
    expect(() => inputOf(questionOf(vendor))).toThrow(
      expect.objectContaining({ code: 'request-invalid', errors: [expect.objectContaining({ pointer })] }),
    );
  });

  test('keeps the digits of numbers as the caller wrote them', () => {
    const [message] = protocol('/v1/data/x').ask(questionOf({ subject: { id: 1 }, a: 1 }));
    expect(String(message?.body)).toContain('"subject":{"id":1}');
  });
});

function reading(
  path: string,
  answer: unknown,
  settings: Partial<OpaSettings> = {},
  question = questionOf(JANE),
) {
  return protocol(path, settings).read([Buffer.from(JSON.stringify(answer))], question);
}

describe('an answer of the data API is not understood if', () => {
  test.each([
    ['the document is undefined', {}, '/result'],
    ['the result is null', { result: null }, '/result'],
    ['the result is a text', { result: 'yes' }, '/result'],
    ['the result is a list of rules', { result: [] }, '/result'],
    ['allow is a text', { result: { allow: 'false', rules: [] } }, '/result/allow'],
    ['allow is null', { result: { allow: null, rules: [] } }, '/result/allow'],
    ['the rules are null', { result: { rules: null } }, '/result/rules'],
    ['something unknown is next to the rules', { result: { rules: [], mask: [] } }, '/result/mask'],
    ['rules are next to a decision', { result: { rules: [], response: [] } }, '/result'],
    ['a response is next to data', { result: { response: [], data: {} } }, '/result'],
    ['a response is next to data that is null', { result: { response: [], data: null } }, '/result'],
    [
      'a misspelt denial is next to a response',
      { result: { response: [], allowed: false } },
      '/result/allowed',
    ],
    [
      'a denial that lacks a letter is next to a response',
      { result: { response: [], alow: false } },
      '/result/alow',
    ],
    ['the answer is a list', [], undefined],
  ])('%s', (_case, answer, pointer) => {
    expect(() => reading('/v1/data/x', answer)).toThrow(
      expect.objectContaining({
        code: 'decision-not-understood',
        message: expect.stringContaining(pointer === undefined ? 'no object.' : `at ${pointer}.`),
      }),
    );
  });

  test('it nests too deeply', () => {
    const deep = Array.from({ length: 1100 }).reduce<unknown>((inside) => [inside], []);
    expect(() => reading('/v1/data/x', { result: { rules: [], reason: deep } })).toThrow(
      expect.objectContaining({
        code: 'decision-not-understood',
        message: expect.stringContaining('it nests too deeply'),
      }),
    );
  });

  test('it permits without rules, which may be configured to be fine', () => {
    expect(() => reading('/v1/data/x', { result: {} })).toThrow('bareDecision');
    expect(reading('/v1/data/x', { result: { allow: true } }, { bareDecision: 'allow' }).properties).toEqual(
      [],
    );
  });

  test.each([[true], [{ allow: true }]])('it is %j, which has to be configured to be fine', (result) => {
    expect(() => reading('/v1/data/x', { result })).toThrow('bareDecision');
    expect(reading('/v1/data/x', { result }, { bareDecision: 'allow' }).properties).toEqual([]);
  });

  test.each([
    { allow: true, is_admin: false },
    { allow: true, deny: [] },
    { user: 'jane', roles: ['a'], action: 'read', masks: {} },
  ])('a permit without rules may say something else: %j', (result) => {
    expect(reading('/v1/data/x', { result }, { bareDecision: 'allow' }).properties).toEqual([]);
  });

  test.each<[string, object]>([
    ['ruels', { ruels: [{ properties: ['ssn'] }] }],
    ['note', { note: { properties: ['ssn'], action: 'MASK' } }],
    ['access', { access: [{ resourceType: 'columns' }] }],
    ['respons', { respons: [{}] }],
    ['alow', { alow: false }],
    ['denied', { allow: true, denied: true }],
    ['deny', { allow: true, deny: ['not at night'] }],
    ['reason', { allow: true, reason: { properties: ['ssn'], action: 'MASK' } }],
    ['reason', { allow: true, reason: '{"rules":[{"properties":["ssn"],"action":"MASK"}]}' }],
    ['note', { allow: true, note: '{"rules":[{"properties":["ssn"],"action":"MASK"}]}' }],
    ['authz/allow', { authz: { allow: false } }],
    ['checks/0/denied', { allow: true, checks: [{ denied: true }] }],
    ['masks', { query: {}, masks: { columns: { ssn: { replace: { value: 1 } } } } }],
  ])('a permit without rules must not lose any in another part: %s', (name, result) => {
    expect(() => reading('/v1/data/x', { result }, { bareDecision: 'allow' })).toThrow(`/result/${name}`);
  });
});

test.each([
  { properties: ['ssn'], action: 'MASK' },
  { allow: true, action: 'MASK', properties: ['ssn'] },
  { allow: true, redact_fields: ['ssn'] },
  { allow: true, replace: { value: '***' } },
])('a rule in the place of a permit without rules is refused: %j', (result) => {
  expect(() => reading('/v1/data/x', { result }, { bareDecision: 'allow' })).toThrow(
    expect.objectContaining({ code: 'decision-not-understood', message: expect.stringContaining('/result') }),
  );
});

/** What the log gets, and the caller if there is no reason that may be passed on. */
const DENIED = 'The PDP denies the request.';

const RULES_AS_TEXT = '{"rules":[{"properties":["ssn"],"action":"MASK"}]}';
const RESPONSE = [{ access: [] }];

test.each<[string, object]>([
  ['/rules', { result: { rules: [] }, rules: ['x'] }],
  ['/Rules', { result: { rules: [] }, Rules: { x: 1 } }],
  ['/response', { result: { rules: [] }, response: ['x'] }],
  ['/respnse', { result: { rules: [] }, respnse: ['x'] }],
  ['/result/reason', { result: { rules: [], reason: RULES_AS_TEXT } }],
  ['/result/reason', { result: { response: RESPONSE, reason: RULES_AS_TEXT } }],
  ['/result/Rules', { result: { response: RESPONSE, Rules: ['x'] } }],
  ['/result/respnse', { result: { response: RESPONSE, respnse: ['x'] } }],
])('what may be meant and is not read there is refused: %s', (pointer, answer) => {
  expect(() => reading('/v1/data/x', answer)).toThrow(
    expect.objectContaining({
      code: 'decision-not-understood',
      message: expect.stringContaining(`at ${pointer}.`),
    }),
  );
});

describe('a denial of the data API', () => {
  test.each([
    ['short text', 'not at night', 'not at night'],
    ['long text', 'x'.repeat(500), DENIED],
    ['empty text', '', DENIED],
    ['an object', { a: 1 }, DENIED],
    ['text on several lines', 'a\nb', DENIED],
  ])('says why to the caller alone, if that is short text: %s', (_case, reason, callerDetail) => {
    expect(() => reading('/v1/data/x', { result: { allow: false, reason, rules: [] } })).toThrow(
      expect.objectContaining({ code: 'access-denied', message: DENIED, callerDetail }),
    );
  });

  test('does not repeat a secret of the caller', () => {
    const question = questionOf({ ...JANE, clientSecret: 'very-s3cret' });
    const answer = { result: { allow: false, reason: 'wrong very-s3cret' } };
    expect(() => reading('/v1/data/x', answer, {}, question)).toThrow(
      expect.objectContaining({ message: DENIED, callerDetail: DENIED }),
    );
  });
});

describe('an answer of the compile API is not understood if', () => {
  const field = { type: 'field', operator: 'eq', field: 'columns.a', value: 1 };
  test.each([
    ['the result is a text', { result: 'x' }, '/result'],
    ['the query is a list', { result: { query: [] } }, '/result/query'],
    ['the query is null', { result: { query: null } }, '/result/query'],
    ['the result has something unknown', { result: { query: {}, mask: {} } }, '/result/mask'],
    [
      'a condition has an unknown type',
      { result: { query: { ...field, type: 'document' } } },
      '/result/query/type',
    ],
    [
      'an operator is unknown',
      { result: { query: { ...field, operator: 'like' } } },
      '/result/query/operator',
    ],
    ['an operator is an object', { result: { query: { ...field, operator: {} } } }, '/result/query/operator'],
    [
      'two fields are compared',
      { result: { query: { ...field, value: { field: 'columns.b' } } } },
      '/result/query/value',
    ],
    [
      'something is compared with null',
      { result: { query: { ...field, value: null } } },
      '/result/query/value',
    ],
    [
      'a value is missing',
      { result: { query: { type: 'field', operator: 'eq', field: 'a' } } },
      '/result/query/value',
    ],
    ['a list is compared', { result: { query: { ...field, value: [1] } } }, '/result/query/value'],
    ['in has no list', { result: { query: { ...field, operator: 'in' } } }, '/result/query/value'],
    [
      'text is looked for in a number',
      { result: { query: { ...field, operator: 'contains' } } },
      '/result/query/value',
    ],
    [
      'booleans are ordered',
      { result: { query: { ...field, operator: 'lt', value: true } } },
      '/result/query/value',
    ],
    [
      'a compound is empty',
      { result: { query: { type: 'compound', operator: 'or', value: [] } } },
      '/result/query/value',
    ],
    [
      'not has two parts',
      { result: { query: { type: 'compound', operator: 'not', value: [field, field] } } },
      '/result/query/value',
    ],
    [
      'a part is empty',
      { result: { query: { type: 'compound', operator: 'and', value: [{}] } } },
      '/result/query/value/0/type',
    ],
    [
      'a condition has something unknown',
      { result: { query: { ...field, negated: true } } },
      '/result/query/negated',
    ],
    [
      'a compound has something unknown',
      { result: { query: { type: 'compound', operator: 'and', value: [field], negated: true } } },
      '/result/query/negated',
    ],
    ['a query is beside the result', { result: { query: {} }, query: { a: 1 } }, '/query'],
    ['masks are beside the result', { result: { query: {} }, masks: { columns: { a: {} } } }, '/masks'],
    ['masks are a list', { result: { query: {}, masks: [] } }, '/result/masks'],
    [
      'a mask is a text',
      { result: { query: {}, masks: { columns: { a: 'x' } } } },
      '/result/masks/columns/a',
    ],
    [
      'a mask is unknown',
      { result: { query: {}, masks: { columns: { a: { hash: {} } } } } },
      '/result/masks/columns/a/hash',
    ],
    [
      'a replacement is null',
      { result: { query: {}, masks: { columns: { a: { replace: null } } } } },
      '/result/masks/columns/a/replace',
    ],
    [
      'a replacement has something unknown',
      { result: { query: {}, masks: { columns: { a: { replace: { val: 1 } } } } } },
      '/result/masks/columns/a/replace/val',
    ],
  ])('%s', (_case, answer, pointer) => {
    expect(() => reading('/v1/compile/x', answer)).toThrow(
      expect.objectContaining({
        code: 'decision-not-understood',
        message: expect.stringContaining(`at ${pointer}.`),
      }),
    );
  });
});

/** A question of enforcement that filters nothing. */
function unfiltered(): Question {
  return questionOf(JANE, { settings: { ...questionOf(JANE).settings, filter: false } });
}

test.each([
  [{}, 1],
  [{ result: {} }, 1],
  [{ result: { masks: {} } }, 1],
  [{ result: { query: {} } }, 0],
])('with filtering off, no record stays if the compile API answers no query: %j', (answer, filters) => {
  expect(reading('/v1/compile/x', answer, {}, unfiltered()).filters).toHaveLength(filters);
});

test.each([
  ['columns', "$['ssn']"],
  ['columns', 'a*'],
  ['columns', 'a?'],
  ['columns', '#'],
  ['columns', String.raw`a\b`],
  ['columns2', 'ssn'],
  ['column', 'ssn'],
])('a mask is about the property of exactly its table and column: %s, %s', (table, column) => {
  const names = table === 'columns' ? [column] : [table, column];
  const answer = { result: { query: {}, masks: { [table]: { [column]: { replace: { value: 'x' } } } } } };
  expect(reading('/v1/compile/x', answer).properties).toMatchObject([
    { about: { properties: [names.map((name) => ({ kind: 'name', name }))] } },
  ]);
});

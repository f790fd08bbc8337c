import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/enforcement/question.ts';
import {
  authzenEndpoints,
  authzenProtocol,
  type AuthzenSettings,
} from '../../../src/pdp/protocols/authzen/index.ts';
import { questionInContext, questionOf } from '../questions.ts';

const JANE = { entityId: 'jane' };
const PLAIN: AuthzenSettings['authzen'] = { properties: undefined, obligations: false, batch: 2 };
const ASSETS = { type: 'Customer', ids: ['1', '2', '3'] };

function protocol(
  authzen: Partial<AuthzenSettings['authzen']> = {},
  bareDecision: 'refuse' | 'allow' = 'refuse',
) {
  const endpoints = authzenEndpoints(new URL('http://pdp:1'));
  return authzenProtocol({
    endpoints,
    pdpAction: 'read',
    pdpContext: {},
    bareDecision,
    authzen: { ...PLAIN, ...authzen },
  });
}

function asked(question: Question, authzen: Partial<AuthzenSettings['authzen']> = {}): readonly unknown[] {
  return protocol(authzen)
    .ask(question)
    .map(({ url, body }) => [url.pathname, JSON.parse(Buffer.from(body).toString())]);
}

function reading(answers: readonly unknown[], question: Question, ...settings: Parameters<typeof protocol>) {
  return protocol(...settings).read(
    answers.map((answer) => Buffer.from(JSON.stringify(answer))),
    question,
  );
}

function obligation(type: unknown, properties: unknown): unknown {
  return { decision: true, context: { obligations: [{ id: 'o', type, properties }] } };
}

test.each([
  ['http://pdp:1', '/access/v1/evaluation', '/access/v1/evaluations'],
  ['http://pdp:1/tenant/evaluation', '/tenant/evaluation', '/tenant/evaluations'],
])('the endpoints at %s are %s and %s', (address, ...paths) => {
  const { evaluation, evaluations } = authzenEndpoints(new URL(address));
  expect([evaluation.pathname, evaluations.pathname]).toEqual(paths);
});

function resources(type: string, ...ids: readonly string[]): unknown {
  return { evaluations: ids.map((id) => ({ resource: { type, id } })) };
}

/** The resource of a message, next to its evaluations. */
function resourceIn(message: unknown): unknown {
  return Array.isArray(message) ? message[1].resource : undefined;
}

function vendorOf(megabytes: number): unknown {
  return { ...JANE, note: 'x'.repeat(megabytes * 2 ** 20) };
}

describe('what is asked', () => {
  test('is one evaluation, unless properties are configured', () => {
    expect(asked(questionOf(JANE))).toMatchObject([
      ['/access/v1/evaluation', { resource: { id: 'columns' } }],
    ]);
    expect(asked(questionOf(JANE), { properties: [] })).toEqual([]);
  });

  test('is each property and each asset, in batches, each with an id of its own', () => {
    const properties = ['a', 'b', 'c'].map((path) => ({ path, action: 'MASK' }));
    const messages = asked(questionInContext(JANE, ASSETS), { properties });
    expect(messages).toMatchObject([
      ['/access/v1/evaluations', resources('columns', 'a', 'b')],
      ['/access/v1/evaluations', resources('columns', 'c')],
      ['/access/v1/evaluations', resources('Customer', '1', '2')],
      ['/access/v1/evaluations', resources('Customer', '3')],
    ]);
  });

  test('is to be answered for each of several, also after one that is denied', () => {
    const properties = ['a', 'b'].map((path) => ({ path, action: 'MASK' }));
    expect(asked(questionOf(JANE), { properties })).toMatchObject([
      ['/access/v1/evaluations', { options: { evaluations_semantic: 'execute_all' } }],
    ]);
  });

  test('is refused if there is nothing to ask, unless a bare permit is allowed', () => {
    const properties = { properties: [] };
    expect(() => reading([], questionOf(JANE), properties)).toThrow('authzen.properties is empty');
    expect(reading([], questionOf(JANE), properties, 'allow').properties).toEqual([]);
  });

  test('is refused if batches would repeat too much of vendor', () => {
    const ids = Array.from({ length: 4 }, (_, i) => `${i}`);
    const ask = (megabytes: number, count: number) =>
      asked(questionInContext(vendorOf(megabytes), { type: 'Customer', ids: ids.slice(0, count) }), {
        properties: [],
      }).length;
    expect([ask(7, 4), ask(9, 2)]).toEqual([2, 1]);
    expect(() => ask(9, 4)).toThrow(
      expect.objectContaining({
        code: 'request-invalid',
        errors: [expect.objectContaining({ pointer: '/vendor' })],
      }),
    );
  });

  test('is, next to assets, what their records are', () => {
    const messages = asked(questionInContext(JANE, ASSETS), { properties: [{ path: 'a', action: 'MASK' }] });
    expect(messages.map((one) => resourceIn(one))).toEqual([
      undefined,
      { type: 'Customer', id: 'columns' },
      { type: 'Customer', id: 'columns' },
    ]);
  });
});

test.each([
  ['nothing else', {}],
  ['obligations that could be fulfilled', obligation('filter', { filter: { rules: [] } })],
])(
  'a decision that is false is a denial, also with %s, and where bare permits are allowed',
  (_case, others) => {
    expect(() => reading([{ ...Object(others), decision: false }], questionOf(JANE), {}, 'allow')).toThrow(
      expect.objectContaining({ code: 'access-denied', message: 'The PDP denies access.' }),
    );
  },
);

describe('an obligation', () => {
  test.each([
    ['of another type', obligation('step-up', {}), 'of type step-up'],
    ['without a type', obligation(undefined, {}), 'without a type'],
    ['whose type is long', obligation('x'.repeat(100), {}), 'without a type that can be named'],
    ['of another vendor', obligation('custom', { vendor: 'other', rules: [] }), 'of type custom'],
    [
      'with more than rules',
      obligation('custom', { vendor: 'authz-jsonmasking', rules: [], scope: 'x' }),
      'of type custom',
    ],
    [
      'with a rule that cannot be read',
      obligation('filter', { filter: { rules: [{ wehn: 1 }] } }),
      'of type filter',
    ],
    [
      'with more than a filter',
      obligation('filter', { filter: { rules: [] }, scope: 'x' }),
      'of type filter',
    ],
    [
      'with a filter of two forms',
      obligation('filter', { filter: { rules: [], redact_fields: [] } }),
      'of type filter',
    ],
  ])('%s is a denial', (_case, answer, text) => {
    expect(() => reading([answer], questionOf(JANE))).toThrow(
      expect.objectContaining({ code: 'access-denied', message: expect.stringContaining(text) }),
    );
  });

  test.each([
    ['ssn', '/redact_fields.'],
    [['ssn', 5], '/redact_fields/1.'],
    [['ssn', 'a..b'], '/redact_fields/1.'],
    [[''], '/redact_fields/0.'],
  ])('whose redact_fields are %j names the place', (fields, place) => {
    const answer = obligation('filter', { filter: { redact_fields: fields } });
    expect(() => reading([answer], questionOf(JANE))).toThrow(
      ` at /context/obligations/0/properties/filter${place}`,
    );
  });

  test('on one of several evaluations is a denial, because nobody would fulfil it', () => {
    const [answer] = [obligation('filter', { filter: { rules: [] } })];
    const properties = [{ path: 'a', action: 'MASK' }];
    expect(() => reading([{ evaluations: [answer] }], questionOf(JANE), { properties })).toThrow(
      expect.objectContaining({ code: 'access-denied' }),
    );
  });
});

describe('beside the answers to several evaluations', () => {
  const options = { properties: [{ path: 'a', action: 'MASK' }] };
  const allowed = { evaluations: [{ decision: true }] };

  test('an obligation is a denial', () => {
    const context = { obligations: [{ type: 'filter', properties: { filter: { redact_fields: ['b'] } } }] };
    expect(() => reading([{ ...allowed, context }], questionOf(JANE), options)).toThrow(
      expect.objectContaining({ code: 'access-denied' }),
    );
  });

  test.each([
    ['obligations', { obligations: [{}] }, '/obligations'],
    ['a decision', { decision: false }, '/decision'],
    ['no decision', { decision: null }, '/decision'],
    [
      'outputs',
      { context: { 'cerbos.response': { results: [{ outputs: [{ val: { rules: [{}] } }] }] } } },
      '/context/cerbos.response/results/0/outputs/0/val/rules',
    ],
  ])('%s are not understood', (_case, members, place) => {
    expect(() => reading([{ ...allowed, ...members }], questionOf(JANE), options)).toThrow(
      notUnderstoodAt(place),
    );
  });

  test.each([[[]], [[{ decision: true }, { decision: false }]]])(
    'as many as were asked for are understood, and not %j',
    (evaluations) => {
      expect(() => reading([{ evaluations }], questionOf(JANE), options)).toThrow(
        notUnderstoodAt('/evaluations'),
      );
    },
  );

  test('what says nothing more is read', () => {
    const beside = { decision: true, context: { obligations: [] }, id: 'x' };
    expect(reading([{ ...allowed, ...beside }], questionOf(JANE), options)).toMatchObject({ properties: [] });
  });
});

function notUnderstoodAt(place: string): unknown {
  return expect.objectContaining({
    code: 'decision-not-understood',
    message: expect.stringContaining(` at ${place}.`),
  });
}

describe('obligations where none are read are refused, because nobody would fulfil them:', () => {
  const list = [{ id: 'o', type: 'filter', properties: { filter: { redact_fields: ['ssn'] } } }];

  test.each([
    ['misspelt', { context: { obligation: list } }, '/context/obligation'],
    ['in other letters', { context: { Obligations: list, obligations: list } }, '/context/Obligations'],
    ['outside of the context', { context: {}, obligations: list }, '/obligations'],
  ])('%s', (_case, members, place) => {
    const answer = { decision: true, ...members };
    expect(() => reading([answer], questionOf(JANE), {}, 'allow')).toThrow(notUnderstoodAt(place));
    const properties = [{ path: 'a', action: 'MASK' }];
    expect(() => reading([{ evaluations: [answer] }], questionOf(JANE), { properties })).toThrow(
      notUnderstoodAt(`/evaluations/0${place}`),
    );
  });
});

test.each([['true'], ['false'], [1], [null], [undefined]])(
  'a decision that is no boolean is not understood: %j',
  (decision) => {
    expect(() => reading([{ decision }], questionOf(JANE), {}, 'allow')).toThrow(
      notUnderstoodAt('/decision'),
    );
    const answer = { evaluations: [{ decision }] };
    const properties = [{ path: 'a', action: 'MASK' }];
    expect(() => reading([answer], questionOf(JANE), { properties })).toThrow(
      notUnderstoodAt('/evaluations/0/decision'),
    );
  },
);

test.each<[object, string]>([
  [{ Decision: false }, '/Decision'],
  [{ allow: false }, '/allow'],
  [{ effect: 'DENY' }, '/effect'],
  [{ denied: true }, '/denied'],
])('a denial beside the decision is refused: %j', (denial, place) => {
  const answer = { decision: true, ...denial };
  expect(() => reading([answer], questionOf(JANE), {}, 'allow')).toThrow(notUnderstoodAt(place));
  const properties = [{ path: 'a', action: 'MASK' }];
  expect(() => reading([{ evaluations: [answer] }], questionOf(JANE), { properties })).toThrow(
    notUnderstoodAt(`/evaluations/0${place}`),
  );
});

test.each<[object]>([
  [{ counts: { obligations: 2 } }],
  [{ meta: { obligations: [], Obligation: {} } }],
  [{ trace: { obligations: true } }],
])('what has the name of obligations and none in it is for others: %j', (others) => {
  const answer = { decision: true, context: others, ...others };
  expect(reading([answer], questionOf(JANE), {}, 'allow').properties).toEqual([]);
});

/** The answers about three assets, of which the second is denied. */
function permitting(one: unknown): readonly unknown[] {
  return [{ evaluations: [one, { decision: false }] }, { evaluations: [one] }];
}

describe('in context mode', () => {
  const question = questionInContext(JANE, ASSETS);
  const batches = [
    { evaluations: [{ decision: true }, { decision: false }] },
    { evaluations: [{ decision: true }] },
  ];

  test('the records of denied assets go, and those without an allowed one', () => {
    expect(reading(batches, question, { properties: [] }).filters).toMatchObject([
      { effect: 'deny', assetIds: new Set(['2']) },
      { effect: 'allow', assetIds: new Set(['1', '3']) },
    ]);
  });

  test('a rule that denies or is in dry run keeps no record without an allowed asset', () => {
    const keeping = { action: 'FILTER', policy: 'Try' };
    for (const [rule, filters] of [
      [keeping, 2],
      [{ ...keeping, dryRun: 'id' }, 3],
      [{ ...keeping, effect: 'denied' }, 3],
    ] as const) {
      const answer = obligation('filter', { filter: { rules: [rule] } });
      expect(reading([answer, ...batches], question).filters).toHaveLength(filters);
    }
  });

  test.each([
    [['1', '2'], undefined, ['1', '2']],
    [undefined, ['2', '3'], ['2', '3']],
    [['1', '2'], ['2', '3'], ['2']],
    [['1'], ['3'], []],
  ])('records stay whose asset all obligations allow: %j and %j', (one, other, ids) => {
    const obligations = [one, other].map((allowed) => {
      const assets = allowed && { assets: { type: 'Customer', ids: allowed } };
      return { type: 'filter', properties: { filter: { rules: [{ action: 'FILTER', ...assets }] } } };
    });
    const { filters } = reading([{ decision: true, context: { obligations } }, ...batches], question);
    expect(filters).toContainEqual(expect.objectContaining({ effect: 'allow', assetIds: new Set(ids) }));
  });

  test('all records stay with filtering off', () => {
    const off = questionInContext(JANE, ASSETS, { settings: { ...question.settings, filter: false } });
    expect(reading(batches, off, { properties: [] }).filters).toEqual([]);
  });

  test('an obligation of an asset is fulfilled only if all records have it too', () => {
    const mask = obligation('filter', { filter: { rules: [{ properties: ['ssn'], action: 'MASK' }] } });
    const other = obligation('filter', { filter: { rules: [{ properties: ['iban'], action: 'MASK' }] } });
    expect(reading([mask, ...permitting(mask)], question)).toMatchObject({
      properties: [{ assetIds: undefined }],
      filters: [{ effect: 'deny', assetIds: new Set(['2']) }, { effect: 'allow' }],
    });
    for (const answers of [
      [mask, ...permitting(other)],
      [mask, ...permitting(obligation('step-up', {}))],
    ])
      expect(() => reading(answers, question)).toThrow(
        expect.objectContaining({
          code: 'access-denied',
          message: expect.stringContaining('one of several'),
        }),
      );
    expect(() => reading(permitting(mask), question, { properties: [] })).toThrow(
      'authzen.obligations: true',
    );
  });

  test('a bare permit is refused though the assets are permitted', () => {
    expect(() => reading([{ decision: true }, ...batches], question)).toThrow('bareDecision');
    expect(reading([{ decision: true }, ...batches], question, {}, 'allow').filters).toHaveLength(2);
  });
});

/** A permit with outputs of Cerbos. */
function outputting(...outputs: readonly unknown[]): unknown {
  return { decision: true, context: { 'cerbos.response': { results: [{ outputs }] } } };
}

/** What Cerbos puts around one output. */
function withVal(val: unknown, others: object = {}): unknown {
  return { results: [{ outputs: [{ val, ...others }] }] };
}

/** A permit with one output of Cerbos that masks properties. */
function ruling(...properties: readonly string[]): unknown {
  return outputting({
    src: 'a',
    val: { rules: properties.map((one) => ({ properties: [one], action: 'MASK' })) },
  });
}

test.each([undefined, null, {}])(
  'an output that Cerbos could not evaluate is refused: %j with an error might be a mask',
  (val) => {
    const failed = outputting({ val: { rules: [] } }, { src: 'b', val, error: 'no such key' });
    const place = '/context/cerbos.response/results/0/outputs/1/error';
    expect(() => reading([failed], questionOf(JANE))).toThrow(` at ${place}.`);
    expect(() => reading(permitting(failed), questionInContext(JANE, ASSETS), { properties: [] })).toThrow(
      ` at /evaluations/0${place}.`,
    );
  },
);

test.each<[string, unknown, string]>([
  ['that are a text', 'x', ''],
  ['with results that are no list', { results: { outputs: [] } }, '/results'],
  ['with a result that is a text', { results: ['x'] }, '/results/0'],
  ['that are no list', { results: [{ outputs: 'x' }] }, '/results/0/outputs'],
  ['of which one is a text', { results: [{ outputs: ['x'] }] }, '/results/0/outputs/0'],
  ['with rules that are null', withVal({ rules: null }), '/results/0/outputs/0/val/rules'],
  ['with more next to rules', withVal({ rules: [], scope: 'x' }), '/results/0/outputs/0/val/scope'],
  ['with an error without a text', withVal({ rules: [] }, { error: '' }), '/results/0/outputs/0/error'],
])('outputs of Cerbos %s are refused', (_case, outputs, place) => {
  const answer = { decision: true, context: { 'cerbos.response': outputs } };
  expect(() => reading([answer], questionOf(JANE), {}, 'allow')).toThrow(
    notUnderstoodAt(`/context/cerbos.response${place}`),
  );
});

test.each([
  ['cerbos.response', 'cerbos_response', '/context'],
  ['results', 'result', '/context/cerbos.response'],
  ['outputs', 'Output', '/context/cerbos.response/results/0'],
  ['val', 'value', '/context/cerbos.response/results/0/outputs/0'],
])('outputs of Cerbos are refused if the name of %s is misspelt: %s', (name, misspelt, place) => {
  const text = JSON.stringify(ruling('iban')).replace(`"${name}":`, `"${misspelt}":`);
  expect(reading([ruling('iban')], questionOf(JANE)).properties).toHaveLength(1);
  const refused = new RegExp(`(?:nearly ${name}|a part that is not read) at ${place}/${misspelt}`, 'u');
  // Rules are recognized by their actions, if those are not misspelt as well.
  for (const action of ['action', 'actoin']) {
    const answer: unknown = JSON.parse(text.replace('"action":', `"${action}":`));
    expect(() => reading([answer], questionOf(JANE))).toThrow(refused);
  }
});

describe('an output without rules', () => {
  const masking = { properties: ['iban'], action: 'MASK' };

  test.each([
    ['rule', masking],
    ['rule', [masking]],
    ['Rules', [masking]],
    ['rulse', [masking]],
    ['note', masking],
    ['roles', [masking]],
    ['x', { rules: [{ actoin: 'MASK' }] }],
    ['out', [{ Rules: [[{ actoin: 'MASK' }]] }]],
  ])('is refused if their name is misspelt: %s', (name, value) => {
    const answer = outputting({ val: { rules: [] } }, { val: { [name]: value } });
    const place = `/context/cerbos.response/results/0/outputs/1/val/${name}`;
    expect(() => reading([answer], questionOf(JANE))).toThrow(` at ${place}`);
  });

  test.each([
    [{ roles: ['agent'] }],
    [{ roles: [{ name: 'agent' }] }],
    [{ routes: [{ path: '/customers' }] }],
    [{ user: { files: [{ size: 1 }] } }],
    [{ rule: 'r1' }],
    [{ action: 'read', when: '2026-01-01' }],
    ['{"action": "read"}'],
    ['the policy has "rules": none'],
    ['rules'],
    [null],
  ])('is for others: %j', (val) => {
    const answer = outputting({ val: { rules: [masking] } }, { val });
    expect(reading([answer], questionOf(JANE)).properties).toHaveLength(1);
  });
});

describe('rules in an output of Cerbos on one of several evaluations', () => {
  const question = questionInContext(JANE, ASSETS);

  test('are refused, because nobody would apply them', () => {
    const place = '/evaluations/0/context/cerbos.response/results/0/outputs/0/val/rules';
    const refusal = expect.objectContaining({
      code: 'decision-not-understood',
      message: expect.stringContaining(` at ${place}.`),
    });
    expect(() => reading([ruling('ssn'), ...permitting(ruling('iban'))], question)).toThrow(refusal);
    expect(() => reading(permitting(ruling('ssn')), question, { properties: [] })).toThrow(refusal);
  });

  test('are applied if the one evaluation has them too, and may be an empty list', () => {
    const rules = reading([ruling('ssn'), ...permitting(ruling('ssn'))], question);
    expect(rules).toMatchObject({ properties: [{ assetIds: undefined }] });
    expect(reading(permitting(ruling()), question, { properties: [] }).filters).toHaveLength(2);
  });
});

test('types that are too long to be sent once for each evaluation are refused', () => {
  const long = 'x'.repeat(2 ** 20);
  const properties = Array.from({ length: 17 }, (_one, index) => ({ path: `p${index}`, action: 'MASK' }));
  const { settings } = questionOf({});
  const ofProperties = questionOf(JANE, { settings: { ...settings, assetType: long } });
  const ofAssets = questionInContext(JANE, { type: long, ids: properties.map(({ path }) => path) });
  const refused = { code: 'request-invalid' };
  expect(() => asked(ofProperties, { properties, batch: 20 })).toThrow(
    expect.objectContaining({
      ...refused,
      errors: [expect.objectContaining({ pointer: '/parameters/assetType' })],
    }),
  );
  expect(() => asked(ofAssets, { batch: 20 })).toThrow(
    expect.objectContaining({
      ...refused,
      errors: [expect.objectContaining({ pointer: '/parameters/protectedObject' })],
    }),
  );
  expect(asked(ofProperties, { properties: properties.slice(1), batch: 20 })).toHaveLength(1);
});

test.each([
  ['MASK', ['MASK', 'MASK', 'first(1)']],
  ['last(4)', ['MASK', 'first(1)', 'last(4)']],
])(
  'a property that is not shown gets %s, unless an obligation denies it or hides it otherwise',
  (action, order) => {
    const rules = [
      { properties: ['a'], action: 'first(1)', priority: 1 },
      { properties: ['a'], action: 'MASK', effect: 'denied' },
    ];
    const allowed = obligation('filter', { filter: { rules } });
    const properties = [{ path: 'a', action }];
    const answers = [allowed, { evaluations: [{ decision: false }] }];
    const found = reading(answers, questionOf(JANE), { properties, obligations: true });
    expect(found.properties.map(({ source }) => source.action)).toEqual(order);
    expect(found.properties.map(({ source: { place } }) => place[0] === 'evaluations')).toEqual(
      order.map((one, i) => one === action && i > 0),
    );
  },
);

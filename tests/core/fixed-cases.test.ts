import { expect, test } from '@jest/globals';
import { coreEnforce, coreExplain } from './core.ts';

/** Cases that hardly any random problem has, or that a reference could answer in another way. */
interface Case {
  readonly config?: object;
  readonly parameters?: object;
  readonly json: unknown;
  readonly access?: readonly object[];
  readonly allowed?: readonly object[];
  readonly denied?: readonly object[];
  /** The status, or the payload. */
  readonly expected: unknown;
}

const CONTEXT = { calculationType: 'context', assetId: 'id', protectedObject: 'row' };
const FILTERING = { filter: true, filterDefault: 'allow' };

function leaf(attribute: string, operator: string, value: string, type = 'STRING'): object {
  return { attribute, operator, type, values: [value] };
}

function rule(action: string, filter: object): object {
  return { resourceType: 'columns', actions: [{ action, 'asset-attributes-filter': filter }] };
}

function masking(property: string, action = 'MASK'): object {
  return { path: property, resourceType: 'columns', actions: [{ action }] };
}

const TIME = '2010-12-31T12:34:00';

/** Filters that each allow open records of one country. */
const OPEN_BY_COUNTRY = ['US', 'CA', 'MX', 'ES', 'PT', 'IT'].map((country) =>
  rule('FILTER', { AND: [leaf('country', 'EQUALS', country), leaf('status', 'EQUALS', 'open')] }),
);

const CASES: Readonly<Record<string, Case>> = {
  'records that are roots go from what holds them, the first ones together': {
    config: FILTERING,
    parameters: { root: 'data.*' },
    json: { data: { a: { k: 1 }, b: { k: 1 }, c: { k: 2 }, d: { k: 1 }, e: { k: 1 } } },
    allowed: [rule('FILTER', leaf('k', 'EQUALS', '2'))],
    expected: { data: { c: { k: 2 } } },
  },
  'lists of records beside one another are each changed by their own rule': {
    json: [[{ a: 1 }], [{ a: 2 }], [{ a: 3 }]],
    access: [masking('0'), masking('1', 'empty()')],
    expected: [null, [], [{ a: 3 }]],
  },
  'of many filters, one that is about a value of the record has to hold in full': {
    config: FILTERING,
    json: [
      { country: 'US', status: 'closed' },
      { country: 'CA', status: 'open' },
      { country: 'FR', status: 'open' },
    ],
    allowed: OPEN_BY_COUNTRY,
    expected: [{ country: 'CA', status: 'open' }],
  },
  'an entry about assets that names none is not understood': {
    parameters: CONTEXT,
    json: [{ id: '1', ssn: 'x' }],
    access: [{ resourceType: 'row', attributes: { column: ['ssn'] }, actions: [{ action: 'MASK' }] }],
    expected: 502,
  },
  'a condition of a FILTER entry is not understood': {
    config: FILTERING,
    parameters: CONTEXT,
    json: [{ id: '1', x: '2' }],
    access: [
      {
        resourceType: 'row',
        path: '1',
        actions: [{ action: 'FILTER', 'asset-attributes-filter': { AND: [leaf('x', 'EQUALS', '1')] } }],
      },
    ],
    expected: 502,
  },
  'a FILTER entry about a property is not understood': {
    config: FILTERING,
    json: [{ a: 1 }],
    access: [masking('a', 'FILTER')],
    expected: 502,
  },
  'a condition with AND and OR is not understood': {
    config: FILTERING,
    json: [{ a: '1' }],
    allowed: [rule('FILTER', { AND: [], OR: [leaf('a', 'EQUALS', '2')] })],
    expected: 502,
  },
  'a denied filter on what is also the name of properties is about the records': {
    config: FILTERING,
    json: [{ column: '1' }, { column: '2' }],
    denied: [rule('FILTER', leaf('column', 'EQUALS', '1'))],
    expected: [{ column: '2' }],
  },
  'an allowed one as well': {
    config: { ...FILTERING, filterDefault: 'deny' },
    json: [{ column: '1' }, { column: '2' }],
    allowed: [rule('FILTER', leaf('column', 'EQUALS', '1'))],
    expected: [{ column: '1' }],
  },
  'of several excluded names, each is any of the others': {
    json: [{ a: 'x', b: 'x', z: 'x' }],
    allowed: [rule('MASK', { OR: ['a', 'b', 'c'].map((name) => leaf('column', 'NOTEQUALS', name)) })],
    expected: [{ a: '***', b: '***', z: '***' }],
  },
  'a value is set for its asset alone': {
    parameters: CONTEXT,
    json: [{ id: '1' }, { id: '2' }],
    access: [
      { resourceType: 'row', path: '1', actions: [{ action: 'FILTER' }] },
      { resourceType: 'row', path: '2', actions: [{ action: 'FILTER' }] },
      { resourceType: 'row', path: '1', attributes: { column: ['note'] }, actions: [{ action: 'set' }] },
    ],
    config: { filter: true },
    expected: [{ id: '1', note: 'set' }, { id: '2' }],
  },
  'an index of a root is no name of an object': {
    parameters: { root: 'x.#.rows.#.0' },
    json: { x: [{ rows: [[{ ssn: '1' }]] }, { rows: { 0: { ssn: '2' } } }] },
    access: [masking('ssn')],
    expected: 422,
  },
  'a root of all elements of an empty list has no records': {
    parameters: { root: '$.rows[*]' },
    json: { rows: [] },
    access: [masking('ssn')],
    expected: { rows: [] },
  },
  'a time that ends in another letter is none': {
    json: [
      { t: `${TIME}X`, a: 'x' },
      { t: `${TIME}Z`, a: 'x' },
      { t: '2016-12-31T12:34:60Z', a: 'x' },
    ],
    allowed: [
      rule('MASK', { AND: [leaf('column', 'EQUALS', 'a'), leaf('t', 'LESS', '2020-01-01', 'DATETIME')] }),
    ],
    expected: [
      { t: `${TIME}X`, a: 'x' },
      { t: `${TIME}Z`, a: '***' },
      { t: '2016-12-31T12:34:60Z', a: 'x' },
    ],
  },
  'what is shown of a text is whole characters': {
    json: [{ a: 'abcdé', b: 'é'.repeat(200), c: 'é'.repeat(200), d: `x@${'é'.repeat(120)}.com` }],
    access: [
      masking('a', 'last(1)'),
      masking('b', 'first(64)'),
      masking('c', 'edges(64)'),
      masking('d', 'email(domain)'),
    ],
    expected: [
      {
        a: '****é',
        b: 'é'.repeat(64) + '*'.repeat(136),
        c: 'é'.repeat(64) + '*'.repeat(72) + 'é'.repeat(64),
        d: `***@${'é'.repeat(120)}.com`,
      },
    ],
  },
};

test.each(Object.entries(CASES))(
  '%s',
  async (_name, { json, expected, parameters = {}, config, ...sections }) => {
    const { access = [], allowed = [], denied = [] } = sections;
    const answer = await coreEnforce({
      config: { attrName: 'column', object: 'table', filter: false, ...config },
      parameters,
      vendor: { entityId: 'jane' },
      jsonText: JSON.stringify(json),
      decision: { response: [{ access, privileges: { allowed, denied } }] },
    });
    expect(answer.status === 200 ? JSON.parse(answer.text) : answer.status).toEqual(expected);
  },
);

/** One decision after another, none of which comes twice. */
async function answersTo(
  decisions: readonly object[],
  parametersOf: (at: number) => object,
): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const [at, decision] of decisions.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- what is kept of one decision meets the next
    const answer = await coreEnforce({
      config: { attrName: 'column', object: 'table', filter: false },
      parameters: parametersOf(at),
      vendor: { entityId: 'jane' },
      jsonText: '[{"a":"xyz"}]',
      decision,
    });
    texts.push(answer.status === 200 ? answer.text : answer.status);
  }
  return texts;
}

function decisionWith(action: string, members: object): object {
  return {
    ...members,
    response: [{ access: [masking('a', action)], privileges: { allowed: [], denied: [] } }],
  };
}

test.each([2, 3])(
  'decisions alike but for maskShort, each %i times, are enforced as they say',
  async (times) => {
    const flags = Array.from({ length: 12 }, (_, at) => at % times === 0);
    const decisions = flags.map((maskShort, number) => decisionWith('last(4)', { number, maskShort }));
    expect(await answersTo(decisions, () => ({}))).toEqual(
      flags.map((maskShort) => (maskShort ? '[{"a":"***"}]' : '[{"a":"xyz"}]')),
    );
  },
);

test.each([2, 3])(
  'decisions alike in requests with %i mask strings are enforced with those',
  async (count) => {
    const decisions = Array.from({ length: 12 }, (_, number) => decisionWith('MASK', { number }));
    const maskStrings = ['#', '##', '###'].slice(0, count);
    const answers = await answersTo(decisions, (at) => ({ maskString: maskStrings[at % count] }));
    expect(answers).toEqual(decisions.map((_, at) => `[{"a":"${maskStrings[at % count]}"}]`));
  },
);

test('a condition is read by the attrName of its request, whatever it was before', async () => {
  const answers: unknown[] = [];
  for (const [at, attrName] of ['column', 'column', 'column', 'name', 'column', 'name'].entries()) {
    const others = { attribute: 'x', operator: 'IN', type: 'STRING', values: ['1', `y${at}`] };
    const filter = { AND: [leaf('column', 'EQUALS', 'ssn'), others] };
    // oxlint-disable-next-line no-await-in-loop -- what is kept of one reading meets the next
    const answer = await coreEnforce({
      config: { attrName, object: 'table', filter: false },
      parameters: {},
      vendor: { entityId: 'jane' },
      jsonText: '[{"ssn":"s","x":"1","column":"ssn"}]',
      decision: { response: [{ access: [], privileges: { allowed: [rule('MASK', filter)], denied: [] } }] },
    });
    answers.push(answer.status === 200 ? answer.text : answer.status);
  }
  const ofName = '[{"ssn":"***","x":"1","column":"ssn"}]';
  const ofRecord = '[{"ssn":"***","x":"***","column":"***"}]';
  expect(answers).toEqual([ofName, ofName, ofName, ofRecord, ofName, ofRecord]);
});

test.each([1, 40])('%i conditions are decided anew for each payload', async (count) => {
  const values = Array.from({ length: count }, (_, at) => `x${at}`);
  const allowed = values.map((value) =>
    rule('MASK', { AND: [leaf('column', 'EQUALS', 'ssn'), leaf('k', 'EQUALS', value)] }),
  );
  for (const k of ['y0', 'x0', '-', 'x0']) {
    // oxlint-disable-next-line no-await-in-loop -- what is kept of one payload meets the next
    const answer = await coreEnforce({
      config: { attrName: 'column', filter: false },
      parameters: {},
      vendor: { entityId: 'jane' },
      jsonText: `[{"ssn":"s","k":"${k}"}]`,
      decision: { response: [{ access: [], privileges: { allowed, denied: [] } }] },
    });
    expect(answer).toHaveProperty('text', `[{"ssn":"${k === 'x0' ? '***' : 's'}","k":"${k}"}]`);
  }
});

test('values that do not read as the type of a condition count for each record, also for records that are alike', async () => {
  const comparisons = Array.from({ length: 20 }, (_, at) => leaf('k', 'GREATER', String(at), 'INTEGER'));
  const filter = { AND: [leaf('column', 'EQUALS', 'ssn'), { OR: comparisons }] };
  const counted = [1, 10].map(async (records) => {
    const problem = {
      config: { attrName: 'column', filter: false },
      parameters: {},
      vendor: { entityId: 'jane' },
      jsonText: JSON.stringify(Array.from({ length: records }, () => ({ k: 'ten', ssn: 's' }))),
      decision: { response: [{ access: [], privileges: { allowed: [rule('MASK', filter)], denied: [] } }] },
    };
    const { counts } = await coreExplain(problem, undefined);
    return counts?.unreadable;
  });
  expect(await Promise.all(counted)).toEqual([20, 200]);
});

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { ServiceError } from '../../../src/errors.ts';
import type { Protocol } from '../../../src/pdp/protocol.ts';
import { authzenEndpoints, authzenProtocol } from '../../../src/pdp/protocols/authzen/index.ts';
import { opaProtocol } from '../../../src/pdp/protocols/opa/index.ts';
import { resolutionProtocol } from '../../../src/pdp/protocols/resolution/index.ts';
import { KINDS, misspellings, placesIn } from '../../faults/mutations.ts';
import { RICH_CASES } from '../../faults/rich-decision.ts';
import { questionOf } from '../questions.ts';

const AT = { pdpAction: 'read', pdpContext: {}, bareDecision: 'allow' } as const;
const URL_OF_PDP = new URL('http://pdp:1/v1/data/masking');
const OPA = opaProtocol({ ...AT, url: URL_OF_PDP, pdpHeaders: [] });
const REFUSING_OPA = opaProtocol({ ...AT, bareDecision: 'refuse', url: URL_OF_PDP, pdpHeaders: [] });
const COMPILE = opaProtocol({
  ...AT,
  url: new URL('http://pdp:1/v1/compile/filters/include'),
  pdpHeaders: [],
});
const AUTHZEN = authzenProtocol({
  ...AT,
  endpoints: authzenEndpoints(URL_OF_PDP),
  authzen: { properties: undefined, obligations: false, batch: 2 },
});
const RESOLUTION = resolutionProtocol({ resolution: URL_OF_PDP, token: URL_OF_PDP });

const ENTRY = { resourceType: 'columns', attributes: { column: ['ssn'] }, actions: [{ action: 'MASK' }] };
const TREE = { attribute: 'column', operator: 'EQUALS', values: ['iban'] };
const PRIVILEGE = {
  resourceType: 'columns',
  actions: [{ action: 'MASK', 'asset-attributes-filter': TREE }],
};
const DECISION = {
  id: { of: 'decision' },
  response: [
    {
      note: { x: 1 },
      access: [ENTRY],
      privileges: { note: { y: 1 }, allowed: [PRIVILEGE], denied: [PRIVILEGE] },
    },
    // Objects of its own: parts of the others are moved into them.
    { access: [{ ...ENTRY, actions: [{ action: 'MASK' }] }], privileges: { allowed: [], denied: [] } },
  ],
};
const RULE = { properties: ['ssn'], action: 'MASK' };
const OBLIGATION = { id: 'o', type: 'filter', properties: { filter: { rules: [RULE] } } };
const UNKNOWN = { id: 'u', type: 'redact', properties: { fields: ['ssn'] } };
const output = (val: unknown) => ({ src: 'policy', val });
const obliging = (obligation: object) => ({ decision: true, context: { obligations: [obligation] } });
const outputs = (list: readonly unknown[]) => ({
  decision: true,
  context: { 'cerbos.response': { results: [{ outputs: list }] } },
});

const QUERY = { type: 'field', operator: 'eq', field: 'tickets.country', value: 'US' };

const SECTIONS = ['access', 'privileges', 'allowed', 'denied'];
type Place = readonly (string | number)[];

/** An answer, parts of it that have rules, and other objects of it with the names that would lose rules there. */
interface Case {
  readonly protocol: Protocol;
  readonly answer: object;
  readonly parts: readonly Place[];
  readonly targets: readonly (readonly [place: Place, names: readonly string[]])[];
  /** Whether the parts are recognized below any name, too, however deep. */
  readonly isKnownAnywhere?: true;
}

const OF_DECISION: Pick<Case, 'parts' | 'targets' | 'isKnownAnywhere'> = {
  isKnownAnywhere: true,
  parts: [
    ['response', 0, 'access'],
    ['response', 0, 'privileges'],
    ['response', 0, 'privileges', 'allowed'],
    ['response', 0, 'privileges', 'denied'],
  ],
  targets: [
    [[], ['response', ...SECTIONS]],
    [['response', 0], SECTIONS],
    [['response', 1], SECTIONS],
    [['response', 1, 'privileges'], SECTIONS],
    [['id'], SECTIONS],
    [['response', 0, 'note'], SECTIONS],
    [['response', 0, 'privileges', 'note'], SECTIONS],
    [['response', 1, 'access', 0], SECTIONS],
    [['response', 1, 'access', 0, 'actions', 0], SECTIONS],
  ],
};
const within = (name: string, { parts, targets }: typeof OF_DECISION): typeof OF_DECISION => ({
  isKnownAnywhere: true,
  parts: parts.map((place) => [name, ...place]),
  targets: targets.map(([place, names]) => [[name, ...place], names]),
});

const CASES: Record<string, Case> = {
  resolution: { protocol: RESOLUTION, answer: DECISION, ...OF_DECISION },
  'resolution below data': {
    protocol: RESOLUTION,
    answer: { data: DECISION },
    ...within('data', OF_DECISION),
  },
  'resolution beside data': {
    protocol: RESOLUTION,
    answer: { data: DECISION },
    parts: within('data', OF_DECISION).parts,
    targets: [[[], ['response', ...SECTIONS]]],
    isKnownAnywhere: true,
  },
  'a decision from OPA': { protocol: OPA, answer: { result: DECISION }, ...within('result', OF_DECISION) },
  'rules from OPA': {
    protocol: OPA,
    answer: { result: { rules: [RULE], allow: true }, metrics: {} },
    parts: [['result', 'rules']],
    targets: [
      [['result'], ['rules']],
      [[], ['rules', 'response']],
    ],
    isKnownAnywhere: true,
  },
  'the compile API of OPA': {
    protocol: COMPILE,
    answer: { result: { query: QUERY, masks: { tickets: { ssn: { replace: { value: 'x' } } } } } },
    parts: [
      ['result', 'query'],
      ['result', 'masks'],
    ],
    targets: [
      [[], ['query', 'masks']],
      [['result'], ['query', 'masks']],
    ],
  },
  'rules in obligations of AuthZEN': {
    protocol: AUTHZEN,
    answer: {
      decision: true,
      context: {
        note: {},
        obligations: [
          { ...OBLIGATION, properties: { filter: { rules: [RULE], redact_fields: ['iban'] } } },
          { ...OBLIGATION, properties: { filter: { rules: [] } } },
        ],
      },
    },
    parts: [['context', 'obligations', 0, 'properties', 'filter', 'rules']],
    targets: [
      [[], ['rules']],
      [['context'], ['rules']],
      [['context', 'note'], ['rules']],
      [
        ['context', 'obligations', 1],
        ['properties', 'rules', 'filter', 'redact_fields', 'obligations'],
      ],
      [
        ['context', 'obligations', 1, 'properties'],
        ['rules', 'filter'],
      ],
      [
        ['context', 'obligations', 1, 'properties', 'filter'],
        ['rules', 'redact_fields'],
      ],
    ],
    isKnownAnywhere: true,
  },
  'obligations of AuthZEN': {
    protocol: AUTHZEN,
    answer: {
      decision: true,
      context: { reason_user: { en: 'x' }, list: [{ a: 1 }], obligations: [OBLIGATION], mine: [UNKNOWN] },
    },
    parts: [['context', 'mine']],
    targets: [
      [[], ['obligations', 'evaluations', 'context']],
      [['context'], ['obligations']],
      [['context', 'reason_user'], ['obligations']],
      [['context', 'list', 0], ['obligations']],
    ],
  },
};

/** How many rules an answer has; undefined if it is refused. */
function rulesIn(protocol: Protocol, answer: unknown): number | undefined {
  return rulesInText(protocol, JSON.stringify(answer));
}

function rulesInText(protocol: Protocol, answer: string): number | undefined {
  try {
    const { properties, filters } = protocol.read([Buffer.from(answer)], questionOf({ entityId: 'a' }));
    return properties.length + filters.length;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Names that are near none that is read, and those that Lodash leaves out of copies. */
const ANY_NAMES = ['note', 'mine', 'accessList', 'x', '__proto__', 'constructor', 'prototype'];

/** Gives an object in a value a member with any name, or another value to one that it has. */
function put(value: object, place: Place, member: unknown): void {
  const parent: unknown = place.length === 1 ? value : _.get(value, place.slice(0, -1));
  // An edit before may have replaced it.
  if (!_.isObject(parent)) return;
  const name = place.at(-1) ?? '';
  Object.defineProperty(parent, name, {
    value: member,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
/** What rules may be in. */
const WRAPS: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  (value) => [value],
  (value) => ({ x: value }),
  (value) => [{ x: [[{ y: value }]] }],
];

/** A change of a decision: a place gets another value or nothing, or a copy of a part gets a place of its own. */
function editsOf(decision: object): fc.Arbitrary<(changed: object) => unknown> {
  const places = placesIn(decision);
  const anyPlace = fc.constantFrom(...places);
  const known = _.uniq(places.flatMap((place) => place.filter((step) => typeof step === 'string')));
  const misspelt = known.filter((name) => name.length >= 4).flatMap((name) => misspellings(name));
  const anyName = fc.oneof(...[known, misspelt, ANY_NAMES].map((names) => fc.constantFrom(...names)));
  return fc.oneof(
    fc.tuple(anyPlace, fc.constantFrom(...Object.values(KINDS))).map(
      ([place, value]) =>
        (changed: object) =>
          put(changed, place, _.cloneDeep(value)),
    ),
    anyPlace.map((place) => (changed: object) => _.unset(changed, place)),
    fc
      .tuple(anyPlace, anyPlace, anyName, fc.constantFrom(...WRAPS), fc.boolean())
      .map(([part, place, name, wrap, isMoved]) => (changed: object) => {
        const value = wrap(_.cloneDeep(_.get(decision, part)));
        if (isMoved) _.unset(changed, part);
        put(changed, [...place.slice(0, -1), name], value);
      }),
  );
}

describe.each([DECISION, ...RICH_CASES.map(({ decision }) => Object(_.get(decision, 'data', decision)))])(
  'a decision that is changed at random (%#)',
  (decision) => {
    test('has the same rules in a text as in a value, or is refused in both', () => {
      const outcomes = new Set<unknown>();
      const edited = fc.array(editsOf(decision), { minLength: 1, maxLength: 3 }).map((edits) => {
        const changed = _.cloneDeep(decision);
        for (const edit of edits) edit(changed);
        return changed;
      });
      const same = fc.property(edited, (changed) => {
        const inText = rulesIn(RESOLUTION, changed);
        outcomes.add(inText);
        return inText === rulesIn(REFUSING_OPA, { result: changed });
      });
      expect(() => {
        fc.assert(same, { numRuns: 1000 });
      }).not.toThrow();
      expect(outcomes.size).toBeGreaterThan(2);
    });
  },
);

/** Many members that no PDP protocol has, before the one that counts. */
const FILLING = Object.fromEntries(Array.from({ length: 1500 }, (_one, i) => [`filling${i}`, i]));

describe.each(Object.entries(CASES))(
  '%s: rules that are somewhere else',
  (_name, { protocol, answer, parts, targets, isKnownAnywhere = false }) => {
    test('are refused or read, never lost', () => {
      const others = isKnownAnywhere ? ANY_NAMES : [];
      const anyMove = fc.record({
        part: fc.constantFrom(...parts),
        target: fc
          .constantFrom(...targets)
          .chain(([place, names]) =>
            fc
              .constantFrom(...names.flatMap((name) => [name, ...misspellings(name)]), ...others)
              .map((name) => ({ place, name })),
          ),
        wrap: fc.constantFrom(...(isKnownAnywhere ? WRAPS : WRAPS.slice(0, 1))),
        isFilled: fc.boolean(),
      });
      const known = rulesIn(protocol, answer) ?? 0;
      /** How many rules are left without a part; as many as before if it has none that are read. */
      const withoutPart = _.memoize((part: Place): number => {
        const rest = _.cloneDeep(answer);
        _.unset(rest, part);
        return rulesIn(protocol, rest) ?? 0;
      });
      let moved = 0;
      const lost = fc.property(anyMove, ({ part, target: { place, name }, wrap, isFilled }) => {
        const changed = _.cloneDeep(answer);
        const value: unknown = _.get(changed, part);
        fc.pre(!_.isEqual(part, place.concat(name)));
        _.unset(changed, part);
        const object: unknown = place.length === 0 ? changed : _.get(changed, place);
        fc.pre(_.isPlainObject(object) && !Object.hasOwn(Object(object), name));
        if (isFilled) _.assign(object, FILLING);
        put(changed, [...place, name], wrap(value));
        moved++;
        const rules = rulesIn(protocol, changed);
        return rules === undefined || rules >= Math.max(known, withoutPart(part) + 1);
      });
      expect(() => {
        fc.assert(lost, { numRuns: 400 });
      }).not.toThrow();
      expect(moved).toBeGreaterThan(100);
    });
  },
);

describe('a condition outside an action of the privileges', () => {
  const conditioned = { ...ENTRY.actions[0], 'asset-attributes-filter': TREE };
  const condition = { 'asset-attributes-filter': TREE };

  test.each<[string, object]>([
    ['in an action of the access section', { access: [{ ...ENTRY, actions: [conditioned] }] }],
    [
      'in one of several such actions',
      { access: [{ ...ENTRY, actions: [{ action: 'MASK' }, conditioned] }] },
    ],
    ['in an entry of the access section', { access: [{ ...ENTRY, ...condition }] }],
    ['in an entry of the privileges', { privileges: { allowed: [{ ...PRIVILEGE, ...condition }] } }],
    [
      'whatever is in it, in the attributes of an entry',
      { access: [{ ...ENTRY, attributes: { ...ENTRY.attributes, 'asset-attributes-filter': { x: 1 } } }] },
    ],
  ])('is refused: %s', (_name, resource) => {
    expect(rulesIn(RESOLUTION, { response: [resource] })).toBeUndefined();
  });
});

describe('the condition of a filter', () => {
  const action = { action: 'FILTER' };
  const policy = { name: 'p' };
  const entry = { resourceType: 'columns', actions: [{ ...action, policies: [policy] }], policies: [policy] };
  const masking = { ...ENTRY, actions: [{ action: 'MASK' }] };
  const decision = {
    response: [{ access: [masking], privileges: { allowed: [entry], denied: [] }, note: {} }],
    note: {},
  };
  const inEntry = ['response', 0, 'privileges', 'allowed', 0];
  /** Where any condition is refused, and where one is only if its name is like that of a condition. */
  const anywhere = [inEntry, [...inEntry, 'actions', 0], ['response', 0, 'access', 0, 'attributes']].concat([
    [...inEntry, 'policies', 0],
    [...inEntry, 'actions', 0, 'policies', 0],
  ]);
  const byName: readonly Place[] = [
    [],
    ['note'],
    ['response', 0],
    ['response', 0, 'note'],
    ['response', 0, 'privileges'],
  ];
  const likeCondition = ['asset-attributes-filter', 'asset-attribute-filter', 'assetAttributesFilter'];

  test('is refused where it is not read, or read', () => {
    expect(rulesIn(RESOLUTION, decision)).toBe(2);
    const anyPlace = fc.oneof(
      fc.record({
        place: fc.constantFrom(...anywhere),
        name: fc.constantFrom(...likeCondition, 'AND', 'OR', 'condition', 'filter', ...ANY_NAMES),
      }),
      fc.record({ place: fc.constantFrom(...byName), name: fc.constantFrom(...likeCondition) }),
    );
    const tree = fc.constantFrom<unknown>({ AND: [TREE] }, TREE, { OR: [{ AND: [TREE] }] }, [TREE]);
    const lost = fc.property(anyPlace, tree, ({ place, name }, condition) => {
      const changed = _.cloneDeep(decision);
      put(changed, [...place, name], condition);
      const isRead = _.isEqual(place, [...inEntry, 'actions', 0]) && name === 'asset-attributes-filter';
      fc.pre(!isRead);
      return rulesIn(RESOLUTION, changed) === undefined && rulesIn(OPA, { result: changed }) === undefined;
    });
    expect(() => {
      fc.assert(lost, { numRuns: 400 });
    }).not.toThrow();
  });
});

/** A filter with more members in its action, its entry and the privileges. */
const filter = (action: object, entry: object = {}, privileges: object = {}) => ({
  response: [
    {
      privileges: {
        allowed: [{ resourceType: 'columns', actions: [{ action: 'FILTER', ...action }], ...entry }],
        ...privileges,
      },
    },
  ],
});

describe('a leaf of a condition', () => {
  const condition = { attribute: 'country', operator: 'IN', values: ['US'] };
  test.each([
    ['of an action', filter(condition)],
    ['of an action with a value', filter({ value: 'FILTER', ...condition })],
    ['of an entry', filter({}, condition)],
    ['of a policy', filter({ policies: [{ name: 'p', ...condition }] })],
    ['in the attributes of a privilege', filter({}, { attributes: { x: condition } })],
    ['of the privileges', filter({}, {}, { condition })],
    ['in the section', { response: [{ ...filter({}).response[0], AND: [condition] }] }],
    ['beside the response', { ...filter({}), note: [condition] }],
  ])('is refused among the members %s', (_case, answer) => {
    expect(rulesIn(RESOLUTION, filter({}))).toBe(1);
    expect(rulesIn(RESOLUTION, answer)).toBeUndefined();
    expect(rulesIn(OPA, { result: answer })).toBeUndefined();
  });
});

describe('a part of a decision that is itself', () => {
  const places: readonly Place[] = [
    [],
    ['response', 0],
    ['response', 0, 'privileges'],
    ['response', 0, 'note'],
    ['response', 0, 'privileges', 'note'],
  ];
  const ENTRY_PLACES: readonly Place[] = [
    ['response', 0, 'access', 0],
    ['response', 0, 'privileges', 'allowed', 0],
  ];
  const MASK_ALONE = { action: { name: 'MASK' } };

  test.each<[string, object, readonly Place[]]>([
    ['an entry', ENTRY, places],
    ['an entry of the privileges', PRIVILEGE, places],
    ['a leaf of a condition', TREE, places.concat(ENTRY_PLACES)],
    ['a rule', RULE, places.concat(ENTRY_PLACES)],
    ['a rule whose action has no value', { ...RULE, ...MASK_ALONE }, places.concat(ENTRY_PLACES)],
    ['a short rule', { redact_fields: ['ssn'] }, places.concat(ENTRY_PLACES)],
    ['a short rule of one field', { redact_fields: 'ssn' }, places.concat(ENTRY_PLACES)],
  ])('%s is refused', (_case, members, at) => {
    for (const place of at) {
      const changed = _.cloneDeep(DECISION);
      _.assign(place.length === 0 ? changed : _.get(changed, place), members);
      const [text, value, inData] = [
        rulesIn(RESOLUTION, changed),
        rulesIn(OPA, { result: changed }),
        rulesIn(RESOLUTION, { data: changed }),
      ];
      expect([place, text, value, inData]).toEqual([place, undefined, undefined, undefined]);
    }
  });

  // Each is recognized by other names.
  test.each<[object]>([
    [{ resourceType: 'columns', path: 'ssn' }],
    [{ resourceType: 'columns', attributes: { column: ['ssn'] } }],
    [{ resourceType: 'columns', policies: [{ name: 'p' }] }],
    [{ resourceType: 'columns', accessPolicies: [{ name: 'p' }] }],
    [{ resourceType: 'columns', actions: [{ action: 'MASK' }] }],
    [{ action: 'MASK', properties: ['ssn'] }],
    [{ action: 'FILTER', when: {} }],
    [{ action: 'FILTER', assets: { type: 'Account', ids: 'all' } }],
    [{ action: 'FILTER', effect: 'denied' }],
    [{ action: 'MASK', object: 'customer' }],
    [{ action: 'MASK', policy: 'p' }],
    [{ action: { name: 'Hide', value: '***' }, properties: ['ssn'] }],
    [{ redact_fields: ['ssn'] }],
  ])('%j is refused in a list below any name', (part) => {
    for (const place of places) {
      const changed = _.set(_.cloneDeep(DECISION), [...place, 'x'], [part]);
      const read = [rulesIn(RESOLUTION, changed), rulesIn(OPA, { result: changed })];
      expect([place, ...read]).toEqual([place, undefined, undefined]);
    }
  });

  test('an entry is refused for its actions where no list is', () => {
    const changed = { ...DECISION, x: { resourceType: 'columns', actions: [{ action: 'MASK' }] } };
    expect([rulesIn(RESOLUTION, changed), rulesIn(OPA, { result: changed })]).toEqual([undefined, undefined]);
  });

  test('an entry without a denial in place of the list of those that are denied is refused', () => {
    const { actions: _actions, ...denied } = { ...ENTRY, path: 'ssn' };
    const answer = { response: [{ privileges: denied }] };
    expect([rulesIn(RESOLUTION, answer), rulesIn(OPA, { result: answer })]).toEqual([undefined, undefined]);
  });

  test.each<[object]>([[{ properties: ['iban'] }], [{ properties: 'all' }], [{ redact_fields: ['iban'] }]])(
    'a rule is refused as an action: %j',
    (members) => {
      for (const place of [
        'response[0].access[0].actions[0]',
        'response[0].privileges.denied[0].actions[0]',
      ]) {
        const changed = _.cloneDeep(DECISION);
        _.assign(_.get(changed, place), members);
        expect(rulesIn(RESOLUTION, changed)).toBeUndefined();
        expect(rulesIn(OPA, { result: changed })).toBeUndefined();
      }
    },
  );

  test('fields to redact are refused in a policy', () => {
    const [entry] = DECISION.response[0]?.access ?? [];
    const policies = [{ name: 'p', redact_fields: ['iban'] }];
    for (const added of [{ policies }, { actions: [{ action: 'MASK', policies }] }]) {
      const changed = _.set(_.cloneDeep(DECISION), ['response', 0, 'access', 0], { ...entry, ...added });
      expect(rulesIn(RESOLUTION, changed)).toBeUndefined();
      expect(rulesIn(OPA, { result: changed })).toBeUndefined();
    }
  });

  test('the resource of the question is not', () => {
    const resource = {
      resourceType: 'columns',
      attributes: { a: 1 },
      path: 'x',
      action: 'read',
      object: 'y',
    };
    for (const place of [[], ['response', 0], ['response', 0, 'privileges']]) {
      const changed = _.cloneDeep(DECISION);
      _.assign(place.length === 0 ? changed : _.get(changed, place), resource);
      expect(rulesIn(RESOLUTION, changed)).toBe(rulesIn(RESOLUTION, DECISION));
      expect(rulesIn(OPA, { result: changed })).toBe(rulesIn(RESOLUTION, DECISION));
    }
  });
});

test.each<[object]>([
  [{ parameters: [RULE] }],
  [{ x: { y: [{ rules: [RULE] }] } }],
  [{ filters: { rules: [{ actoin: 'MASK' }] } }],
  [{ redact_field: ['ssn'] }],
])('rules beside the properties of an obligation are refused: %j', (added) => {
  expect(rulesIn(AUTHZEN, obliging(OBLIGATION))).toBe(1);
  expect(rulesIn(AUTHZEN, obliging({ ...OBLIGATION, note: [{ text: 'x' }] }))).toBe(1);
  expect(rulesIn(AUTHZEN, obliging({ ...OBLIGATION, ...added }))).toBeUndefined();
});

describe('what is no rule', () => {
  const known = rulesIn(RESOLUTION, DECISION);

  test.each<[string, object]>([
    [
      'the resource that was asked about',
      { resource: { resourceType: 'columns', attributes: { a: ['b'] } } },
    ],
    ['a list of resources', { resources: [{ resourceType: 'Patient', id: '1' }] }],
    ['an audit record', { audit: [{ action: 'read', when: 1764406673.5, at: '2026-01-01' }] }],
    ['filters of others', { assetFilters: [1], userAttributesFilter: { a: 1 }, assetTypesFilter: ['x'] }],
    [
      'options',
      { options: { assetAttributesFilter: { enabled: true } }, info: { attribute: 'a', operator: 'jdoe' } },
    ],
    [
      'audit records with numbers for actions',
      {
        audit: [
          { action: 7, when: 1 },
          { action: 1.5, policy: 'p' },
        ],
      },
    ],
    ['audit records with lists', { audit: [{ action: 'read', properties: ['ssn'], when: { at: 1 } }] }],
    ['a summary by type', { summary: [{ resourceType: 'columns' }] }],
    ['null', { 'asset-attributes-filter': null, AND: null, audit: null, deny: null }],
    ['numbers, texts and null', { allowed: 1.5, score: 2.25, success: 'yes', excess: null }],
  ])('is for others beside a decision: %s', (_case, others) => {
    const { response } = DECISION;
    const answers = [{ ...DECISION, ...others }, { response: [...response, others] }];
    const texts = answers.map((answer) =>
      JSON.stringify(answer).replace('1.5', '1.50').replace('2.25', '1e400'),
    );
    for (const text of texts) {
      expect(rulesInText(RESOLUTION, text)).toBe(known);
      expect(rulesInText(OPA, `{"result":${text}}`)).toBe(known);
    }
  });

  test('is for others in an entry', () => {
    const attributes = { ...ENTRY.attributes, AND: ['x'], assetFilter: ['y'] };
    const others = {
      attributes,
      assetAttributesCount: 3,
      'asset-attributes-filter': null,
      AND: null,
      tags: [{ a: 1 }],
    };
    const changed = _.set(_.cloneDeep(DECISION), ['response', 1, 'access', 0], { ...ENTRY, ...others });
    expect(rulesIn(RESOLUTION, changed)).toBe(known);
    expect(rulesIn(OPA, { result: changed })).toBe(known);
  });

  test.each([
    [{ rules: ['x'] }],
    [{ resourceType: 'Patient', attributes: { a: 1 } }],
    [[{ resourceType: 'Patient' }]],
    [JSON.stringify({ action: 'view', policy: 'p', effect: 'EFFECT_ALLOW' })],
    ['[see the "action": and the "policy"'],
  ])('is for others in an output of Cerbos: %j', (val) => {
    expect(rulesIn(AUTHZEN, outputs([output({ rules: [RULE] }), output({ user: val })]))).toBe(1);
  });

  test('is the attribute that names properties, whatever it is called', () => {
    const named = { ...ENTRY, attributes: { assetAttributePath: ['ssn'], other: [{ a: 1 }] } };
    const answer = JSON.stringify({ response: [{ access: [named] }] });
    const question = questionOf(
      {},
      { settings: { ...questionOf({}).settings, attrName: 'assetAttributePath' } },
    );
    expect(RESOLUTION.read([Buffer.from(answer)], question).properties).toHaveLength(1);
    expect(OPA.read([Buffer.from(`{"result":${answer}}`)], question).properties).toHaveLength(1);
  });
});

test.each<[object]>([[{ rules: [RULE] }], [{ note: { x: [ENTRY] } }], [RULE]])(
  'rules beside what the compile API of OPA answers are refused: %j',
  (others) => {
    const answer = { result: { query: QUERY }, metrics: { timer: 1 }, explanation: [{ op: 'enter' }] };
    expect(rulesIn(COMPILE, answer)).toBe(1);
    expect(rulesIn(COMPILE, { ...answer, ...others })).toBeUndefined();
  },
);

test.each<[object]>([[{ allow: false }], [{ deny: true }], [{ Decision: 'DENY' }]])(
  'a denial beside the result of OPA is refused: %j',
  (denial) => {
    const result = { query: QUERY };
    expect(rulesIn(OPA, { result: { rules: [RULE] }, allow: true })).toBe(1);
    expect(rulesIn(OPA, { result: { rules: [RULE] }, ...denial })).toBeUndefined();
    expect(rulesIn(COMPILE, { result, allow: true })).toBe(1);
    expect(rulesIn(COMPILE, { result, ...denial })).toBeUndefined();
  },
);

test.each<[object]>([
  [{ columnMasks: { tickets: { ssn: { replace: { value: 'x' } } } } }],
  [{ note: [{ replace: { value: null } }] }],
])('masks where the compile API of OPA has none are refused: %j', (others) => {
  expect(rulesIn(COMPILE, { result: { query: QUERY }, note: { replace: { with: 'x' } } })).toBe(1);
  expect(rulesIn(COMPILE, { result: { query: QUERY }, ...others })).toBeUndefined();
});

/** What OPA compiles to a mask of a table, and to a filter by it. */
const maskOf = (table: string) => ({
  result: { query: {}, masks: { [table]: { ssn: { replace: { value: 'x' } } } } },
});
const filterBy = (table: string) => ({ result: { query: { ...QUERY, field: `${table}.country` } } });

test.each([
  ['masks would be about properties that no record has', maskOf],
  ['filters would be about attributes that no record has', filterBy],
])('a table that differs from the asset type by the case of its letters is refused: %s', (_why, answer) => {
  const { assetType } = questionOf({}).settings;
  expect(rulesIn(COMPILE, answer(assetType))).toBeGreaterThan(0);
  expect(rulesIn(COMPILE, answer(`${assetType}s`))).toBeGreaterThan(0);
  expect(rulesIn(COMPILE, answer(_.capitalize(assetType)))).toBeUndefined();
});

test.each<[object]>([
  [{ rules: JSON.stringify([RULE]) }],
  [{ note: { text: JSON.stringify({ rules: [RULE] }) } }],
])('rules in a text where AuthZEN has none are refused: %j', (others) => {
  const { context } = obliging(OBLIGATION);
  const answer = { decision: true, context: { ...context, note: '{"a":1}', list: '["rules"]' } };
  expect(rulesIn(AUTHZEN, answer)).toBe(1);
  expect(rulesIn(AUTHZEN, { ...answer, context: { ...context, ...others } })).toBeUndefined();
  expect(rulesIn(AUTHZEN, { ...answer, ...others })).toBeUndefined();
  expect(rulesIn(AUTHZEN, obliging({ ...OBLIGATION, ...others }))).toBeUndefined();
});

test('texts that look like rules are refused if there are very many: to read them would take long', () => {
  const text = '[{"action":"x","policy":"y"';
  const notes = (count: number) => Array.from({ length: count }, () => ({ text }));
  const answer = (count: number) => ({
    decision: true,
    context: { ...obliging(OBLIGATION).context, notes: notes(count) },
  });
  expect(rulesIn(AUTHZEN, answer(1000))).toBe(1);
  expect(rulesIn(AUTHZEN, answer(300_000))).toBeUndefined();
});

test('rules in the id of an obligation are refused', () => {
  expect(rulesIn(AUTHZEN, obliging({ ...OBLIGATION, id: { rules: [RULE] } }))).toBeUndefined();
});

test.each<[object]>([[{ rules: [RULE] }], [{ response: DECISION.response }]])(
  'rules in the reason of OPA are refused beside %j',
  (result) => {
    expect(rulesIn(OPA, { result: { ...result, reason: 'office hours' } })).toBeDefined();
    expect(rulesIn(OPA, { result: { ...result, reason: { rules: [RULE] } } })).toBeUndefined();
  },
);

test.each<[object]>([
  [{ note: [ENTRY] }],
  [{ note: { x: RULE } }],
  [{ note: TREE }],
  [{ list: [{ y: [RULE] }] }],
])('parts of a decision beside the result of OPA are refused: %j', (others) => {
  const answer = { result: { rules: [RULE] }, decision_id: '1', metrics: { timer: 1 } };
  expect(rulesIn(OPA, answer)).toBe(1);
  expect(rulesIn(OPA, { ...answer, ...others })).toBeUndefined();
});

describe('names near rules beside what OPA decides', () => {
  test.each(['roles', 'files', 'routes'])('are for others: %s', (name) => {
    const others = { [name]: ['Agent'] };
    expect(rulesIn(OPA, { ...others, result: { rules: [RULE] } })).toBe(1);
    expect(rulesIn(OPA, { result: { ...DECISION, ...others } })).toBe(rulesIn(RESOLUTION, DECISION));
  });
});

describe('rules in outputs of Cerbos that are no rules document', () => {
  const document = { rules: [RULE] };

  test.each([
    ['in a list', [document]],
    ['in a list with others', ['x', { a: [document] }]],
    ['below a name', { out: document }],
    ['as a text', JSON.stringify(document)],
    ['as a text of a list', ` ${JSON.stringify([document])}`],
    ['misspelt, in a list', [{ rulse: [RULE] }]],
    ['a rule alone', RULE],
    ['a list of rules', [RULE]],
    ['a text of a rule', JSON.stringify(RULE)],
    ['a text below a name', { doc: JSON.stringify(document) }],
    ['a text in a list', [[JSON.stringify(document)]]],
    ['a rule without properties', { effect: 'denied', action: 'FILTER' }],
    ['a rule for assets', { action: 'FILTER', assets: { type: 'a', ids: ['1'] } }],
    ['a rule that sets a value', { properties: 'all', action: { name: 'a', value: 'x' } }],
    ['a list of fields', { redact_fields: ['ssn'] }],
    ['a rule with a condition', { x: { action: 'FILTER', when: TREE } }],
    ['a rule below an object', { x: { action: 'MASK', object: 'c' } }],
    ['a rule of a policy', { x: { action: 'MASK', policy: 'p' } }],
    ['a text of a list of fields', JSON.stringify({ redact_fields: ['ssn'] })],
    ['a text of a denied filter', JSON.stringify([{ action: 'FILTER', effect: 'denied' }])],
    ['a text of a rule of a policy', JSON.stringify({ x: { action: 'MASK', policy: 'p' } })],
    ['a text of rules in other letters', JSON.stringify({ Rules: [{ actoin: 'MASK' }] })],
    ['a text of a rule that ends early', '{"action":"MASK","properties":["ssn"]'],
    ['a text of a rule with a condition', JSON.stringify({ action: 'FILTER', when: {} })],
    ['beside other rules', { rules: [], rule: [RULE] }],
  ])('are refused: %s', (_case, val) => {
    expect(rulesIn(AUTHZEN, outputs([output(document)]))).toBe(1);
    expect(rulesIn(AUTHZEN, outputs([output(document), output(val)]))).toBeUndefined();
  });
});

test.each([
  ['results', (lost: object) => ({ results: [], ...lost })],
  ['outputs', (lost: object) => ({ results: [{ outputs: [], ...lost }] })],
  ['val', (lost: object) => ({ results: [{ outputs: [{ val: { rules: [] }, ...lost }] }] })],
])('rules beside the %s of Cerbos are refused', (_name, around) => {
  const answer = (lost: object) => ({ decision: true, context: { 'cerbos.response': around(lost) } });
  expect(rulesIn(AUTHZEN, answer({ note: { text: 'x' } }))).toBe(0);
  expect(rulesIn(AUTHZEN, answer({ note: { rules: [RULE] } }))).toBeUndefined();
});

describe('a part that is not read', () => {
  test('may have very many objects very deep', () => {
    const many = Array.from({ length: 400_000 }, () => '{"a":1}').join();
    const deep = `${'['.repeat(900)}${many}${']'.repeat(900)}`;
    for (const [protocol, text] of [
      [RESOLUTION, `{"note":${deep},"response":[]}`],
      [OPA, `{"note":${deep},"result":{"rules":[]}}`],
      [AUTHZEN, `{"decision":true,"context":{"note":${deep}}}`],
    ] as const)
      expect(protocol.read([Buffer.from(text)], questionOf({ entityId: 'a' })).properties).toEqual([]);
  });
});

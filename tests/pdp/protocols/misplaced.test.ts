import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { ServiceError } from '../../../src/errors.ts';
import type { Protocol } from '../../../src/pdp/protocol.ts';
import { authzenEndpoints, authzenProtocol } from '../../../src/pdp/protocols/authzen/index.ts';
import { opaProtocol } from '../../../src/pdp/protocols/opa/index.ts';
import { resolutionProtocol } from '../../../src/pdp/protocols/resolution/index.ts';
import { misspellings } from '../../faults/mutations.ts';
import { questionOf } from '../questions.ts';

const AT = { pdpAction: 'read', pdpContext: {}, bareDecision: 'allow' } as const;
const URL_OF_PDP = new URL('http://pdp:1/v1/data/masking');
const OPA = opaProtocol({ ...AT, url: URL_OF_PDP, pdpHeaders: [] });
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
    { access: [ENTRY], privileges: { allowed: [], denied: [] } },
  ],
};
const RULE = { properties: ['ssn'], action: 'MASK' };
const OBLIGATION = { id: 'o', type: 'filter', properties: { filter: { rules: [RULE] } } };
const output = (val: unknown) => ({ src: 'policy', val });
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
}

const OF_DECISION: Pick<Case, 'parts' | 'targets'> = {
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
  ],
};
const within = (name: string, { parts, targets }: typeof OF_DECISION): typeof OF_DECISION => ({
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
  },
  'a decision from OPA': { protocol: OPA, answer: { result: DECISION }, ...within('result', OF_DECISION) },
  'rules from OPA beside a decision': {
    protocol: OPA,
    answer: { result: { ...DECISION, rulesOfMine: [RULE] } },
    parts: [['result', 'rulesOfMine']],
    targets: [
      [['result'], ['rules']],
      [[], ['rules', 'response']],
    ],
  },
  'rules from OPA': {
    protocol: OPA,
    answer: { result: { rules: [RULE], allow: true }, metrics: {} },
    parts: [['result', 'rules']],
    targets: [
      [['result'], ['rules']],
      [[], ['rules', 'response']],
    ],
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
      context: { obligations: [OBLIGATION, { ...OBLIGATION, properties: { filter: { rules: [] } } }] },
      spare: { rules: [RULE] },
    },
    parts: [
      ['spare', 'rules'],
      ['context', 'obligations', 0, 'properties', 'filter', 'rules'],
    ],
    targets: [
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
  },
  'obligations of AuthZEN': {
    protocol: AUTHZEN,
    answer: {
      decision: true,
      context: { reason_user: { en: 'x' }, list: [{ a: 1 }], obligations: [OBLIGATION], mine: [OBLIGATION] },
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
  try {
    const { properties, filters } = protocol.read(
      [Buffer.from(JSON.stringify(answer))],
      questionOf({ entityId: 'a' }),
    );
    return properties.length + filters.length;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** Many members that no PDP protocol has, before the one that counts. */
const FILLING = Object.fromEntries(Array.from({ length: 1500 }, (_one, i) => [`filling${i}`, i]));

describe.each(Object.entries(CASES))(
  '%s: rules that are somewhere else',
  (_name, { protocol, answer, parts, targets }) => {
    test('are refused or read, never lost', () => {
      const anyMove = fc.record({
        part: fc.constantFrom(...parts),
        target: fc
          .constantFrom(...targets)
          .chain(([place, names]) =>
            fc
              .constantFrom(...names.flatMap((name) => [name, ...misspellings(name)]))
              .map((name) => ({ place, name })),
          ),
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
      const lost = fc.property(anyMove, ({ part, target: { place, name }, isFilled }) => {
        const changed = _.cloneDeep(answer);
        const object: unknown = place.length === 0 ? changed : _.get(changed, place);
        fc.pre(_.isPlainObject(object) && !_.has(object, [name]) && !_.isEqual(part, place.concat(name)));
        const value: unknown = _.get(changed, part);
        _.unset(changed, part);
        if (isFilled) _.assign(object, FILLING);
        _.set(changed, [...place, name], value);
        moved++;
        const rules = rulesIn(protocol, changed);
        return rules === undefined || rules >= known + (withoutPart(part) < known ? 0 : 1);
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
  ])('is refused: %s', (_name, resource) => {
    expect(rulesIn(RESOLUTION, { response: [resource] })).toBeUndefined();
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
  ])('are refused: %s', (_case, val) => {
    expect(rulesIn(AUTHZEN, outputs([output(document)]))).toBe(1);
    expect(rulesIn(AUTHZEN, outputs([output(document), output(val)]))).toBeUndefined();
  });
});

import type { Mutation } from './mutations.ts';
import type { RichCase } from './rich-decision.ts';

type Understood = readonly (readonly [place: RegExp, ...kinds: string[]])[];

/** What a rules document may say as well, so that it may show more: fewer rules, no condition, other values. */
const IN_RULES: Understood = [
  [/\/rules$/u, 'an empty list'],
  [/\/(?:rules|obligations|properties|redact_fields|all|any|values|outputs|results)\/\d+$/u, 'nothing'],
  [/\/(?:when|object|effect|priority|type|match|assetType|metadata|dryRun|policy|maskShort)$/u, 'nothing'],
  [/\/metadata$/u, 'an empty object'],
  // A scalar counts as a list of one.
  [/\/values$/u, 'true', 'a number', 'a number beyond all', 'a text', 'an empty text'],
  [/\/values\/\d+$/u, 'true', 'a number', 'a number beyond all'],
  [/\/priority$/u, 'a number'],
  [/\/redact_fields$/u, 'an empty list'],
  [/\/value$/u, 'a number', 'a number beyond all', 'nothing'],
];

const ANY_VALUE = [
  'null',
  'true',
  'a number',
  'a number beyond all',
  'a text',
  'an empty text',
  'an empty list',
  'an empty object',
];

/** What OPA may compile as well: another query, and masks that show. */
const IN_COMPILED: Understood = [
  [/^result\/query$/u, 'an empty object'],
  [/\/query\/.*value\/\d+$/u, 'nothing', ...ANY_VALUE],
  [/\/value$/u, 'a text', 'an empty text', 'true', 'a number', 'a number beyond all'],
  [/\/masks$/u, 'nothing', 'an empty object'],
  [/\/masks\/tickets$/u, 'nothing', 'an empty object', 'misspelt'],
  [/\/masks\/tickets\/\w+$/u, 'nothing', 'an empty object', 'misspelt'],
  [/\/masks\/tickets\/\w+\/replace$/u, 'nothing', 'an empty object'],
  [/\/replace\/value$/u, 'nothing', 'a list of null', 'a list of lists', 'an object', ...ANY_VALUE],
];

function knownIn(understood: Understood): (mutation: Mutation) => boolean {
  return ({ place, kind }) =>
    understood.some(([known, ...kinds]) => known.test(place) && kinds.includes(kind));
}

const customer = (n: number, country: string, isHeld: boolean) => ({
  id: `id-${n}`,
  country,
  isHeld,
  ssn: `ssn-${n}`,
  phone: `phone-number-${n}`,
  balance: 1000 + n,
  email: `email-${n}`,
  address: { street: `street-${n}` },
});
const PAYLOAD = [customer(1, 'US', false), customer(2, 'CA', true), customer(3, 'ES', false)];

const RULES = [
  {
    policy: 'Numbers',
    properties: ['ssn'],
    action: 'MASK',
    priority: 2,
    metadata: { owner: 'security' },
    maskShort: true,
  },
  { policy: 'Streets', object: 'address', properties: ['street'], action: { name: 'SET', value: 'hidden' } },
  {
    policy: 'Balances',
    properties: ['balance'],
    action: 'MASK',
    when: {
      any: [
        { attribute: 'country', operator: 'IN', values: ['US', 'CA'] },
        { all: [{ attribute: 'id', operator: 'EQUALS', values: ['id-3'], match: 'ALL' }] },
      ],
    },
  },
  {
    policy: 'Region',
    assetType: 'columns',
    action: 'FILTER',
    when: { attribute: 'country', operator: 'IN', type: 'STRING', values: ['US', 'CA'] },
  },
  {
    policy: 'Hold',
    effect: 'denied',
    action: 'FILTER',
    when: { attribute: 'isHeld', operator: 'EQUALS', type: 'BOOLEAN', values: [true] },
  },
  { policy: 'Try', properties: ['phone'], action: 'last(2)', dryRun: 'id' },
];

const DOCUMENT = {
  parameters: {},
  payload: PAYLOAD,
  isUnderstood: knownIn(IN_RULES),
  doubles: true,
} as const;
const AUTHZEN = { pdpProtocol: 'authzen' };

/** Answers of OPA and of AuthZEN PDPs that make use of every part that they may have. */
export const RICH_DOCUMENTS: readonly RichCase[] = [
  {
    ...DOCUMENT,
    name: 'OPA',
    config: { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/data/masking' },
    decision: { result: { allow: true, rules: RULES } },
  },
  {
    name: 'OPA, compiled,',
    config: { pdpProtocol: 'opa', pdpUrl: '{pdp}/v1/compile/x' },
    parameters: { assetType: 'tickets' },
    payload: PAYLOAD,
    isUnderstood: knownIn(IN_COMPILED),
    doubles: true,
    decision: {
      result: {
        query: {
          type: 'compound',
          operator: 'and',
          value: [
            { type: 'field', operator: 'in', field: 'tickets.country', value: ['US', 'CA'] },
            {
              type: 'compound',
              operator: 'not',
              value: [{ type: 'field', operator: 'eq', field: 'tickets.isHeld', value: true }],
            },
          ],
        },
        masks: {
          tickets: { ssn: { replace: { value: '<hidden>' } }, balance: { replace: { value: null } } },
        },
      },
    },
  },
  {
    ...DOCUMENT,
    name: 'AuthZEN with obligations',
    config: AUTHZEN,
    decision: {
      decision: true,
      context: {
        obligations: [
          { id: 'o1', type: 'filter', properties: { filter: { rules: RULES } } },
          { id: 'o2', type: 'filter', properties: { filter: { redact_fields: ['email'] } } },
          { id: 'o3', type: 'custom', properties: { vendor: 'authz-jsonmasking', rules: RULES.slice(0, 1) } },
        ],
      },
    },
  },
  {
    ...DOCUMENT,
    name: 'AuthZEN with outputs of Cerbos',
    config: AUTHZEN,
    decision: {
      decision: true,
      context: {
        'cerbos.response': {
          results: [{ outputs: [{ src: 'resource.x.vdefault#a', action: 'read', val: { rules: RULES } }] }],
        },
      },
    },
  },
  {
    ...DOCUMENT,
    name: 'AuthZEN by property',
    config: {
      ...AUTHZEN,
      authzen: { properties: [{ path: 'ssn' }, { path: 'email' }, { path: 'balance' }] },
    },
    // What is true may be false, but not the other way round: that is another decision.
    isUnderstood: ({ place, kind }) => place.endsWith('/decision') && kind === 'true',
    decision: {
      evaluations: [{ decision: false }, { decision: true }, { decision: false, context: { reason: 'no' } }],
    },
  },
];

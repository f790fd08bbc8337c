import type { Json } from './json.ts';

/** A request and its answer if `examples/policies/demo.yaml` decides. */
interface EnforceExample {
  readonly name: string;
  readonly summary: string;
  readonly request: { readonly parameters: Json; readonly vendor: Json; readonly json: unknown };
  readonly response: unknown;
}

const AGENT: Json = { entityTypeId: 'Agent', entityId: 'jane' };

/** What the sample policies show, one thing an example. */
export const ENFORCE_EXAMPLES: readonly EnforceExample[] = [
  {
    name: 'masking',
    summary: 'Properties are masked, wholly or in part, and a missing one is set.',
    request: {
      parameters: {},
      vendor: AGENT,
      json: [{ id: 'c1', phone: '+1 202 555 0143', country: 'US', vip: false, creditLimit: 12_500 }],
    },
    response: [
      {
        id: 'c1',
        phone: '+1 xxxxxxxxx143',
        country: 'US',
        vip: false,
        creditLimit: null,
        consent: { marketing: 'unknown' },
      },
    ],
  },
  {
    name: 'filter',
    summary: 'Records of which the user may see nothing are removed.',
    request: {
      parameters: { root: 'customers', filter: true, maskString: '(hidden)' },
      vendor: AGENT,
      json: {
        customers: [
          { id: 'c2', name: 'Bob Ray', country: 'CA', vip: true, consent: { marketing: '' } },
          { id: 'c3', name: 'Eva Sol', country: 'ES', vip: false },
        ],
      },
    },
    response: {
      customers: [
        { id: 'c2', name: 'Confidential', country: 'CA', vip: true, consent: { marketing: 'unknown' } },
      ],
    },
  },
  {
    name: 'context',
    summary: 'The PDP decides by what it knows of the assets that the payload names.',
    request: {
      parameters: {
        calculationType: 'context',
        assetType: 'accounts',
        protectedObject: 'Account',
        assetId: 'id',
        filter: true,
      },
      vendor: AGENT,
      json: [
        { id: 'a1', balance: 310.25 },
        { id: 'a2', balance: 98_000.1 },
        { id: 'a3', balance: 12 },
      ],
    },
    response: [
      { id: 'a1', balance: 310.25 },
      { id: 'a2', balance: null },
    ],
  },
];

/** The examples of one side, as a media type has them. */
export function enforceExamples(side: 'request' | 'response'): Json {
  return Object.fromEntries(
    ENFORCE_EXAMPLES.map((example) => [example.name, { summary: example.summary, value: example[side] }]),
  );
}

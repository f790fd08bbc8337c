import type { Mutation } from './mutations.ts';

/** A mode of enforcement with a payload, and a decision that makes use of every part that a decision may have. */
export interface RichCase {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
  readonly decision: unknown;
  /** The configuration, if it is not that of the specification's protocol. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether a mutation only makes another valid decision, if the protocol is another. */
  readonly isUnderstood?: (mutation: Mutation) => boolean;
  /** Whether names that occur twice are tried too. */
  readonly doubles?: true;
}

const customer = (n: number, country: string, status: string) => ({
  id: `id-${n}`,
  country,
  status,
  ssn: `ssn-${n}`,
  phone: `phone-number-${n}`,
  balance: 1000 + n,
  note: `note-${n}`,
  medical: `medical-${n}`,
  email: `email-${n}`,
  address: { street: `street-${n}`, zip: `zip-${n}` },
  cards: [{ number: `card-${n}-a` }, { number: `card-${n}-b` }],
});

const leaf = (attribute: string, operator: string, values: unknown, more = {}) => ({
  attribute,
  operator,
  values,
  ...more,
});

const policy = (name: string, metadata: unknown = {}) => [{ name, metadata }];

const RESOLUTION: RichCase = {
  name: 'resolution',
  parameters: { filter: true },
  payload: [
    customer(1, 'US', 'closed'),
    customer(2, 'CA', 'open'),
    customer(3, 'ES', 'open'),
    customer(4, 'US', 'held'),
  ],
  decision: {
    tokenValidity: 300,
    response: [
      {
        access: [
          {
            path: 'ssn',
            resourceType: 'columns',
            attributes: { column: ['ssn'], table: [] },
            actions: [{ action: 'MASK' }],
            policies: policy('Mask numbers', { owner: 'security' }),
          },
          {
            path: 'address.street',
            resourceType: 'columns',
            attributes: { column: 'street', table: ['address'] },
            actions: [
              { action: '2::HIDDEN', policies: policy('Hide streets') },
              { action: 'KEEP', value: '1::last(2)' },
            ],
            accessPolicies: policy('Streets'),
          },
          { path: 'cards.#.number', resourceType: 'columns', actions: [{ action: 'MASK' }] },
          {
            path: 'email',
            resourceType: 'columns',
            attributes: { column: ['email'] },
            actions: [{ action: 'MASK' }],
            policies: [{ policyName: 'Try it', metadata: [{ key: 'DRY_RUN', value: ['id'] }] }],
          },
        ],
        privileges: {
          allowed: [
            {
              resourceType: 'columns',
              actions: [
                {
                  action: 'FILTER',
                  'asset-attributes-filter': {
                    OR: [
                      { AND: [leaf('country', 'IN', ['US', 'CA'], { type: 'STRING', match: 'ANY' })] },
                      leaf('status', 'EQUALS', ['vip']),
                    ],
                  },
                  policies: policy('By country'),
                },
                {
                  action: 'MASK',
                  'asset-attributes-filter': {
                    AND: [leaf('column', 'EQUALS', ['note']), leaf('status', 'NOTEQUALS', ['vip'])],
                  },
                },
                {
                  action: 'first(1)',
                  'asset-attributes-filter': {
                    AND: [
                      leaf('column', 'IN', ['balance', 'phone']),
                      leaf('balance', 'LESS', 100_000, { type: 'NUMBER' }),
                    ],
                  },
                },
              ],
            },
          ],
          denied: [
            {
              resourceType: 'columns',
              actions: [
                { action: 'FILTER', 'asset-attributes-filter': leaf('status', 'EQUALS', 'held') },
                { action: 'SHOW', 'asset-attributes-filter': leaf('column', 'EQUALS', ['medical']) },
              ],
              policies: policy('Never'),
            },
          ],
        },
      },
    ],
  },
};

const account = (n: number) => ({ id: 8600 + n, owner: `owner-${n}`, balance: `balance-${n}` });

const CONTEXT: RichCase = {
  name: 'context',
  parameters: { filter: true, calculationType: 'context', assetId: 'id', protectedObject: 'Account' },
  payload: [account(1), account(2), account(3)],
  decision: {
    data: {
      response: [
        {
          access: [
            { path: 8601, resourceType: 'Account', actions: [{ action: 'FILTER' }] },
            {
              path: '8602',
              resourceType: 'Account',
              attributes: { column: ['balance'] },
              actions: [{ action: 'FILTER' }, { action: 'MASK' }],
              policies: policy('Joint accounts'),
            },
            { path: 'owner', resourceType: 'columns', actions: [{ action: 'MASK' }] },
          ],
        },
      ],
    },
  },
};

export const RICH_CASES: readonly RichCase[] = [RESOLUTION, CONTEXT];

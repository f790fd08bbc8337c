import { describe, expect, test } from '@jest/globals';
import { accessEntry, ask, decision, policiesFrom } from './ask.ts';

/** The decision of policies written below `policies:`. */
async function decide(policies: string, vendor = {}): Promise<unknown> {
  return ask(policiesFrom(`policies:\n${policies}`), vendor);
}

const metadata = {};

describe('the access section', () => {
  test('has an entry for each property of a policy without a condition', async () => {
    const answer = await decide('  - { name: P, properties: [ssn, card.number], action: MASK }');
    expect(answer).toEqual(
      decision({ access: [accessEntry('ssn', 'MASK', 'P'), accessEntry('card.number', 'MASK', 'P')] }),
    );
  });

  test('names the prefix of the properties as an attribute of its own, and the whole path as the asset', async () => {
    const answer = await decide('  - { name: P, object: customer, properties: [ssn], action: last4 }');
    const attributes = { column: ['ssn'], table: ['customer'] };
    const entry = {
      path: 'customer.ssn',
      resourceType: 'columns',
      attributes,
      actions: [{ action: 'last4' }],
    };
    expect(answer).toEqual(decision({ access: [{ ...entry, policies: [{ name: 'P', metadata }] }] }));
  });

  test('keeps the order of the policies in the file', async () => {
    const answer = await decide(`
  - { name: B, properties: [v], action: first(2) }
  - { name: A, properties: [v], action: MASK }`);
    expect(answer).toEqual(
      decision({ access: [accessEntry('v', 'first(2)', 'B'), accessEntry('v', 'MASK', 'A')] }),
    );
  });

  test.each([
    ['MASK', { action: 'MASK' }],
    ['mask', { action: 'mask' }],
    ['last', { action: 'last' }],
    ['first4', { action: 'first4' }],
    ["'middle(2, #)'", { action: 'middle(2, #)' }],
    ["'edges(, x)'", { action: 'edges(, x)' }],
    ['{ name: SHOW_TAIL, value: last(4) }', { action: 'SHOW_TAIL', value: 'last(4)' }],
    ['{ name: SET, value: 1.10 }', { action: 'SET', value: '1.10' }],
  ])('answers the action %s as it is written', async (action, expected) => {
    const answer = await decide(`  - { name: P, properties: [v], action: ${action} }`, {
      includeAccessPolicy: false,
    });
    const entry = { path: 'v', resourceType: 'columns', attributes: { column: ['v'] }, actions: [expected] };
    expect(answer).toEqual(decision({ access: [entry] }));
  });

  test.each([
    ['MASK', { action: '7::MASK' }],
    ['{ name: SET, value: unknown }', { action: 'SET', value: '7::unknown' }],
    ["{ name: SET, value: '' }", { action: '7::SET', value: '' }],
    ["{ name: MASK, value: '' }", { action: '7::MASK', value: '' }],
    ["{ name: SET, value: ' ' }", { action: '7::SET', value: ' ' }],
  ])('puts the priority in front of the value of the action %s', async (action, expected) => {
    const policy = `  - { name: P, properties: [v], action: ${action}, priority: 7 }`;
    const answer = await decide(policy, { includeAccessPolicy: false });
    const entry = { path: 'v', resourceType: 'columns', attributes: { column: ['v'] }, actions: [expected] };
    expect(answer).toEqual(decision({ access: [entry] }));
  });

  test('has the metadata of the policy', async () => {
    const answer = await decide(
      '  - { name: P, properties: [v], action: MASK, metadata: { DRY_RUN: id, owner: me } }',
    );
    const policies = [{ name: 'P', metadata: { DRY_RUN: 'id', owner: 'me' } }];
    expect(answer).toEqual(decision({ access: [{ ...Object(accessEntry('v', 'MASK', 'P')), policies }] }));
  });
});

describe('the privileges section', () => {
  test('has the conditions of a policy below those that name its properties', async () => {
    const answer = await decide(`
  - name: P
    object: customer
    properties: [name, ssn]
    action: last(4)
    priority: 3
    when: { attribute: country, operator: IN, values: [DE, AT], match: ALL }`);
    const filter = {
      AND: [
        { attribute: 'column', type: 'STRING', operator: 'IN', values: ['customer.name', 'customer.ssn'] },
        { attribute: 'country', type: 'STRING', operator: 'IN', values: ['DE', 'AT'], match: 'ALL' },
      ],
    };
    const action = {
      action: '3::last(4)',
      'asset-attributes-filter': filter,
      policies: [{ name: 'P', metadata }],
    };
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions: [action] }] }));
  });

  test('nests conditions as they are written', async () => {
    const answer = await decide(
      `
  - name: P
    action: FILTER
    when:
      any:
        - { attribute: age, operator: greate, type: INTEGER, values: [17] }
        - all:
            - { attribute: vip, operator: Equals, type: BOOLEAN, values: [true] }
            - { attribute: since, operator: LESS_EQUALS, type: DATE, values: [2024-01-31] }
            - { attribute: version, operator: NOT_IN, values: [1.10, 007] }`,
      { includeAccessPolicy: false },
    );
    const filter = {
      AND: [
        {
          OR: [
            { attribute: 'age', type: 'INTEGER', operator: 'GREATER', values: ['17'] },
            {
              AND: [
                { attribute: 'vip', type: 'BOOLEAN', operator: 'EQUALS', values: ['true'] },
                { attribute: 'since', type: 'DATE', operator: 'LESS_EQUALS', values: ['2024-01-31'] },
                { attribute: 'version', type: 'STRING', operator: 'NOT_IN', values: ['1.10', '007'] },
              ],
            },
          ],
        },
      ],
    };
    const actions = [{ action: 'FILTER', 'asset-attributes-filter': filter }];
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions }] }));
  });

  test.each([
    ['GREAT', 'GREATER'],
    ['greate', 'GREATER'],
    ['GreatEquals', 'GREATER_EQUALS'],
    ['NOT_EQUALS', 'NOTEQUALS'],
    ['STARTWITH', 'STARTS_WITH'],
    ['END_WITH', 'ENDS_WITH'],
  ])('has the operator %s as %s', async (written, operator) => {
    const answer = await decide(
      `  - { name: P, action: FILTER, when: { attribute: s, operator: ${written}, values: [x] } }`,
      { includeAccessPolicy: false },
    );
    const filter = { AND: [{ attribute: 's', type: 'STRING', operator, values: ['x'] }] };
    const actions = [{ action: 'FILTER', 'asset-attributes-filter': filter }];
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions }] }));
  });

  test('has an empty condition, which always holds, for a filter without one', async () => {
    const answer = await decide('  - { name: P, action: FILTER }', { includeAccessPolicy: false });
    const actions = [{ action: 'FILTER', 'asset-attributes-filter': { AND: [] } }];
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions }] }));
  });

  test('says nothing of properties if a policy is about all of them', async () => {
    const answer = await decide(
      `  - { name: P, properties: all, action: MASK, when: { attribute: s, operator: EQUALS, values: [x] } }`,
      { includeAccessPolicy: false },
    );
    const filter = { AND: [{ attribute: 's', type: 'STRING', operator: 'EQUALS', values: ['x'] }] };
    const actions = [{ action: 'MASK', 'asset-attributes-filter': filter }];
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions }] }));
  });

  test('masks every property if a policy about all of them has no condition', async () => {
    const answer = await decide('  - { name: P, properties: all, action: MASK }', {
      includeAccessPolicy: false,
    });
    const actions = [{ action: 'MASK', 'asset-attributes-filter': { AND: [] } }];
    expect(answer).toEqual(decision({ allowed: [{ resourceType: 'columns', actions }] }));
  });

  test('has denied policies apart from the allowed ones, with and without a condition', async () => {
    const answer = await decide(
      `
  - { name: P, effect: denied, properties: [note], action: MASK }
  - { name: Q, effect: denied, action: FILTER, when: { attribute: s, operator: EQUALS, values: [x] } }`,
      { includeAccessPolicy: false },
    );
    const note = { AND: [{ attribute: 'column', type: 'STRING', operator: 'EQUALS', values: ['note'] }] };
    const hold = { AND: [{ attribute: 's', type: 'STRING', operator: 'EQUALS', values: ['x'] }] };
    expect(answer).toEqual(
      decision({
        denied: [
          { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': note }] },
          { resourceType: 'columns', actions: [{ action: 'FILTER', 'asset-attributes-filter': hold }] },
        ],
      }),
    );
  });
});

describe('what the question asks for', () => {
  const POLICIES = `
  - { name: P, properties: [v], action: MASK }
  - { name: Q, assetType: documents, properties: [title], action: MASK }`;

  test.each([[undefined], [false]])(
    'attributes are left out if includeAssetAttributes is %s',
    async (flag) => {
      const answer = await decide('  - { name: P, properties: [v], action: MASK }', {
        includeAssetAttributes: flag,
      });
      const entry = { path: 'v', resourceType: 'columns', actions: [{ action: 'MASK' }] };
      expect(answer).toEqual(decision({ access: [{ ...entry, policies: [{ name: 'P', metadata }] }] }));
    },
  );

  test.each([[undefined], [false]])('policies are left out if includeAccessPolicy is %s', async (flag) => {
    const answer = await decide('  - { name: P, properties: [v], action: MASK }', {
      includeAccessPolicy: flag,
    });
    const entry = {
      path: 'v',
      resourceType: 'columns',
      attributes: { column: ['v'] },
      actions: [{ action: 'MASK' }],
    };
    expect(answer).toEqual(decision({ access: [entry] }));
  });

  test('only the asset types in resourceTypes are answered', async () => {
    const answer = await decide(POLICIES, {
      resourceTypes: [{ name: 'documents' }],
      includeAccessPolicy: false,
    });
    const attributes = { column: ['title'] };
    const entry = { path: 'title', resourceType: 'documents', attributes, actions: [{ action: 'MASK' }] };
    expect(answer).toEqual(decision({ access: [entry] }));
  });

  test('all asset types are answered without resourceTypes', async () => {
    const answer = JSON.stringify(await decide(POLICIES));
    expect(answer).toContain('"resourceType":"columns"');
    expect(answer).toContain('"resourceType":"documents"');
  });

  test('an asset type that no policy is for is refused, being misspelt or forgotten', async () => {
    await expect(decide(POLICIES, { resourceTypes: [{ name: 'colums' }] })).rejects.toMatchObject({
      code: 'request-invalid',
      message: 'No policy is for the asset type "colums".',
    });
  });

  test('policies that are for other callers are a decision without entries', async () => {
    const policy = '  - { name: P, for: { entityIds: [max] }, properties: [v], action: MASK }';
    expect(await decide(policy, { entityId: 'jane' })).toEqual(decision({}));
  });
});

describe('the settings of the file', () => {
  test('name the attributes, the default asset type and the validity of the answer', async () => {
    const policies = policiesFrom(`
attrName: field
object: entity
assetType: fields
tokenValidity: 300
policies:
  - { name: P, object: o, properties: [p], action: MASK }
  - { name: Q, properties: [q], action: MASK, when: { attribute: s, operator: EQUALS, values: [x] } }`);
    expect(await ask(policies, { includeAccessPolicy: false })).toEqual({
      tokenValidity: 300,
      maskShort: true,
      response: [
        {
          access: [
            {
              path: 'o.p',
              resourceType: 'fields',
              attributes: { field: ['p'], entity: ['o'] },
              actions: [{ action: 'MASK' }],
            },
          ],
          privileges: {
            allowed: [
              {
                resourceType: 'fields',
                actions: [
                  {
                    action: 'MASK',
                    'asset-attributes-filter': {
                      AND: [
                        { attribute: 'field', type: 'STRING', operator: 'EQUALS', values: ['q'] },
                        { attribute: 's', type: 'STRING', operator: 'EQUALS', values: ['x'] },
                      ],
                    },
                  },
                ],
              },
            ],
            denied: [],
          },
        },
      ],
    });
  });
});

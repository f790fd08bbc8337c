import { describe, expect, test } from '@jest/globals';
import { ask, policiesFrom } from './ask.ts';

const POLICIES = policiesFrom(`
mappers:
  columns:
    orders-v2: { customer.ssn: buyers.#.id.ssn, name: buyers.#.name, country: address.country }
    orders-v3: { customer.ssn: ssn, name: name, country: country, id: number }
  documents:
    orders-v3: { title: heading }
    letters: { title: subject }
policies:
  - { name: A, object: customer, properties: [ssn], action: MASK, metadata: { DRY_RUN: id } }
  - name: B
    properties: [name]
    action: MASK
    when: { any: [{ attribute: country, operator: EQUALS, values: [DE] }, { attribute: column, operator: IN, values: [x] }] }
  - { name: C, assetType: documents, properties: [title], action: MASK }`);

const NAMED_B = (column: string, country: string) => ({
  AND: [
    { attribute: 'column', type: 'STRING', operator: 'EQUALS', values: [column] },
    {
      OR: [
        { attribute: country, type: 'STRING', operator: 'EQUALS', values: ['DE'] },
        { attribute: 'column', type: 'STRING', operator: 'IN', values: ['x'] },
      ],
    },
  ],
});

/** The decision for the asset type `columns`, with these mappers chosen. */
async function decide(...resourceFullPath: readonly string[]): Promise<unknown> {
  return ask(POLICIES, { resourceTypes: [{ name: 'columns' }], environment: { resourceFullPath } });
}

describe('data mappers', () => {
  test('logical names are answered if none is chosen', async () => {
    const answer = await decide();
    expect(answer).toHaveProperty('response.0.access.0.path', 'customer.ssn');
    expect(answer).toHaveProperty('response.0.access.0.attributes', { column: ['ssn'], table: ['customer'] });
    const filter = 'response.0.privileges.allowed.0.actions.0.asset-attributes-filter';
    expect(answer).toHaveProperty(filter, NAMED_B('name', 'country'));
  });

  test('physical paths are answered in access entries and in conditions, without a prefix', async () => {
    const answer = await decide('orders-v2');
    expect(answer).toHaveProperty('response.0.access.0.path', 'buyers.#.id.ssn');
    expect(answer).toHaveProperty('response.0.access.0.attributes', { column: ['buyers.#.id.ssn'] });
    const filter = 'response.0.privileges.allowed.0.actions.0.asset-attributes-filter';
    expect(answer).toHaveProperty(filter, NAMED_B('buyers.#.name', 'address.country'));
  });

  test('names in conditions are compared as they are in the decision: none is mapped, also if a mapper knows the attribute', async () => {
    const policies = policiesFrom(`
mappers: { columns: { v2: { column: a, table: b, country: c, ssn: d } } }
policies:
  - name: P
    properties: [ssn]
    action: MASK
    when:
      any:
        - { attribute: table, operator: EQUALS, values: [x] }
        - { attribute: column, operator: EQUALS, values: [y] }
        - { attribute: country, operator: EQUALS, values: [z] }`);
    const answer = await ask(policies, { environment: { resourceFullPath: ['v2'] } });
    const filter = 'response.0.privileges.allowed.0.actions.0.asset-attributes-filter';
    expect(answer).toHaveProperty(`${filter}.AND.1.OR`, [
      expect.objectContaining({ attribute: 'table' }),
      expect.objectContaining({ attribute: 'column' }),
      expect.objectContaining({ attribute: 'c' }),
    ]);
  });

  test('the property that identifies a record in dry run is mapped if the mapper knows it', async () => {
    const metadata = 'response.0.access.0.policies.0.metadata';
    expect(await decide('orders-v2')).toHaveProperty(metadata, { DRY_RUN: 'id' });
    expect(await decide('orders-v3')).toHaveProperty(metadata, { DRY_RUN: 'number' });
  });

  test('one name may choose a mapper of each asset type', async () => {
    const answer = JSON.stringify(await ask(POLICIES, { environment: { resourceFullPath: ['orders-v3'] } }));
    expect(answer).toContain('"path":"ssn"');
    expect(answer).toContain('"path":"heading"');
  });

  test('each asset type may have one of its own', async () => {
    const environment = { resourceFullPath: ['orders-v2', 'letters', 'letters'] };
    const answer = JSON.stringify(await ask(POLICIES, { environment }));
    expect(answer).toContain('"path":"buyers.#.id.ssn"');
    expect(answer).toContain('"path":"subject"');
  });

  test('a name that no mapper has is refused', async () => {
    await expect(decide('orders-v1')).rejects.toMatchObject({
      code: 'request-invalid',
      message: 'No data mapper is named "orders-v1".',
      errors: [{ pointer: '/vendor/environment/resourceFullPath' }],
    });
  });

  test('a mapper of an asset type that is not asked for is refused', async () => {
    await expect(decide('letters')).rejects.toThrow('No data mapper is named "letters".');
  });

  test('two mappers for one asset type are refused', async () => {
    const reason = 'Two data mappers are chosen for the asset type "columns".';
    await expect(decide('orders-v2', 'orders-v3')).rejects.toThrow(reason);
  });
});

import { expect, test } from '@jest/globals';
import { enforce, intentFrom } from '../../src/enforcement/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { decision } from '../support/decision.ts';
import { portsOn, SETTINGS } from './ports.ts';

const PARAMETERS = '{"calculationType":"context","protectedObject":"customer","assetId":"id","filter":true}';

/** An entry that shows an asset. */
function showing(id: string, policy: string): object {
  return {
    path: id,
    resourceType: 'customer',
    actions: [{ action: 'FILTER' }],
    policies: [{ name: policy }],
  };
}

/** Explains what the entries of an access section come to. */
async function explained(json: string, access: readonly object[]) {
  const answer = Buffer.from(decision({ access }));
  const ports = {
    ...portsOn({ decide: ({ settings, keys }) => Promise.resolve(decisionFrom(answer, settings, keys)) }),
    settings: SETTINGS,
    explain: { maxExplained: 100, maxBytes: 100_000 },
  };
  const intent = { ...intentFrom({ vendor: '{}', parameters: PARAMETERS }, 4), headers: [] };
  const { payload, explanation } = await enforce(Buffer.from(json), intent, ports);
  return { text: Buffer.concat([...payload]).toString(), explanation };
}

test('a record names the entries about its own assets, though their policy has many', async () => {
  const access = ['1', '2', '3', '2'].map((id) => showing(id, 'Own')).concat(showing('9', 'Other'));
  const json = '[{"id":3},{"id":["1","2"]},{"id":"4"},{"id":"9"}]';
  const { text, explanation } = await explained(json, access);
  expect(text).toBe('[{"id":3},{"id":["1","2"]},{"id":"9"}]');
  const placeOf = (rule: number) => explanation?.rules[rule]?.place.replace('/response/0/access/', '');
  const told = explanation?.records.map(({ pointer, kept, because }) => [
    pointer,
    kept,
    because.map(({ rule, holds }) => `${placeOf(rule)} ${holds ? 'holds' : 'does not'}`),
  ]);
  expect(told).toEqual([
    ['/0', true, ['2 holds', '4 does not']],
    ['/1', true, ['0 holds', '1 holds', '3 holds', '4 does not']],
    ['/2', false, ['0 does not', '4 does not']],
    ['/3', true, ['0 does not', '4 holds']],
  ]);
  expect(explanation?.rules.map(({ place }) => place)).toEqual(
    ['0', '1', '2', '3', '4'].map((i) => `/response/0/access/${i}`),
  );
});

test('of two entries of a policy, a record names the one about its own asset', async () => {
  const access = [showing('1', 'Own'), showing('2', 'Own')];
  const { explanation } = await explained('[{"id":"2"}]', access);
  expect(explanation?.records).toEqual([{ pointer: '/0', kept: true, because: [{ rule: 1, holds: true }] }]);
});

test('a rule about the properties of one asset says nothing of others', async () => {
  const masking = {
    path: '1',
    resourceType: 'customer',
    attributes: { column: ['ssn'] },
    actions: [{ action: 'MASK' }],
  };
  const access = [showing('1', 'Own'), showing('2', 'Own'), masking];
  const { text, explanation } = await explained('[{"id":"1","ssn":"x"},{"id":"2","ssn":"x"}]', access);
  expect(text).toBe('[{"id":"1","ssn":"***"},{"id":"2","ssn":"x"}]');
  expect(explanation?.changes).toEqual([{ pointer: '/0/ssn', effect: 'masked', rule: 0, lost: [] }]);
});

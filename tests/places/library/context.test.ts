import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { answerOf } from './answering.ts';

afterEach(closeAll);

const POLICIES =
  'policies: [{ name: First, assets: { type: Customer, ids: ["1"] }, properties: [ssn], action: MASK }]';
const CONTEXT = { calculationType: 'context', assetId: 'id', protectedObject: 'Customer' } as const;
const CUSTOMERS = [
  { id: 1, ssn: 'a' },
  { id: 2, ssn: 'b' },
];

test.each([
  ['the options say it', { parameters: CONTEXT }],
  ['the route says it', { routes: [{ path: '/', parameters: CONTEXT }] }],
  [
    'the route says something else',
    { parameters: CONTEXT, routes: [{ path: '/', parameters: { maskString: '***' } }] },
  ],
])('answers are masked in context if %s', async (_name, more) => {
  const options = { vendor: { entityId: 'jane' }, ...more };
  const answer = await answerOf(CUSTOMERS, { policies: POLICIES, options });
  expect(answer).toEqual([200, '[{"id":1,"ssn":"***"},{"id":2,"ssn":"b"}]']);
});

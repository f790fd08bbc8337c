import { createServer } from 'node:http';
import express from 'express';
import { afterEach, expect, test } from '@jest/globals';
import { createEnforcer, maskResponses } from '../../../src/library.ts';
import { closeAll, listening, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/process.ts';

afterEach(closeAll);

const POLICIES =
  'policies: [{ name: First, assets: { type: Customer, ids: ["1"] }, properties: [ssn], action: MASK }]';
const CONTEXT = { calculationType: 'context', assetId: 'id', protectedObject: 'Customer' } as const;

test.each([
  ['the options say it', { parameters: CONTEXT }],
  ['the route says it', { routes: [{ path: '/', parameters: CONTEXT }] }],
  [
    'the route says something else',
    { parameters: CONTEXT, routes: [{ path: '/', parameters: { maskString: '***' } }] },
  ],
])('answers are masked in context if %s', async (_name, options) => {
  const enforcer = await createEnforcer({ policyFile: await fileWith(POLICIES) });
  stopLater(() => enforcer.close());
  const app = express().use(
    maskResponses(enforcer, { vendor: { entityId: 'jane' }, ...options }),
    (_request, response) => {
      response.json([
        { id: 1, ssn: 'a' },
        { id: 2, ssn: 'b' },
      ]);
    },
  );
  const server = createServer(app);
  await listening(server);
  const answer = await fetch(`http://127.0.0.1:${portOf(server)}/`);
  expect(await answer.text()).toBe('[{"id":1,"ssn":"***"},{"id":2,"ssn":"b"}]');
});

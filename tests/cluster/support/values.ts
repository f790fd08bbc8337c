import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const json = z.record(z.string(), z.unknown());
const sample = z.looseObject({
  config: json,
  policies: json,
  test: z.object({ request: json, expected: json }),
});

/** The values file that the README installs. */
export const SAMPLE = sample.parse(parse(readFileSync('values.sample.yaml', 'utf8')));

export const SAMPLE_REQUEST = SAMPLE.test.request;

/** A denied, a conditional and a plain mask, for a PDP that everybody's records come back from. */
export const POLICIES = {
  policies: [
    { name: 'Denied', properties: ['ssn'], action: 'MASK', effect: 'denied' },
    {
      name: 'Conditional',
      properties: ['limit'],
      action: 'MASK',
      when: { attribute: 'vip', operator: 'EQUALS', type: 'BOOLEAN', values: [true] },
    },
    { name: 'Plain', properties: ['card'], action: 'last(4)' },
  ],
};

const RECORD = { vip: true, limit: 5, card: '4111111111111111', ssn: '123-45-6789' };

export const REQUEST = { parameters: {}, vendor: {}, json: RECORD };

/** What the policies leave to see. */
export const MASKED = '{"vip":true,"limit":null,"card":"************1111","ssn":"***"}';

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

/** Its names are sorted, as Helm sorts those of a map. */
const RECORD = { card: '4111111111111111', limit: 5, ssn: '123-45-6789', vip: true };

export const REQUEST = { parameters: {}, vendor: {}, json: RECORD };

/** What the policies leave to see. */
export const MASKED = '{"card":"************1111","limit":null,"ssn":"***","vip":true}';

import { expect, test } from '@jest/globals';
import { exportFailure } from '../../../src/telemetry/traces/export-failure.ts';

/** Credentials for the collector, which texts of errors may have in them. */
const SECRET = 'Bearer s3cret';

test.each<[string, unknown]>([
  ['unknown', SECRET],
  ['unknown', { message: SECRET }],
  ['TypeError', new TypeError(SECRET)],
  ['the collector did not answer in time', new Error('Request timed out')],
  ['the collector answered with 401', Object.assign(new Error(SECRET), { code: 401 })],
  ['ECONNREFUSED', Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' })],
])('why traces could not be sent has no text of an error in it: %s', (reason, error) => {
  expect(exportFailure(error)).toBe(reason);
});

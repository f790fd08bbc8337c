import { expect, test } from '@jest/globals';
import { ServiceError } from '../../../src/errors.ts';
import { outcomeOf } from '../../../src/pdp/middleware/outcome.ts';

const ASKED = { calculationType: 'resolution', headers: [] } as const;

test('the outcome of a call has nothing of what an error says', () => {
  const refusal = new ServiceError('pdp-forbidden', 'Jane may not see this.');
  expect(outcomeOf(refusal, ASKED)).toBe('pdp-forbidden');
  expect(outcomeOf(new Error('Jane may not see this.'), ASKED)).toBe('internal-error');
  expect(outcomeOf('Jane may not see this.', ASKED)).toBe('internal-error');
});

test('the outcome of a call whose caller has gone is that, whatever the error', () => {
  const asked = { ...ASKED, signal: AbortSignal.abort() };
  expect(outcomeOf(new ServiceError('pdp-unreachable', 'It is down.'), asked)).toBe('cancelled');
});

import { expect, test } from '@jest/globals';
import { ServiceError } from '../../../src/errors.ts';
import { notEnforced, optionsRefused } from '../../../src/places/command-line/command-failure.ts';

/** What a PDP or a payload may have named, and what is shown of it. */
const ODD = 'a\n\u001B[31mb';
const SHOWN = String.raw`a\n\u001b[31mb`;

const ERRORS = [{ pointer: `/parameters/${ODD}`, detail: ODD }];

test('a payload that cannot be enforced is named on separate lines, none of which writes to the terminal', () => {
  const error = new ServiceError('request-invalid', 'private', { callerDetail: `${ODD}.`, errors: ERRORS });
  expect(notEnforced('a.json', error).message).toBe(
    `a.json: ${SHOWN}. (request-invalid)\n  /parameters/${SHOWN}: ${SHOWN}`,
  );
});

test.each([
  [ERRORS, `--parameters /${SHOWN}: ${SHOWN}`],
  [[], `${SHOWN}. (request-invalid)`],
])('options that are refused are named, and do not write to the terminal: %j', (errors, message) => {
  const error = new ServiceError('request-invalid', 'private', { callerDetail: `${ODD}.`, errors });
  expect(optionsRefused(error).message).toBe(message);
});

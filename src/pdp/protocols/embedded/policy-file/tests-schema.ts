import lodash from 'lodash';
import * as z from 'zod';
import { parametersSchema } from '../../../../enforcement/index.ts';
import { ERROR_TITLES } from '../../../../errors.ts';
import { nearestOf } from '../../../../nearest.ts';
import { closed, expecting, listOf, mapOf, text } from '../../../policies/index.ts';

const ERROR_CODES = Object.keys(ERROR_TITLES);
const expectingCode = expecting('the code of an error (docs/errors.md)');
const errorCode = z.enum(ERROR_CODES, {
  error: (rejected) => expectingCode(rejected) + codesLike(rejected.input),
});
/** What a test can say of a payload: a map, a list, or JSON text. */
const payload = z.unknown().refine(isPayload, { error: expecting('a map, a list, or JSON text') });

const user = closed({
  entityTypeId: text.optional(),
  entityId: text.optional(),
  claims: mapOf(z.unknown()).optional(),
});

const policyTest = closed({
  name: text.max(200, 'must have at most 200 characters'),
  as: user.optional(),
  parameters: closed(lodash.mapValues(parametersSchema.shape, () => z.unknown().optional())).optional(),
  vendor: mapOf(z.unknown()).optional(),
  json: payload,
  expect: payload.optional(),
  expectError: errorCode.optional(),
}).superRefine((test, context) => {
  const isAnswer = test.expect !== undefined;
  if (isAnswer !== (test.expectError !== undefined)) return;
  const path = [isAnswer ? 'expectError' : 'expect'];
  const message = isAnswer
    ? 'contradicts expect; keep one of them'
    : 'is missing: it must be the payload that is answered; if that is an error, give expectError';
  context.addIssue({ code: 'custom', path, message });
});

/** The schema of the tests of a policy file (`docs/testing-policies.md`). */
export const testsSchema = listOf(policyTest).superRefine((tests, context) => {
  const names = new Set<string>();
  tests.forEach(({ name }, i) => {
    if (names.has(name))
      context.addIssue({
        code: 'custom',
        path: [i, 'name'],
        message: 'is used above already, and must be unique',
      });
    names.add(name);
  });
});

/** The schema of a file that has nothing but tests. */
export const testFileSchema = closed({ tests: testsSchema });

export type WrittenTest = z.output<typeof policyTest>;

function isPayload(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** The nearest code; all of them if none is near. */
function codesLike(word: unknown): string {
  return nearestOf(word, ERROR_CODES) || `: one of ${ERROR_CODES.join(', ')}`;
}

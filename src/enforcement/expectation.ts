import type * as z from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * What a schema expects in the place of an issue, in the words that follow "must be".
 *
 * @returns undefined if the message of the issue is ours and says it
 */
export function expectationOf(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? `a ${issue.expected}`;
    case 'invalid_value':
      return issue.values.map(String).join(' or ');
    case 'too_small':
      return issue.origin === 'array' ? 'a list with at least one element' : 'a string that is not empty';
    case 'too_big':
      return `a string of at most ${issue.maximum} characters`;
    default:
      return undefined;
  }
}

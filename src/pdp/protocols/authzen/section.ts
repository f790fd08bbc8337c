import * as z from 'zod';
import { PATH_PATTERN } from '../../../core/index.ts';
import { keyReferences, type Problem } from '../../../yaml/index.ts';
import {
  actionSchema,
  filtersRecords,
  OWN_DIALECT,
  problemWithAction,
  propertyPath,
} from '../../policies/index.ts';

const pathText = z
  .string()
  .superRefine((path, context) => report(propertyPath.safeParse(path), context))
  // For the JSON schema of the chart.
  .meta({ allOf: [{ pattern: PATH_PATTERN }, { pattern: OWN_DIALECT }] });

/** A policy has a priority of its own. What a PDP only answers yes or no about has none. */
const PRIORITY = /^\s*\d+\s*::/u;

const FORMS = 'MASK or a mask such as last(4), or value("text") to set a value';

/**
 * An action that masks: a literal would be taken for a misspelt mask. Which keys a hash may name is another part of the
 * configuration: see {@link problemsWithMaskKeys}.
 */
const maskText = z.string().superRefine((text, context) => {
  if (PRIORITY.test(text)) {
    context.addIssue('has a priority in front; write the mask alone, since each property has one');
    return;
  }
  const problem = problemWithAction(text, undefined, FORMS);
  if (problem !== undefined) context.addIssue(problem);
  else if (filtersRecords({ name: text })) context.addIssue('must be a mask: FILTER is about records');
});

function report(result: z.ZodSafeParseResult<unknown>, context: z.RefinementCtx): void {
  for (const { message } of result.error?.issues ?? []) context.addIssue(message);
}

/** The keys of the AuthZEN protocol. */
export const AUTHZEN_KEYS = {
  authzen: z
    .strictObject({
      properties: z
        .array(z.strictObject({ path: pathText, action: maskText.default('MASK') }))
        .refine(
          (list) => new Set(list.map(({ path }) => path)).size === list.length,
          'must have each path once',
        )
        .optional()
        .register(keyReferences, {
          description:
            'For PDPs that only answer yes or no: the properties to ask about one by one, each with its `path` and ' +
            'the `action` if the answer is no (default `MASK`). With this key, the service does not ask for ' +
            'obligations. The list may be empty if callers use only context mode.',
          form: 'both',
          example: [{ path: 'iban' }, { path: 'card', action: 'last(4)' }],
        }),
      obligations: z.boolean().default(false).register(keyReferences, {
        description: 'Whether to ask the PDP for obligations even if `authzen.properties` is given.',
        form: 'both',
      }),
      batch: z.int().min(1).max(10_000).default(50).register(keyReferences, {
        description: 'The largest number of evaluations in one request to the PDP.',
        form: 'both',
      }),
    })
    .prefault({}),
} as const;

export type AuthzenKeys = z.output<(typeof AUTHZEN_KEYS)['authzen']>;
export type MaskedProperty = NonNullable<AuthzenKeys['properties']>[number];

/**
 * What is wrong with the actions of `authzen.properties`.
 *
 * @param names the keys that hashes may use
 */
export function problemsWithMaskKeys(
  { properties = [] }: AuthzenKeys,
  names: ReadonlySet<string>,
): readonly Problem[] {
  const known = actionSchema(names);
  return properties.flatMap(({ action: text }, i) =>
    (known.safeParse(text).error?.issues ?? []).map(({ message }) => ({
      key: `authzen.properties.${i}.action`,
      message,
    })),
  );
}

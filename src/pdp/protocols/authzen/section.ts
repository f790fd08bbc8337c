import { z } from 'zod';
import { keyReferences } from '../../../yaml/index.ts';
import { filtersRecords } from '../embedded/policy.ts';
import { actionSchema } from '../embedded/policy-file/action-schema.ts';
import { propertyPath } from '../embedded/policy-file/path-text.ts';

const pathText = z.string().superRefine((path, context) => report(propertyPath.safeParse(path), context));

/** Whether a hash names a key that there is, is known when the PDP answers. */
const action = actionSchema(undefined);

/** An action that masks: a literal would be taken for a misspelt mask. */
const maskText = z.string().superRefine((text, context) => {
  const result = action.safeParse(text);
  report(result, context);
  if (result.success && filtersRecords(result.data))
    context.addIssue('must be a mask: FILTER is about records');
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
            'The properties that the PDP is asked about one by one, for PDPs that only answer yes or no: each with its ' +
            '`path`, and the `action` if the answer is no (default `MASK`). With this key, which may be an empty list ' +
            'for context mode alone, obligations are not asked for.',
          form: 'both',
          source: 'addition',
          example: [{ path: 'iban' }, { path: 'card', action: 'last(4)' }],
        }),
      obligations: z.boolean().default(false).register(keyReferences, {
        description: 'Whether the PDP is asked for obligations too if `authzen.properties` is given.',
        form: 'both',
        source: 'addition',
      }),
      batch: z.int().min(1).max(10_000).default(50).register(keyReferences, {
        description: 'How many evaluations one message to the PDP has at most.',
        form: 'both',
        source: 'addition',
      }),
    })
    .prefault({}),
} as const;

export type AuthzenKeys = z.output<(typeof AUTHZEN_KEYS)['authzen']>;
export type MaskedProperty = NonNullable<AuthzenKeys['properties']>[number];

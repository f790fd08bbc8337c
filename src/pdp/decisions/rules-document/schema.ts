import * as z from 'zod';
import { NumberText } from '../../../core/index.ts';
import {
  type Action,
  actionSchema,
  assetIds,
  checkConsistency,
  closed,
  conditionOf,
  type ConditionValue,
  flagText,
  inOneForm,
  metadata,
  oneOf,
  type Policy,
  properties,
  identifierPath,
  propertyPath,
  text,
} from '../../policies/index.ts';
import { MAX_PRIORITY_DIGITS } from '../action.ts';

/** A verified rule of a rules document: a policy for the user whom the question named. */
export interface DocumentRule {
  readonly policy: string | undefined;
  readonly rule: Policy;
  readonly priority: bigint | undefined;
  /** As in a policy file; undefined if the document leaves it to the configuration. */
  readonly maskShort: boolean | undefined;
}

const number = z.union([z.number(), z.instanceof(NumberText)], { error: 'must be a number' });
export const DRY_RUN = 'DRY_RUN';
export const UNNAMED = 'unknown';

/** What some serializers end whole numbers with. */
const WHOLE = /\.0+$/u;

const priority = number
  .transform((written) => String(written).replace(WHOLE, ''))
  .pipe(
    z
      .string()
      .regex(/^\d+$/, 'must be a whole number, not negative')
      .max(MAX_PRIORITY_DIGITS, `must have at most ${MAX_PRIORITY_DIGITS} digits`),
  )
  .transform(BigInt);

const numberText = number.transform(String);

/** Text, a number or a boolean. The PDP knows the caller, so nothing is put in by the service. */
const value = inOneForm<ConditionValue>((written) => {
  if (typeof written === 'boolean') return flagText;
  return isNumeric(written) ? numberText : plainText;
});

const plainText = z
  .string('must be text, a number, true or false')
  .refine((one) => !one.startsWith('${'), 'must be a value: the service puts nothing in its place');

const condition = conditionOf(value);

/** Whether a hash names a key that there is, is known when the rule is read. */
const policyAction = actionSchema(undefined);
const numberAction = closed({ name: text, value: numberText });

/** A literal may be a number, as in a policy file; it is set as text. */
const action = inOneForm<Action>((written) => {
  const isNumber =
    typeof written === 'object' && written !== null && isNumeric(Reflect.get(written, 'value'));
  return isNumber ? numberAction : policyAction;
});

function isNumeric(one: unknown): boolean {
  return typeof one === 'number' || one instanceof NumberText;
}

/** A rule as it is written: without an asset type, it is about that of the question. */
export type WrittenRule = Omit<DocumentRule, 'rule'> & {
  readonly rule: Omit<Policy, 'assetType'> & { readonly assetType?: string | undefined };
};

/** The schema of a rule of a rules document. It has the vocabulary of the policy file. */
export const ruleSchema: z.ZodType<WrittenRule> = closed({
  policy: text.optional(),
  assetType: text.optional(),
  effect: oneOf(['allowed', 'denied']).default('allowed'),
  object: propertyPath.optional(),
  properties: properties.optional(),
  action,
  priority: priority.optional(),
  when: condition.optional(),
  assets: closed({ type: text, ids: assetIds }).optional(),
  metadata: metadata.default({}),
  dryRun: identifierPath.optional(),
  maskShort: z.boolean({ error: 'must be true or false' }).optional(),
})
  .superRefine((written, context) => {
    if (written.dryRun === undefined || !(DRY_RUN in written.metadata)) return;
    context.addIssue({
      code: 'custom',
      path: ['dryRun'],
      message: 'says the same as metadata.DRY_RUN; keep one',
    });
  })
  .superRefine((written, context) => {
    const order = written.priority === undefined ? undefined : 0;
    checkConsistency({ ...written, assetType: UNNAMED, name: UNNAMED, priority: order }, context);
  })
  .transform(({ policy, dryRun, priority: order, maskShort, ...written }) => ({
    policy,
    priority: order,
    maskShort,
    rule: {
      ...written,
      name: policy ?? UNNAMED,
      metadata: dryRun === undefined ? written.metadata : { ...written.metadata, [DRY_RUN]: dryRun },
    },
  }));

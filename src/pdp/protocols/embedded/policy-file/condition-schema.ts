import * as z from 'zod';
import { VALUE_TYPES } from '../../../../core/conditions/test.ts';
import { parseClaimPath } from '../claims.ts';
import { OPERATOR_NAMES, OPERATOR_PATTERN, parseOperator, relationOf, type Operator } from '../operators.ts';
import type { Comparison, Condition, ConditionValue } from '../policy.ts';
import { formOf, isComparable } from '../value-type.ts';
import { nearestOf } from './nearest-of.ts';
import { propertyPath } from './path-text.ts';
import { always, areRight, closed, inOneForm, listOf, oneOf, text } from './vocabulary.ts';

const operator = text
  .transform((spelling, context): Operator => {
    const known = parseOperator(spelling);
    if (known !== undefined) return known;
    context.addIssue(`must be one of ${OPERATOR_NAMES.join(', ')}${nearestOf(spelling, OPERATOR_NAMES)}`);
    return z.NEVER;
  })
  // For the JSON schema of the chart.
  .meta({ pattern: OPERATOR_PATTERN });

/** Booleans may be listed as they are; `${…}` stands for something about the caller. */
const conditionValue = inOneForm<ConditionValue>((written) => {
  if (typeof written === 'boolean') return z.boolean().transform(String);
  return typeof written === 'string' && written.startsWith('${') ? callerReference : z.string('must be text');
});

const callerReference = z.string().transform((reference, context): ConditionValue => {
  const path = /^\$\{claims(?<path>.+)\}$/s.exec(reference)?.groups?.['path'];
  const claim = path === undefined ? undefined : parseClaimPath(`$${path}`);
  if (claim !== undefined) return { claim };
  if (reference === '${entityId}') return { caller: 'entityId' };
  context.addIssue(
    "must be text, ${entityId}, or a claim such as ${claims.region} or ${claims['https:region']}",
  );
  return z.NEVER;
});

const comparison: z.ZodType<Comparison> = closed({
  attribute: propertyPath,
  operator,
  type: oneOf(VALUE_TYPES).default('STRING'),
  values: listOf(conditionValue),
  match: oneOf(['ANY', 'ALL']).optional(),
}).superRefine((written, context) => {
  if (areRight(context, 'operator', 'type')) checkType(written, context);
}, always);

function checkType({ type, operator: compared, values }: Comparison, context: z.RefinementCtx): void {
  if (type === 'BOOLEAN' && relationOf(compared) === 'order') {
    context.addIssue({
      code: 'custom',
      path: ['operator'],
      message: 'has no meaning for BOOLEAN, which has no order',
    });
  }
  for (const [i, one] of values.entries()) {
    if (typeof one !== 'string' || isComparable(type, compared, one)) continue;
    context.addIssue({ code: 'custom', path: ['values', i], message: `must be ${formOf(type)}` });
  }
}

/** When a policy holds: a comparison with the record, or a tree of them. */
export const condition: z.ZodType<Condition> = inOneForm<Condition>((written): z.ZodType<Condition> => {
  if (has(written, 'all')) return closed({ all: z.lazy(() => listOf(condition)) });
  if (has(written, 'any')) return closed({ any: z.lazy(() => listOf(condition)) });
  return comparison;
});

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

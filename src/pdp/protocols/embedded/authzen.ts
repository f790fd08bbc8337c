import * as z from 'zod';
import type { HeaderFields } from '../../port.ts';
import { decideEvaluation, type Decision, type Resource } from './evaluation.ts';
import type { PolicyFile } from '../../policies/index.ts';
import { questionSchema, readBodyValue, type Question } from './question.ts';
import { PdpRefusal } from './refusal.ts';

/** The paths of the AuthZEN API. */
export const AUTHZEN_PATHS = {
  evaluation: '/access/v1/evaluation',
  evaluations: '/access/v1/evaluations',
  configuration: '/.well-known/authzen-configuration',
} as const;

/** The most evaluations in one request. */
const MAX_EVALUATIONS = 1000;

const text = z.string().min(1);
const subject = z.looseObject({ type: text, id: text });
const action = z.looseObject({ name: text });
const resource = z.looseObject({ type: text, id: text });
const context = z.looseObject({ vendor: z.looseObject({}).optional() });

const semantics = z.enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit']);
/** The decision that ends the answer, by the semantic of several evaluations. */
const LAST_DECISIONS: Partial<Record<z.output<typeof semantics>, boolean>> = {
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};
const options = z.looseObject({ evaluations_semantic: semantics.optional() });

const parts = { subject, action, resource, context: context.optional() };
const evaluation = z.looseObject(parts);
const evaluations = z.looseObject({
  subject: subject.optional(),
  action: action.optional(),
  resource: resource.optional(),
  context: context.optional(),
  options: options.optional(),
  evaluations: z
    .array(
      z.looseObject({
        subject: subject.optional(),
        action: action.optional(),
        resource: resource.optional(),
        context: context.optional(),
      }),
    )
    .max(MAX_EVALUATIONS)
    .default([]),
});

type Evaluation = z.output<typeof evaluation>;

/**
 * Answers one evaluation: a permit with the rules in an obligation of type `filter`.
 *
 * @param body JSON in UTF-8
 * @throws PdpRefusal 400 the evaluation is not understood, 401 who asks is not known, 403 may not ask
 */
export async function evaluateOne(
  file: PolicyFile,
  body: Uint8Array,
  headers: HeaderFields,
): Promise<unknown> {
  return decisionOn(file, checked(evaluation, readBodyValue(body)), headers);
}

/**
 * Answers several evaluations, each of which takes what it lacks from the request. One with another resource of the same type
 * is about an asset, and the resource of the request about the records that the assets are. If the request lists none, it is
 * one evaluation.
 */
export async function evaluateSeveral(
  file: PolicyFile,
  body: Uint8Array,
  headers: HeaderFields,
): Promise<unknown> {
  const { evaluations: list, options: how, ...defaults } = checked(evaluations, readBodyValue(body));
  if (list.length === 0) return decisionOn(file, checked(evaluation, defaults), headers);
  const asked = list.map((one) => checked(evaluation, { ...defaults, ...one }));
  const decisions = await Promise.all(
    asked.map((one, i) => {
      const isOwn = list[i]?.resource !== undefined && one.resource.type === defaults.resource?.type;
      return decisionOn(file, one, headers, isOwn ? defaults.resource : undefined);
    }),
  );
  const last = LAST_DECISIONS[how?.evaluations_semantic ?? 'execute_all'];
  const end = decisions.findIndex(({ decision }) => decision === last);
  return { evaluations: end < 0 ? decisions : decisions.slice(0, end + 1) };
}

/** The discovery document, with the URLs of the endpoints. @param origin of the server */
export function authzenConfiguration(origin: string): unknown {
  return {
    policy_decision_point: origin,
    access_evaluation_endpoint: origin + AUTHZEN_PATHS.evaluation,
    access_evaluations_endpoint: origin + AUTHZEN_PATHS.evaluations,
  };
}

function decisionOn(
  file: PolicyFile,
  asked: Evaluation,
  headers: HeaderFields,
  records?: Resource,
): Promise<Decision> {
  return decideEvaluation(file, { question: questionIn(asked), about: asked.resource, records, headers });
}

/** The subject is the entity; what else there is to say about who asks is in `context.vendor`. */
function questionIn({ subject: { type, id }, context: given }: Evaluation): Question {
  return checked(questionSchema, {
    ...given?.vendor,
    entityTypeId: type,
    entityId: id,
    includeAccessPolicy: true,
    includeAssetAttributes: true,
    resourceTypes: undefined,
  });
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const place = error.issues[0]?.path.join('.') ?? '';
  throw new PdpRefusal(
    400,
    place === '' ? 'The body is not a JSON object.' : `\`${place}\` is not of the right type.`,
  );
}

import _ from 'lodash';
import * as z from 'zod';
import type { HeaderFields } from '../../port.ts';
import { AnswerLength } from './answer-length.ts';
import { Evaluations, type Decision, type Evaluation } from './evaluation.ts';
import { listOf, objectOf, SCALAR } from './members.ts';
import type { PolicyFile } from '../../policies/index.ts';
import {
  assetId,
  enteringSchema,
  ENTERING_FORM,
  identity,
  members,
  readBodyParts,
  text,
} from './question.ts';
import { PdpRefusal } from './refusal.ts';

/** The paths of the AuthZEN API. */
export const AUTHZEN_PATHS = {
  evaluation: '/access/v1/evaluation',
  evaluations: '/access/v1/evaluations',
  configuration: '/.well-known/authzen-configuration',
} as const;

/** The most evaluations in one request. */
const MAX_EVALUATIONS = 1000;

const semantics = z.enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit']);
/** The decision that ends the answer, by the semantic of several evaluations. */
const LAST_DECISIONS: Partial<Record<z.output<typeof semantics>, boolean>> = {
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

const parts = {
  subject: members({ type: identity, id: identity }).optional(),
  action: members({ name: text }).optional(),
  resource: members({ type: text, id: assetId }).optional(),
  context: members({ vendor: enteringSchema.optional() }).optional(),
};
const PARTS = {
  subject: objectOf({ type: SCALAR, id: SCALAR }),
  action: objectOf({ name: SCALAR }),
  resource: objectOf({ type: SCALAR, id: SCALAR }),
  context: objectOf({ vendor: ENTERING_FORM }),
} as const;

const evaluation = members(parts);
const EVALUATION = objectOf(PARTS);

const evaluations = members({
  ...parts,
  options: members({ evaluations_semantic: semantics.optional() }).optional(),
  evaluations: z.array(evaluation).max(MAX_EVALUATIONS).default([]),
});
const EVALUATIONS = objectOf({
  ...PARTS,
  options: objectOf({ evaluations_semantic: SCALAR }),
  evaluations: listOf(EVALUATION, MAX_EVALUATIONS),
});

/** An evaluation as it is written: in a list, it may lack what the request has. */
type Written = z.output<typeof evaluation>;

/**
 * Answers one evaluation: a permit with the rules in an obligation of type `filter`.
 *
 * @param body JSON in UTF-8
 * @param answer how long the answer gets
 * @throws PdpRefusal 400 the evaluation is not understood, 401 who asks is not known, 403 may not ask, 503 other answers take the room
 */
export async function evaluateOne(
  file: PolicyFile,
  body: Uint8Array,
  headers: HeaderFields,
  answer = new AnswerLength(),
): Promise<unknown> {
  const asked = checked(evaluation, readBodyParts(body, EVALUATION));
  return new Evaluations(file, headers, answer).decide(whole(asked));
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
  answer = new AnswerLength(),
): Promise<unknown> {
  const asked = checked(evaluations, readBodyParts(body, EVALUATIONS));
  const { evaluations: list, options: how, ...defaults } = asked;
  const deciding = new Evaluations(file, headers, answer);
  if (list.length === 0) return deciding.decide(whole(defaults));
  const last = LAST_DECISIONS[how?.evaluations_semantic ?? 'execute_all'];
  const decisions: Decision[] = [];
  for (const one of list.map((written) => inRequest(written, defaults))) {
    // oxlint-disable-next-line no-await-in-loop -- an evaluation after the last decision is not made
    const decided = await deciding.decide(one);
    decisions.push(decided);
    if (decided.decision === last) break;
  }
  return { evaluations: decisions };
}

function inRequest(written: Written, defaults: Written): Evaluation {
  const one = whole({ ...defaults, ...written });
  const isOwn = written.resource !== undefined && one.about.type === defaults.resource?.type;
  return { ...one, records: isOwn ? defaults.resource : undefined };
}

/** An evaluation that has all that it needs; what else there is to say about who asks is in `context.vendor`. */
function whole({ subject, action, resource, context }: Written): Evaluation {
  if (subject === undefined) throw wrong('subject', REQUIRED);
  if (action === undefined) throw wrong('action', REQUIRED);
  if (resource === undefined) throw wrong('resource', REQUIRED);
  return { subject, entering: context?.vendor, about: resource, records: undefined };
}

/** The discovery document, with the URLs of the endpoints. @param origin of the server */
export function authzenConfiguration(origin: string): unknown {
  return {
    policy_decision_point: origin,
    access_evaluation_endpoint: origin + AUTHZEN_PATHS.evaluation,
    access_evaluations_endpoint: origin + AUTHZEN_PATHS.evaluations,
  };
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [first] = error.issues;
  if (first === undefined || first.path.length === 0)
    throw new PdpRefusal(400, 'The body is not a JSON object.');
  throw wrong(first.path.join('.'), whatIsWrong(first, _.get(value, first.path)));
}

const REQUIRED = 'is required';

function whatIsWrong(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined) return REQUIRED;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return 'must not be empty';
  if (issue.code !== 'too_big') return 'is not of the right type';
  return Array.isArray(value)
    ? `must have at most ${issue.maximum} elements`
    : `must have at most ${issue.maximum} characters`;
}

function wrong(place: string, what: string): PdpRefusal {
  return new PdpRefusal(400, `\`${place}\` ${what}.`);
}

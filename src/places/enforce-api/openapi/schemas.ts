import { EXPLANATION_SCHEMAS } from './explanation-schemas.ts';
import type { Json } from './json.ts';
import { reference } from './json.ts';
import { parametersJsonSchema } from './parameters-schema.ts';

const ENFORCE_REQUEST: Json = {
  description:
    'A payload with what there is to know to protect it. Each of the three parts stands there once.',
  type: 'object',
  required: ['parameters', 'vendor', 'json'],
  properties: {
    parameters: reference('schemas', 'Parameters'),
    vendor: reference('schemas', 'PdpParameters'),
    json: reference('schemas', 'Payload'),
  },
};

const TEXT: Json = { type: 'string', minLength: 1 };

const PDP_PARAMETERS: Json = {
  description:
    'Any request parameters of the PDP. They go to it as they stand, save that `includeAssetAttributes` and ' +
    '`includeAccessPolicy` are always true. What is named here is what most requests have.',
  type: 'object',
  properties: {
    clientId: { ...TEXT, description: 'The scope, which stands for the application and its policies.' },
    clientSecret: {
      type: 'string',
      description: 'The secret of the scope. It is left out where the scope takes a JWT in `Authorization`.',
    },
    entityTypeId: { ...TEXT, description: 'The type of the user who fetches the data.' },
    entityId: { ...TEXT, description: 'The user who fetches the data.' },
    environment: {
      type: 'object',
      description:
        'What the PDP takes into account besides. `resourceFullPath` is a list of names of data mappers.',
    },
  },
};

const PAYLOAD: Json = {
  description: 'Any JSON object or array.',
  oneOf: [{ type: 'object' }, { type: 'array', items: {} }],
};

const HEALTH: Json = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['live', 'ready'] } },
  additionalProperties: false,
};

const FIELD_PROBLEM: Json = {
  type: 'object',
  required: ['pointer', 'detail'],
  properties: {
    pointer: { description: 'Where the problem is in the body: a JSON pointer (RFC 6901).', type: 'string' },
    detail: { description: 'What would be right. It quotes no values.', type: 'string' },
  },
  additionalProperties: false,
};

const PROBLEM: Json = {
  description: 'An error (RFC 9457). It quotes neither payload values nor secrets.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { description: 'Which error it is. It never changes its meaning.', type: 'string' },
    title: { type: 'string' },
    status: { description: 'The status of the answer.', type: 'integer' },
    detail: { description: 'What is wrong this time, for people.', type: 'string' },
    instance: {
      description:
        'The id of the request, as in `X-Request-Id` and in the log. A message that is no valid HTTP has none.',
      type: 'string',
    },
    errors: {
      description: 'Every problem, where there are several to tell apart by their place.',
      type: 'array',
      items: reference('schemas', 'FieldProblem'),
      minItems: 1,
    },
  },
  additionalProperties: false,
};

/** `components.schemas`: what is said more than once, or deserves a name. */
export function schemas(): Json {
  return {
    EnforceRequest: ENFORCE_REQUEST,
    Parameters: parametersJsonSchema(),
    PdpParameters: PDP_PARAMETERS,
    Payload: PAYLOAD,
    Health: HEALTH,
    Problem: PROBLEM,
    FieldProblem: FIELD_PROBLEM,
    ...EXPLANATION_SCHEMAS,
  };
}

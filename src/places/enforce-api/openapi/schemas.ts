import { EXPLANATION_SCHEMAS } from './explanation-schemas.ts';
import type { Json } from './json.ts';
import { reference } from './json.ts';
import { parametersJsonSchema } from './parameters-schema.ts';

const ENFORCE_REQUEST: Json = {
  description:
    'A payload, the parameters of its enforcement and those of the PDP. Each of the three members occurs once.',
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
    'Request parameters of the PDP, any of them. The service forwards them unchanged, except that ' +
    '`includeAssetAttributes` and `includeAccessPolicy` are always true. The members listed here are the common ones.',
  type: 'object',
  properties: {
    clientId: { ...TEXT, description: 'The scope: it names the application and its policies.' },
    clientSecret: {
      type: 'string',
      description: 'The secret of the scope. Leave it out if the scope takes a JWT in `Authorization`.',
    },
    entityTypeId: { ...TEXT, description: 'The type of the user who fetches the data.' },
    entityId: { ...TEXT, description: 'The user who fetches the data.' },
    environment: {
      type: 'object',
      description:
        'Other facts that the PDP decides by. `resourceFullPath` is a list of names of data mappers.',
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
    pointer: {
      description: 'The place of the problem in the body: a JSON pointer (RFC 6901).',
      type: 'string',
    },
    detail: { description: 'What the service accepts there. It quotes no values.', type: 'string' },
  },
  additionalProperties: false,
};

const PROBLEM: Json = {
  description: 'An error (RFC 9457). It quotes neither payload values nor secrets.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { description: 'The code of the error. Its meaning never changes.', type: 'string' },
    title: { type: 'string' },
    status: { description: 'The status of the answer.', type: 'integer' },
    detail: { description: 'What is wrong with this request, for people.', type: 'string' },
    instance: {
      description:
        'The id of the request, as in `X-Request-Id` and in the log. Absent if the message is not valid HTTP.',
      type: 'string',
    },
    errors: {
      description: 'Every problem with its place, if there are several.',
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

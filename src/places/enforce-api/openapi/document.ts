import { VERSION } from '../../../version.ts';
import { errorResponse } from './error-responses.ts';
import type { Json } from './json.ts';
import { paths } from './operations.ts';
import { schemas } from './schemas.ts';

/** The description of every endpoint and every error, as OpenAPI 3.1. */
export function openApiDocument(): Json {
  return { openapi: '3.1.1', info: info(), paths: paths(), components: components() };
}

function info(): Json {
  return {
    title: 'JSON masking authorizer',
    version: VERSION,
    summary: 'Masks, sets and removes what a user may not see in a JSON payload, as a PDP decides.',
    description:
      'A data service or a gateway sends a payload here and passes on the answer. If the service does not understand ' +
      'the decision of the PDP, or cannot apply it, it answers with an error and without a payload.\n\n' +
      'A path that is not described is answered 404, and a method that is not described for its path 405; ' +
      '`components.responses` describes both. `HEAD` is answered wherever `GET` is.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

function components(): Json {
  return {
    schemas: schemas(),
    responses: {
      PathNotFound: errorResponse(['path-not-found']),
      MethodNotAllowed: errorResponse(['method-not-allowed']),
    },
    parameters: { 'X-Request-Id': REQUEST_ID_PARAMETER },
    headers: HEADERS,
    securitySchemes: {
      userToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'The token of the user, if the scope in the PDP takes one instead of `vendor.clientSecret`. The ' +
          'service forwards it, and the PDP verifies it.',
      },
    },
  };
}

const REQUEST_ID_PARAMETER: Json = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'An id for the request, which its answer, its log lines and the question to the PDP then carry. One with other ' +
    'characters than letters, digits and `_.~:/+=@-`, or with more than 128, is replaced in the answer and the log.',
  schema: { type: 'string' },
};

const HEADERS: Json = {
  'X-Request-Id': { description: 'The id of the request.', schema: { type: 'string', minLength: 1 } },
  'Cache-Control': {
    description: 'The answer is for this caller only and must not be cached.',
    schema: { const: 'no-store' },
  },
  'Enforcement-Result': {
    description:
      'How many values were masked and set, how many records and properties were removed, and how many records there ' +
      'were. Only with `report: true` in the configuration.',
    schema: { type: 'string' },
    example: 'masked=3, set=0, removed=1, records=2',
  },
  'WWW-Authenticate': {
    description: 'The challenge of the PDP, or `Bearer` if it sends none.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'string' } },
};

import type { ErrorCode } from '../../../errors.ts';
import { errorResponses } from './error-responses.ts';
import { enforceExamples } from './examples.ts';
import { reference, type Json } from './json.ts';

/** Every operation, by path and method. */
export function paths(): Json {
  return {
    '/enforce': { post: enforce() },
    '/explain': { post: explain() },
    '/health/liveness': { get: liveness() },
    '/health/readiness': { get: readiness() },
    '/openapi.json': { get: description() },
  };
}

const ENFORCE_ERRORS: readonly ErrorCode[] = [
  'body-not-json',
  'request-invalid',
  'token-refused',
  'pdp-unauthorized',
  'pdp-forbidden',
  'access-denied',
  'body-too-large',
  'media-type-unsupported',
  'root-not-found',
  'asset-id-not-found',
  'nesting-too-deep',
  'answer-too-large',
  'enforcement-too-costly',
  'pdp-unreachable',
  'pdp-failed',
  'decision-not-understood',
  'identity-unavailable',
  'draining',
  'overloaded',
  'pdp-timeout',
];

const SUCCESS_HEADERS: Json = {
  'X-Request-Id': reference('headers', 'X-Request-Id'),
  'Cache-Control': reference('headers', 'Cache-Control'),
};

function enforce(): Json {
  return {
    operationId: 'enforce',
    summary: 'Protect a payload',
    description:
      'Asks the PDP what the user may see of the payload, and answers with the payload, in which values are masked, ' +
      'set and removed. What no rule concerns comes back byte for byte. Every header of the request is forwarded to ' +
      'the PDP, except those that concern this connection or this message alone. Only an answer 200 has a payload.',
    security: [{}, { userToken: [] }],
    parameters: [reference('parameters', 'X-Request-Id')],
    requestBody: enforceRequest(),
    responses: {
      200: protectedPayload(),
      ...errorResponses(ENFORCE_ERRORS),
    },
  };
}

function protectedPayload(): Json {
  const answer = success('The protected payload.', reference('schemas', 'Payload'), {
    examples: enforceExamples('response'),
  });
  const counts = { 'Enforcement-Result': reference('headers', 'Enforcement-Result') };
  return { ...answer, headers: { ...SUCCESS_HEADERS, ...counts } };
}

function enforceRequest(): Json {
  return {
    description:
      'JSON in UTF-8, as `application/json` or any `+json`. It may be compressed with gzip, deflate or br, as ' +
      '`Content-Encoding` says. The examples are decided by the policies in `examples/policies/demo.yaml`.',
    required: true,
    content: {
      'application/json': {
        schema: reference('schemas', 'EnforceRequest'),
        examples: enforceExamples('request'),
      },
    },
  };
}

function explain(): Json {
  return {
    operationId: 'explain',
    summary: 'Explain what happens to a payload',
    description:
      'Answers as `POST /enforce` does to the same request, and adds why each value was changed or kept. It has ' +
      'its own listener (`explain.port`), which is off by default. The explanation contains no value that the ' +
      'payload in the answer does not show.',
    servers: [
      {
        url: 'http://127.0.0.1:{port}',
        description: 'The listener for explanations.',
        variables: { port: { default: '5006', description: '`explain.port` of the configuration.' } },
      },
    ],
    security: [{}, { userToken: [] }],
    parameters: [reference('parameters', 'X-Request-Id')],
    requestBody: enforceRequest(),
    responses: {
      200: success('The protected payload with the reasons.', reference('schemas', 'Explanation')),
      ...errorResponses(ENFORCE_ERRORS),
    },
  };
}

function liveness(): Json {
  return {
    operationId: 'liveness',
    summary: 'Whether the process is alive',
    description:
      'It does not depend on the PDP: a restart of this service does not help if the PDP is unreachable.',
    parameters: [reference('parameters', 'X-Request-Id')],
    responses: { 200: healthy('live'), ...errorResponses([]) },
  };
}

function readiness(): Json {
  return {
    operationId: 'readiness',
    summary: 'Whether payloads can be protected now',
    description: 'The PDP was reached within the last seconds, and the service is not shutting down.',
    parameters: [reference('parameters', 'X-Request-Id')],
    responses: { 200: healthy('ready'), ...errorResponses(['not-ready', 'draining']) },
  };
}

function description(): Json {
  return {
    operationId: 'description',
    summary: 'This description',
    parameters: [reference('parameters', 'X-Request-Id')],
    responses: {
      200: success('OpenAPI 3.1.', { type: 'object', required: ['openapi', 'info', 'paths'] }),
      ...errorResponses([]),
    },
  };
}

function healthy(status: string): Json {
  return success('Yes.', reference('schemas', 'Health'), { example: { status } });
}

function success(text: string, schema: Json, examples: Json = {}): Json {
  return {
    description: text,
    headers: SUCCESS_HEADERS,
    content: { 'application/json': { schema, ...examples } },
  };
}

import lodash from 'lodash';
import { ERROR_TITLES, type ErrorCode } from '../../../errors.ts';
import { PROBLEM_TYPE, problemType, statusOf } from '../../listener/index.ts';
import { reference, type Json } from './json.ts';

/** Any operation may give these: the message never becomes a request. */
const OF_MESSAGES: readonly ErrorCode[] = ['http-malformed', 'request-timeout', 'headers-too-large'];

/** Headers that answers of a status carry besides the request's id. */
const HEADERS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': reference('headers', 'WWW-Authenticate') },
  405: { Allow: reference('headers', 'Allow') },
  503: { 'Retry-After': reference('headers', 'Retry-After') },
};

/** The answers of an operation that are errors, by status: those that it may give, and those that any may. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = lodash.groupBy([...OF_MESSAGES, 'internal-error', ...codes] as const, statusOf);
  return lodash.mapValues(byStatus, errorResponse);
}

/** One answer for several codes of the same status. */
export function errorResponse(codes: readonly ErrorCode[]): Json {
  const [first] = codes;
  const status = first === undefined ? undefined : statusOf(first);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TITLES[code]}.`).join(' '),
    headers: { 'X-Request-Id': reference('headers', 'X-Request-Id'), ...HEADERS[status ?? 0] },
    content: {
      [PROBLEM_TYPE]: {
        schema: {
          ...reference('schemas', 'Problem'),
          properties: { type: { enum: codes.map(problemType) }, status: { const: status } },
        },
      },
    },
  };
}

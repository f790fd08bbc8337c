import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPE, valuesOf } from '../listener/index.ts';
import { immediateAnswer } from './protocol/response.ts';
import type { Encoded } from './protocol/encoded.ts';
import type { Fields } from './protocol/request.ts';

/** What a client needs of an answer that says no: how to authenticate, and when to try again. */
const KEPT = ['www-authenticate', 'retry-after'] as const;

/**
 * Replaces an answer with a body that Envoy or one of its filters made before this service saw the request, such as 401 of
 * `jwt_authn`. The application could have made it, too, so the client gets its status and not its body.
 *
 * @param status 400 or more
 * @param fields of the header
 */
export function localAnswer(status: number, fields: Fields): Encoded {
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status };
  return immediateAnswer({
    status,
    fields: [
      ['content-type', PROBLEM_TYPE],
      ['cache-control', 'no-store'],
      ...KEPT.flatMap((name) => fieldOf(name, valuesOf(fields, name))),
    ],
    body: Buffer.from(JSON.stringify(problem)),
    details: 'authz_jsonmasking_local_answer',
  });
}

/** Several challenges are one field: Envoy sets the last of those with one name. */
function fieldOf(name: string, values: readonly string[]): Fields {
  return values.length === 0 ? [] : [[name, values.join(', ')]];
}

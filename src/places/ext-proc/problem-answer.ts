import type { ServiceError } from '../../errors.ts';
import { PROBLEM_TYPE, problemFrom, statusOf } from '../listener/index.ts';
import { immediateAnswer } from './protocol/response.ts';
import type { Encoded } from './protocol/encoded.ts';

/** Header fields of an error that are about a connection, which is Envoy's here. */
const OF_CONNECTION = 'connection';

/** The problem document in place of the answer of upstream. */
export function problemAnswer(error: ServiceError, requestId: string): Encoded {
  const own = Object.entries(error.headers).filter(([name]) => name.toLowerCase() !== OF_CONNECTION);
  return immediateAnswer({
    status: statusOf(error.code),
    fields: [
      ['content-type', PROBLEM_TYPE],
      ['cache-control', 'no-store'],
      ['x-request-id', requestId],
      ...own.map(([name, value]) => [name.toLowerCase(), value] as const),
    ],
    body: Buffer.from(JSON.stringify(problemFrom(error, requestId))),
    details: `authz_jsonmasking_${error.code}`,
  });
}

import { randomUUID } from 'node:crypto';

/** What a request id may look like: fit for a URI reference, a header and a log line. */
const ACCEPTABLE = /^[\w.~:/+=@-]{1,128}$/u;

/** The caller's id for a request where it is fit for use, else a new one. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && ACCEPTABLE.test(header) ? header : randomUUID();
}

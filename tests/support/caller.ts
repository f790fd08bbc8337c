import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request of a caller. Unless it says otherwise: `POST /enforce` with a JSON body. */
export interface Call {
  readonly method?: string;
  readonly path?: string;
  /** A list stands for a field that is repeated. */
  readonly headers?: OutgoingHttpHeaders;
  /** Several pieces are sent in chunks, without saying how much is to come. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A problem as the caller reads it (RFC 9457). */
export interface ReadProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Calls the service over a connection of its own. */
export async function call(port: number, { method, path, headers, body }: Call = {}): Promise<Answer> {
  const sent = request({
    host: '127.0.0.1',
    port,
    agent: false,
    method: method ?? 'POST',
    path: path ?? '/enforce',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  const answered = answerTo(sent);
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) sent.end(body);
  else {
    body.forEach((piece) => sent.write(piece));
    sent.end();
  }
  return answered;
}

function answerTo(sent: ReturnType<typeof request>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once('response', resolve).once('error', reject);
  return promise.then(async (answer) => ({
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: (await buffer(answer)).toString(),
  }));
}

/** Asks `POST /enforce` to protect a payload, given as JSON text. */
export function enforcing(
  payload: string,
  parts: Partial<Record<'parameters' | 'vendor', unknown>> = {},
): string {
  const { parameters = {}, vendor = {} } = parts;
  return `{"parameters":${JSON.stringify(parameters)},"vendor":${JSON.stringify(vendor)},"json":${payload}}`;
}

/** The problem in an answer. */
export function problemIn({ text }: Answer): ReadProblem {
  const problem: ReadProblem = JSON.parse(text);
  return problem;
}

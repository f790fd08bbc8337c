import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Collected } from '../../core/index.ts';
import { isCrossSite, whyRefused } from './guard.ts';
import { SAFE_HEADERS } from './headers.ts';
import type { Page } from './page.ts';
import { QuestionError } from './request.ts';

/** The address that it listens on: no other machine reaches it. */
const LOOPBACK = '127.0.0.1';
/** The most that the page may send, in bytes. */
const MAX_BODY = 16 * 1024 * 1024;
/** How long a request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;

const JSON_TYPE = 'application/json; charset=utf-8';

export interface PlaygroundOptions {
  /** 0 for any that is free. */
  readonly port: number;
  readonly page: Page;
  /** The text of the policy file to begin with; undefined for the examples'. */
  readonly policies: string | undefined;
  /** Answers the page's question. @throws QuestionError if the page did not write the question */
  readonly explain: (body: Buffer, signal: AbortSignal) => Promise<readonly Uint8Array[]>;
  /** Called with an unexpected error of the playground itself. */
  readonly onFault: (error: unknown) => void;
}

export interface Playground {
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** The playground as one request meets it. */
interface Serving extends PlaygroundOptions {
  /** Aborted when the connection is closed, or the answer is sent. */
  readonly signal: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[] | string;
}

/**
 * Serves the page of the playground, on the loopback address only.
 *
 * @throws Error with node's `code` if it cannot listen, such as `EADDRINUSE`
 */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT });
  server.on('request', (request, response) => void respond(request, response, portOf(server), options));
  server.listen(options.port, LOOPBACK);
  await once(server, 'listening');
  return {
    port: portOf(server),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  options: PlaygroundOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const reply = await replyOrFailure(request, { ...options, port, signal: gone.signal });
  const { status, type = 'text/plain; charset=utf-8', headers, body } = reply;
  if (response.destroyed) return;
  response.writeHead(status, { ...SAFE_HEADERS, ...headers, 'Content-Type': type });
  if (request.method !== 'HEAD')
    for (const chunk of typeof body === 'string' ? [body] : body) response.write(chunk);
  response.end();
}

async function replyOrFailure(request: IncomingMessage, serving: Serving): Promise<Reply> {
  try {
    return await replyTo(request, serving);
  } catch (error) {
    if (!serving.signal.aborted) serving.onFault(error);
    return { status: 500, body: 'The playground failed.' };
  }
}

function replyTo(request: IncomingMessage, serving: Serving): Reply | Promise<Reply> {
  const refusal = whyRefused(request, serving.port);
  if (refusal !== undefined) return { status: 403, body: refusal };
  if (isCrossSite(request)) return { status: 403, body: 'Only the page of the playground may ask.' };
  const path = request.url?.split('?', 1)[0] ?? '';
  if (path === '/explain') return replyToQuestion(request, serving);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const reply = replyWithFile(path, serving);
  if (reply === undefined) return { status: 404, body: 'The playground has no such path.' };
  return isRead ? reply : notAllowed('GET, HEAD');
}

function replyWithFile(path: string, { page, policies }: PlaygroundOptions): Reply | undefined {
  if (path === '/start.json') {
    const own = policies === undefined ? '' : `"policies":${JSON.stringify(policies)},`;
    return { status: 200, type: JSON_TYPE, body: `{${own}"examples":${page.examples}}` };
  }
  const file = page.files.get(path);
  return file && { status: 200, type: file.type, body: [file.content] };
}

async function replyToQuestion(request: IncomingMessage, { explain, signal }: Serving): Promise<Reply> {
  if (request.method !== 'POST') return notAllowed('POST');
  // A form of another site cannot send this type.
  if (!/^application\/json\s*(?:;|$)/iu.test(request.headers['content-type'] ?? ''))
    return { status: 415, body: 'The body must be application/json.' };
  const body = await readBody(request);
  if (body === undefined)
    return {
      status: 413,
      headers: { Connection: 'close' },
      body: `The body may have at most ${MAX_BODY} bytes.`,
    };
  try {
    return { status: 200, type: JSON_TYPE, body: await explain(body, signal) };
  } catch (error) {
    if (error instanceof QuestionError) return { status: 400, body: error.message };
    throw error;
  }
}

/** What is too long is read to its end and dropped, so that its sender gets an answer. @returns undefined if it is too long */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = new Collected();
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= MAX_BODY) body.add(chunk);
  }
  return size > MAX_BODY ? undefined : body.take();
}

function notAllowed(allow: string): Reply {
  return { status: 405, headers: { Allow: allow }, body: 'The method is not allowed here.' };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

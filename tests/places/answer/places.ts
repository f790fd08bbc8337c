import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { createEnforcer, maskResponses } from '../../../src/library.ts';
import { fieldsOf } from '../../../src/places/listener/header-fields.ts';
import { listening, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { ProcessorClient, type Message } from '../ext-proc/processor-client.ts';
import { startApplication, startProxied } from '../proxy/setup.ts';

/** One exchange of a client and an application. */
export interface Exchanged {
  readonly method: string;
  readonly path: string;
  readonly answer: Message;
}

/** What a client gets of an application in each place that enforces its answers. */
export interface Places {
  readonly proxy: (exchange: Exchanged) => Promise<Message>;
  readonly processor: (exchange: Exchanged) => Promise<Message>;
  readonly library: (exchange: Exchanged) => Promise<Message>;
}

/** Routes with paths below `/lax` let bodies pass that are not JSON. */
const ROUTES = [{ path: '/lax/**', nonJson: 'pass' as const }];

/** Starts the three places that enforce answers of applications, with the same policies. `closeAll` stops them. */
export async function startPlaces(): Promise<Places> {
  let answer: Message = { status: 200, fields: [], body: Buffer.alloc(0) };
  const handler: RequestListener = (_request, response) => {
    response.sendDate = false;
    response.writeHead(answer.status, answer.fields.flat());
    response.end(answer.body);
  };
  const application = await startApplication(handler);
  const service = await startProxied(application.url, { routes: ROUTES, extProc: { port: 0 } });
  const enforcer = await createEnforcer({ pdpUrl: service.pdp.url.href }, { log: SILENT });
  stopLater(() => enforcer.close());
  const mask = maskResponses(enforcer, { vendor: {}, routes: ROUTES });
  const library = await portWith((asked, response) => mask(asked, response, () => handler(asked, response)));
  const processor = new ProcessorClient(service.processor?.port ?? 0);
  const over = (port: number) => (exchange: Exchanged) => {
    ({ answer } = exchange);
    return received(port, exchange);
  };
  return {
    proxy: over(service.proxyPort),
    library: over(library),
    processor: ({ method, path, answer: sent }) => {
      const head: HeaderFields = [
        [':method', method],
        [':path', path],
        [':authority', 'a'],
      ];
      const seen = asEnvoySees(method, sent);
      return processor.exchange(head, seen, seen.body.length > 0 || isChunked(method, sent));
    },
  };
}

const SILENT = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};

/** Node.js sends no body either if there can be none. */
function asEnvoySees(method: string, { status, fields, body }: Message): Message {
  const lower = fields.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status, fields: lower, body: isBodiless(method, status) ? Buffer.alloc(0) : body };
}

function isBodiless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/** Whether Node.js sends a body in chunks, of which there may be none. */
function isChunked(method: string, { status, fields }: Message): boolean {
  return !isBodiless(method, status) && !fields.some(([name]) => name.toLowerCase() === 'content-length');
}

async function portWith(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await listening(server);
  return portOf(server);
}

async function received(port: number, { method, path }: Exchanged): Promise<Message> {
  const sent = request({ host: '127.0.0.1', port, method, path, agent: false }).end();
  const [response] = await once(sent, 'response');
  return {
    status: response.statusCode,
    fields: fieldsOf(response.rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const),
    body: await buffer(response),
  };
}

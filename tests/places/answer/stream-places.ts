import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { ProcessorClient, receivedOf, type ReceivedBody } from '../ext-proc/processor-client.ts';
import { startApplication, startProxied } from '../proxy/setup.ts';

/** A stream as an application sends it. */
export interface SentStream {
  readonly type: string;
  readonly chunks: readonly Buffer[];
  readonly hasTrailers: boolean;
}

/** What a client gets of a stream in each place that enforces streams. */
export interface StreamPlaces {
  readonly proxy: (sent: SentStream) => Promise<ReceivedBody>;
  readonly buffered: (sent: SentStream) => Promise<ReceivedBody>;
  readonly duplex: (sent: SentStream) => Promise<ReceivedBody>;
}

const TRAILERS: HeaderFields = [['x-sum', 'of the original']];
const REQUEST: HeaderFields = [
  [':method', 'GET'],
  [':path', '/a'],
  [':authority', 'a'],
];

/** Starts the places with the same decisions. Records may have 1 MB. `closeAll` stops them. */
export async function startStreamPlaces(): Promise<StreamPlaces> {
  let sent: SentStream = { type: '', chunks: [], hasTrailers: false };
  const handler: RequestListener = (_request, response) => void sendAll(response, sent);
  const application = await startApplication(handler);
  const service = await startProxied(application.url, { maxBody: 1, extProc: { port: 0 } });
  const processor = new ProcessorClient(service.processor?.port ?? 0);
  return {
    proxy: (stream) => {
      sent = stream;
      return received(service.proxyPort);
    },
    async buffered({ type, chunks }) {
      const answer = { status: 200, fields: [['content-type', type]] as const, body: Buffer.concat(chunks) };
      const { status, body } = await processor.exchange(REQUEST, answer);
      return { body: body.toString(), isWhole: status === 200 };
    },
    async duplex({ type, chunks, hasTrailers }) {
      const stream = processor.open();
      try {
        await stream.begin(REQUEST, 'FULL_DUPLEX_STREAMED');
        stream.sendHead({ status: 200, fields: [['content-type', type]] }, false);
        return await receivedOf(stream, chunks, hasTrailers ? TRAILERS : undefined);
      } finally {
        stream.end();
      }
    },
  };
}

/** Each chunk reaches the proxy before the next one is sent, as a rule. */
async function sendAll(response: ServerResponse, { type, chunks, hasTrailers }: SentStream): Promise<void> {
  response.writeHead(200, { 'content-type': type });
  response.flushHeaders();
  for (const chunk of chunks) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    await new Promise((resolve) => setImmediate(resolve));
    response.write(chunk);
  }
  if (hasTrailers) response.addTrailers(TRAILERS.map(([name, value]) => [name, value] as [string, string]));
  response.end();
}

async function received(port: number): Promise<ReceivedBody> {
  const sent = get({ host: '127.0.0.1', port, path: '/a', agent: false });
  const begun: unknown = await once(sent, 'response').catch(() => undefined);
  // If the connection is reset, the answer reports it as well.
  sent.on('error', () => undefined);
  if (!Array.isArray(begun)) return { body: '', isWhole: false };
  const [response]: IncomingMessage[] = begun;
  if (response === undefined) return { body: '', isWhole: false };
  const pieces: Buffer[] = [];
  response.on('data', (piece: Buffer) => pieces.push(piece));
  await once(response, 'close').catch(() => undefined);
  return {
    body: Buffer.concat(pieces).toString(),
    isWhole: response.complete && response.statusCode === 200,
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { portOf } from '../../pdp/transport/setup.ts';
import { fieldsOf, messagesAt, numberAt, textAt, type Fields } from './protobuf.ts';

/** A span as it was sent, with its ids in hex. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where it has none. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'other';
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly failed: boolean;
}

/** A collector of traces on loopback, which takes OTLP over HTTP. */
export interface Collector {
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** The paths that it was sent to. */
  readonly paths: readonly (string | undefined)[];
  readonly close: () => Promise<void>;
}

/** Starts a collector that answers each export with a status, and a phrase for it. */
export async function startCollector(status = 200, phrase?: string): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    void collect(request).then((collected) => {
      spans.push(...collected);
      return response.writeHead(status, phrase ?? '', { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    spans,
    paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

async function collect(request: IncomingMessage): Promise<CollectedSpan[]> {
  const body = await buffer(request);
  return spansIn(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
}

/** The numbers are those of `opentelemetry/proto/trace/v1/trace.proto`. */
function spansIn(request: Buffer): CollectedSpan[] {
  return messagesAt(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const fields = fieldsOf(resourceSpans);
    const resource = attributesAt(fieldsOf(messagesAt(fields, 1)[0]), 1);
    const scopes = messagesAt(fields, 2).map(fieldsOf);
    const spans = scopes.flatMap((scope) => messagesAt(scope, 2).map(fieldsOf));
    return spans.map((span) => spanFrom(span, String(resource['service.name'])));
  });
}

function spanFrom(span: Fields, service: string): CollectedSpan {
  return {
    service,
    traceId: hexAt(span, 1),
    spanId: hexAt(span, 2),
    traceState: textAt(span, 3),
    parentSpanId: hexAt(span, 4),
    name: textAt(span, 5),
    kind: ([undefined, 'internal', 'server', 'client'] as const)[numberAt(span, 6) ?? 0] ?? 'other',
    attributes: attributesAt(span, 9),
    failed: numberAt(fieldsOf(messagesAt(span, 15)[0]), 3) === 2,
  };
}

function attributesAt(fields: Fields, number: number): CollectedSpan['attributes'] {
  const pairs = messagesAt(fields, number).map((pair) => {
    const attribute = fieldsOf(pair);
    const value = fieldsOf(messagesAt(attribute, 2)[0]);
    return [textAt(attribute, 1), value.has(1) ? textAt(value, 1) : numberAt(value, 3)] as const;
  });
  return Object.fromEntries(pairs);
}

function hexAt(fields: Fields, number: number): string {
  return messagesAt(fields, number)[0]?.toString('hex') ?? '';
}

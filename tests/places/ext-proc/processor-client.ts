import { readFileSync } from 'node:fs';
import { Client, credentials, type ClientDuplexStream } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import * as z from 'zod';
import type { HeaderFields } from '../../../src/enforcement/index.ts';
import { stopLater } from '../../pdp/transport/setup.ts';

const PROTO = readFileSync('src/places/ext-proc/protocol/external-processor.proto', 'utf8');
const { root } = protobuf.parse(PROTO);
const REQUEST = root.lookupType('ProcessingRequest');
const RESPONSE = root.lookupType('ProcessingResponse');
const PROCESS = '/envoy.service.ext_proc.v3.ExternalProcessor/Process';

const bytes = z.instanceof(Uint8Array);
const mutation = z.object({
  setHeaders: z.array(z.object({ header: z.object({ key: z.string(), rawValue: bytes }) })).default([]),
  removeHeaders: z.array(z.string()).default([]),
});
const NO_MUTATION = { setHeaders: [], removeHeaders: [] };
const common = z.object({
  headerMutation: mutation.default(NO_MUTATION),
  bodyMutation: z
    .object({
      body: bytes.optional(),
      streamedResponse: z
        .object({ body: bytes.default(Buffer.alloc(0)), endOfStream: z.boolean().default(false) })
        .optional(),
    })
    .default({}),
});
const response = z.object({ response: common.default({ headerMutation: NO_MUTATION, bodyMutation: {} }) });
const processingResponse = z.object({
  requestHeaders: response.optional(),
  requestBody: response.optional(),
  requestTrailers: z.object({ headerMutation: mutation.default(NO_MUTATION) }).optional(),
  responseHeaders: response.optional(),
  responseBody: response.optional(),
  responseTrailers: z.object({ headerMutation: mutation.default(NO_MUTATION) }).optional(),
  immediateResponse: z
    .object({ status: z.object({ code: z.number() }), body: bytes, headers: mutation })
    .optional(),
  modeOverride: z
    .object({ responseBodyMode: z.string(), responseTrailerMode: z.string().optional() })
    .optional(),
});
type Response = z.infer<typeof processingResponse>;
type Mutation = z.infer<typeof mutation>;

/** An HTTP message of the application, or as the client gets it. Names are in lower case. */
export interface Message {
  readonly status: number;
  readonly fields: HeaderFields;
  readonly body: Buffer;
}

export type Mode = 'BUFFERED' | 'FULL_DUPLEX_STREAMED';

/** A processor, as an Envoy sees it that does what the processor asks. `closeAll` closes it. */
export class ProcessorClient {
  readonly #client: Client;

  constructor(port: number) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
    stopLater(() => Promise.resolve(this.#client.close()));
  }

  open(): ProcessorStream {
    return new ProcessorStream(
      this.#client.makeBidiStreamRequest(
        PROCESS,
        (message: object) => Buffer.from(REQUEST.encode(message).finish()),
        (message) => processingResponse.parse(RESPONSE.toObject(RESPONSE.decode(message), { enums: String })),
      ),
    );
  }

  /**
   * What the client gets of an answer of the application, in mode `BUFFERED`.
   *
   * @param request with its pseudo fields
   * @param hasBody whether Envoy learns only from the body how long it is
   */
  async exchange(request: HeaderFields, answer: Message, hasBody = answer.body.length > 0): Promise<Message> {
    const stream = this.open();
    try {
      const begun = await stream.begin(request, 'BUFFERED');
      if (begun.immediateResponse !== undefined) return immediate(begun);
      stream.sendHead(answer, !hasBody);
      const head = await stream.next();
      return await finish(stream, head, answer, hasBody);
    } finally {
      stream.end();
    }
  }
}

/** A body as far as a client gets it. */
export interface ReceivedBody {
  readonly body: string;
  /** Whether it ends as a whole answer does, and is not an error. */
  readonly isWhole: boolean;
}

/** What a client gets of a body that is sent in these chunks in mode `FULL_DUPLEX_STREAMED`. */
export async function receivedOf(
  stream: ProcessorStream,
  chunks: readonly Uint8Array[],
  trailers: HeaderFields | undefined,
): Promise<ReceivedBody> {
  chunks.forEach((chunk) => stream.sendBody(chunk, false));
  if (trailers === undefined) stream.sendBody(Buffer.alloc(0), true);
  else stream.sendTrailers(trailers);
  const pieces: Uint8Array[] = [];
  const received = (isWhole: boolean): ReceivedBody => ({ body: Buffer.concat(pieces).toString(), isWhole });
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one answer after another
    const answer = await stream.next().catch(() => undefined);
    if (answer === undefined) return received(false);
    if (answer.immediateResponse !== undefined) {
      pieces.push(answer.immediateResponse.body);
      return received(false);
    }
    if (answer.responseTrailers !== undefined) return received(true);
    const piece = answer.responseBody?.response.bodyMutation.streamedResponse;
    if (piece !== undefined) pieces.push(piece.body);
    if (piece?.endOfStream === true) return received(true);
  }
}

/** One stream to a processor. */
export class ProcessorStream {
  readonly #stream: ClientDuplexStream<object, Response>;
  readonly #answers: AsyncIterator<Response>;
  /** How many pieces of a body are sent, or are being sent because the processor has taken those before. */
  taken = 0;

  constructor(stream: ClientDuplexStream<object, Response>) {
    this.#stream = stream;
    this.#answers = stream[Symbol.asyncIterator]();
  }

  /** @param protocol what Envoy says besides of how it sends bodies */
  begin(fields: HeaderFields, mode: Mode, protocol: object = {}): Promise<Response> {
    const requestHeaders = { headers: headerMap(fields), endOfStream: true };
    const protocolConfig = { responseBodyMode: MODES[mode], ...protocol };
    this.#stream.write({ requestHeaders, protocolConfig });
    return this.next();
  }

  /** Sends a message as it is. */
  send(message: object): void {
    this.#stream.write(message);
  }

  sendHead({ status, fields }: Omit<Message, 'body'>, isLast: boolean): void {
    const headers = headerMap([[':status', String(status)], ...fields]);
    this.#stream.write({ responseHeaders: { headers, endOfStream: isLast } });
  }

  sendBody(body: Uint8Array, isLast: boolean): void {
    this.#stream.write({ responseBody: { body, endOfStream: isLast } }, () => void this.taken++);
  }

  sendTrailers(fields: HeaderFields): void {
    this.#stream.write({ responseTrailers: { trailers: headerMap(fields) } });
  }

  /** @throws if the stream has ended */
  async next(): Promise<Response> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error('The processor ended the stream.');
    return value;
  }

  /** Resets the stream, as Envoy does if its client has gone. */
  cancel(): void {
    this.#stream.on('error', () => undefined).cancel();
  }

  end(): void {
    this.#stream.end();
    this.#stream.on('error', () => undefined).resume();
  }
}

const MODES: Readonly<Record<Mode, number>> = { BUFFERED: 2, FULL_DUPLEX_STREAMED: 4 };

/** Header fields as Envoy sends them. */
export function headerMap(fields: HeaderFields): object {
  return { headers: fields.map(([key, value]) => ({ key, rawValue: Buffer.from(value, 'latin1') })) };
}

async function finish(
  stream: ProcessorStream,
  head: Response,
  answer: Message,
  hasBody: boolean,
): Promise<Message> {
  if (head.immediateResponse !== undefined) return immediate(head);
  const changed = {
    ...answer,
    fields: mutated(answer.fields, head.responseHeaders?.response.headerMutation),
  };
  if (!hasBody || head.modeOverride?.responseBodyMode === 'NONE') return changed;
  stream.sendBody(answer.body, true);
  const last = await stream.next();
  if (last.immediateResponse !== undefined) return immediate(last);
  const { headerMutation, bodyMutation } = last.responseBody?.response ?? {};
  const body = bodyMutation?.body === undefined ? answer.body : Buffer.from(bodyMutation.body);
  return { ...changed, fields: mutated(changed.fields, headerMutation), body };
}

function immediate({ immediateResponse }: Response): Message {
  return {
    status: immediateResponse?.status.code ?? 0,
    fields: mutated([], immediateResponse?.headers),
    body: Buffer.from(immediateResponse?.body ?? ''),
  };
}

function mutated(fields: HeaderFields, { setHeaders, removeHeaders }: Mutation = NO_MUTATION): HeaderFields {
  const set = setHeaders.map(
    ({ header }) => [header.key.toLowerCase(), Buffer.from(header.rawValue).toString('latin1')] as const,
  );
  const gone = new Set([...removeHeaders, ...set.map(([name]) => name)].map((name) => name.toLowerCase()));
  return [...fields.filter(([name]) => !gone.has(name)), ...set];
}

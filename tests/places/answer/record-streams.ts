import { once } from 'node:events';
import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { SECRET } from '../proxy/setup.ts';

type Headers = Readonly<Record<string, string>>;

export const NDJSON: Headers = { 'content-type': 'application/x-ndjson' };
const SEQUENCE: Headers = { 'content-type': 'application/json-seq' };
export const EVENTS: Headers = { 'content-type': 'text/event-stream' };

/** A stream of records of an application, and what its client gets if `ssn` is masked. */
interface Sample {
  readonly name: string;
  readonly headers: Headers;
  readonly body: string;
  readonly masked: string;
}

/** Every format with everything that it may have: other line ends, blank lines, a byte order mark, no last line end. */
export const SAMPLES: readonly Sample[] = [
  {
    name: 'each line of NDJSON',
    headers: NDJSON,
    body: `{"ssn":"${SECRET}"}\n\r\n[{"ssn":"é"},{"a":1.10}]\r\n{"ssn":"${SECRET}"}`,
    masked: '{"ssn":"***"}\n\n[{"ssn":"***"},{"a":1.10}]\r\n{"ssn":"***"}',
  },
  {
    name: 'each record of a JSON text sequence',
    headers: SEQUENCE,
    body: `\x1e{"ssn":"${SECRET}"}\n\x1e\x1e{\n"ssn":\n"${SECRET}"\n}\n\x1e{"a":1}`,
    masked: '\x1e{"ssn":"***"}\n\x1e{\n"ssn":\n"***"\n}\n\x1e{"a":1}\n',
  },
  {
    name: 'the data of each event, without the text of comments',
    headers: EVENTS,
    body: [
      `\ufeffdata: {"ssn":"${SECRET}"}`,
      '',
      `: ${SECRET}`,
      `retry: ${SECRET}`,
      `id: \0${SECRET}`,
      `event: change\r\ndata:{"ssn":\r\ndata: "${SECRET}"}\r\nid: 7\r\n\r`,
      `retry: 10\rdata: {"a":1}\r\rdata\n\n${SECRET}: 1\ndata: {"ssn":"not finished"}`,
    ].join('\n'),
    masked: [
      'data: {"ssn":"***"}\n\n',
      ':\n',
      'event: change\nid: 7\ndata: {"ssn":\ndata: "***"}\n\n',
      'retry: 10\ndata: {"a":1}\n\n',
      'data: \n\n',
    ].join(''),
  },
];

/** One record of each format, and as the client gets it. */
export const RECORDS: readonly Sample[] = [
  { name: 'NDJSON', headers: NDJSON, body: `{"ssn":"${SECRET}"}\n`, masked: '{"ssn":"***"}\n' },
  {
    name: 'a JSON text sequence',
    headers: SEQUENCE,
    body: `\x1e{"ssn":"${SECRET}"}\n`,
    masked: '\x1e{"ssn":"***"}\n',
  },
  {
    name: 'events',
    headers: EVENTS,
    body: `data: {"ssn":"${SECRET}"}\n\n`,
    masked: 'data: {"ssn":"***"}\n\n',
  },
];

type Broken = readonly [name: string, headers: Headers, body: string];

/** Streams whose first record cannot be enforced, with `maxBody: 1`. */
export const BROKEN_AT_ONCE: readonly Broken[] = [
  ['half a line', NDJSON, `{"ssn":"${SECRET}"\n`],
  ['text', NDJSON, `${SECRET}\n`],
  ['a string', NDJSON, `"${SECRET}"\n`],
  ['a record without a separator', SEQUENCE, `{"ssn":"${SECRET}"}\n`],
  ['a number', SEQUENCE, '\x1e42\n'],
  ['a record that is too large', NDJSON, `{"ssn":"${SECRET}${'x'.repeat(2 ** 20)}"}\n`],
];

type BrokenLater = readonly [name: string, headers: Headers, first: string, rest: string];

/** Streams of which the first record can be enforced and a later one cannot, with `maxBody: 1`. */
export const BROKEN_LATER: readonly BrokenLater[] = [
  ['NDJSON', NDJSON, `{"ssn":"${SECRET}"}\n`, `${SECRET}\n{"a":2}\n`],
  ['a sequence', SEQUENCE, `\x1e{"ssn":"${SECRET}"}\n`, `\x1e{"ssn":"${SECRET}"\n\x1e{"a":2}\n`],
  ['a sequence without a separator', SEQUENCE, `\x1e{"ssn":"${SECRET}"}\n`, `"${SECRET}"\n\x1e{"a":2}\n`],
  ['events', EVENTS, 'data: {"a":1}\n\n', `data: ${SECRET}\n\ndata: {"a":2}\n\n`],
  ['events with a string', EVENTS, 'data: {"a":1}\n\n', `data: "${SECRET}"\n\n`],
  ['an event without an end', EVENTS, 'data: {"a":1}\n\n', `data: ${'x'.repeat(60_000)}\n`.repeat(20)],
  ['a comment without an end', EVENTS, 'data: {"a":1}\n\n', `:${'x'.repeat(2 ** 20)}`],
];

/** Sends a text in pieces of so many bytes. */
export function inPieces(body: string, size: number, headers: Headers): RequestListener {
  const bytes = Buffer.from(body);
  return (_request, response) => {
    response.writeHead(200, headers);
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  };
}

/** The answer to a GET, which has begun. */
export async function open(port: number): Promise<IncomingMessage> {
  const sent = get({ port, host: '127.0.0.1', path: '/a' });
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  // If the connection is reset, the answer reports it as well.
  sent.on('error', () => undefined);
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}

/** What comes next of an answer, in as many pieces as it takes to have that many characters. */
export function nextOf(answer: IncomingMessage, length = 1): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    if (text.length < length) return;
    answer.off('data', take).off('error', reject);
    resolve(text);
  };
  answer.on('data', take).once('error', reject);
  return promise;
}

/** An application that sends more as long as its client takes it, and how much that was so far, in bytes. */
export function unending(
  block: string,
  headers: Headers,
): { readonly answer: RequestListener; sent: number } {
  const state = {
    sent: 0,
    answer: (_request: unknown, response: Parameters<RequestListener>[1]): void => {
      response.writeHead(200, headers);
      const more = (): void => {
        do state.sent += block.length;
        while (response.write(block) && state.sent < 2 ** 28);
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
  };
  return state;
}

/** Waits until a number no longer changes. */
export async function settled(value: () => number): Promise<number> {
  let before = -1;
  while (before !== value()) {
    before = value();
    // oxlint-disable-next-line no-await-in-loop -- until nothing moves any more
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return before;
}

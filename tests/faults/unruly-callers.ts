import { gzipSync } from 'node:zlib';
import { enforcing } from '../support/caller.ts';

/** What a caller does wrong: bytes on a connection that it then closes in its own way. */
interface CallerFault {
  readonly name: string;
  readonly bytes: Buffer;
  /** `waits` until the service ends the connection, `leaves` at once, `resets` it at once. */
  readonly ending: 'waits' | 'leaves' | 'resets';
}

export const PAYLOAD = '[{"id":"c1","ssn":"planted-ssn"},{"id":"c2","ssn":"planted-ssn"}]';
export const MASKED = '[{"id":"c1","ssn":"***"},{"id":"c2","ssn":"***"}]';

const ENFORCE = enforcing(PAYLOAD);
const MEGABYTE = 1024 * 1024;

function message(
  body: string | Buffer,
  fields: readonly string[] = [],
  length: number = body.length,
): Buffer {
  const head = [
    'POST /enforce HTTP/1.1',
    'Host: service',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...fields,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** A request that nothing is wrong with. */
export const GOOD_MESSAGE = message(ENFORCE);

const HALF = message(ENFORCE.slice(0, 40), [], ENFORCE.length);
const NESTED = enforcing(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);

/** Every fault that a caller's message can have. */
export const CALLER_FAULTS: readonly CallerFault[] = [
  { name: 'sends half a header and leaves', bytes: GOOD_MESSAGE.subarray(0, 30), ending: 'leaves' },
  { name: 'sends half a body and leaves', bytes: HALF, ending: 'leaves' },
  { name: 'sends half a body and resets the connection', bytes: HALF, ending: 'resets' },
  { name: 'leaves before the answer', bytes: GOOD_MESSAGE, ending: 'leaves' },
  { name: 'resets the connection before the answer', bytes: GOOD_MESSAGE, ending: 'resets' },
  { name: 'says nothing and leaves', bytes: Buffer.alloc(0), ending: 'leaves' },
  { name: 'does not speak HTTP', bytes: Buffer.from('EHLO example.com\r\n\r\n'), ending: 'waits' },
  { name: 'begins TLS', bytes: Buffer.from('160301020001000000', 'hex'), ending: 'leaves' },
  {
    name: 'says twice how long its body is',
    bytes: message(ENFORCE, ['Content-Length: 5']),
    ending: 'waits',
  },
  { name: 'sends more than it says', bytes: message(ENFORCE, [], 20), ending: 'waits' },
  { name: 'names two hosts', bytes: message(ENFORCE, ['Host: other']), ending: 'waits' },
  {
    name: 'sends a header without end',
    bytes: message('', [`X-Fill: ${'x'.repeat(100_000)}`]),
    ending: 'waits',
  },
  { name: 'announces too much', bytes: message('', [], 999 * MEGABYTE), ending: 'waits' },
  {
    name: 'sends a gzip bomb',
    bytes: message(gzipSync(Buffer.alloc(64 * MEGABYTE, ' ')), ['Content-Encoding: gzip']),
    ending: 'waits',
  },
  {
    name: 'sends invalid UTF-8',
    bytes: message(Buffer.from(`{"\xff":${ENFORCE}}`, 'latin1')),
    ending: 'waits',
  },
  { name: 'nests without end', bytes: message(NESTED), ending: 'waits' },
  { name: 'sends half a JSON text', bytes: message(ENFORCE.slice(0, -1)), ending: 'waits' },
  { name: 'sends no JSON', bytes: message('ssn=planted-ssn'), ending: 'waits' },
  {
    name: 'pipelines good and bad',
    bytes: Buffer.concat([
      Buffer.from(GOOD_MESSAGE.toString().replace('close', 'keep-alive')),
      Buffer.from('\0'),
    ]),
    ending: 'waits',
  },
];

import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { BUFFERED, FULL_DUPLEX } from '../../../scripts/tools/envoy-configuration.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { exchanged } from '../../support/wire.ts';
import { SECRET, startRawApplication } from '../proxy/setup.ts';
import { describeEnvoy } from './envoy.ts';
import { startChain } from './setup.ts';

afterEach(closeAll);

const BODY = `{"ssn":"${SECRET}"}`;
const LENGTH = `Content-Length: ${BODY.length}`;
const ZIPPED = gzipSync(BODY).toString('latin1');
const CHUNKS = 'Transfer-Encoding: chunked';
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n`;

function head(fields: string, status = '200 OK', type = 'application/json'): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${fields}\r\n\r\n`;
}

/** What an application sends, each a name and bytes, of which no client may get the secret. */
const ANSWERS = [
  ['before its length', `${head(`Content-Length: ${BODY.length + 1}`)}${BODY}`],
  ['in a chunk', `${head(CHUNKS)}ff\r\n${BODY}`],
  ['after a chunk', `${head(CHUNKS)}${CHUNK}`],
  ['after a chunk that is no chunk', `${head(CHUNKS)}${CHUNK}zz\r\n${BODY}`],
  ['with half of its JSON, without a length', head('Connection: close') + BODY.slice(0, -1)],
  ['with its JSON, without a length', head('Connection: close') + BODY],
  ['in HTTP/1.0', `HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${BODY}`],
  ['in its head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ['at once', ''],
  ['with more than its length', `${head('Content-Length: 2')}{}${BODY}`],
  ['with more than no length', `${head('Content-Length: 0')}${BODY}`],
  ['with two lengths', `${head(`Content-Length: 2\r\n${LENGTH}`)}${BODY}`],
  ['with a length and chunks', `${head(`Content-Length: 2\r\n${CHUNKS}`)}${CHUNK}0\r\n\r\n`],
  ['with a second answer', `${head('Content-Length: 2')}{}${head(LENGTH)}${BODY}`],
  ['with secrets in trailers', `${head(CHUNKS)}${CHUNK}0\r\nx-secret: ${SECRET}\r\n\r\n`],
  ['with only trailers', `${head(CHUNKS)}0\r\nx-secret: ${SECRET}\r\n\r\n`],
  ['after 100', `HTTP/1.1 100 Continue\r\n\r\n${head(LENGTH)}${BODY}`],
  ['after 103', `HTTP/1.1 103 Early Hints\r\nx-a: b\r\n\r\n${head(LENGTH)}${BODY}`],
  [
    'with another protocol',
    `HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${BODY}`,
  ],
  ['with 204 and a body', `${head(LENGTH, '204 No Content')}${BODY}`],
  ['with 205 and a body', `${head(LENGTH, '205 Reset Content')}${BODY}`],
  ['with 206', `${head(LENGTH, '206 Partial Content')}${BODY}`],
  ['with 304 and a body', `${head(LENGTH, '304 Not Modified')}${BODY}`],
  ['with 302 and a body', `${head(`${LENGTH}\r\nLocation: /b`, '302 Found')}${BODY}`],
  ['with status 999', `${head(LENGTH, '999 X')}${BODY}`],
  ['without a type', `HTTP/1.1 200 OK\r\n${LENGTH}\r\n\r\n${BODY}`],
  ['with an empty type', `${head(LENGTH, '200 OK', '')}${BODY}`],
  ['with two types', `${head(`${LENGTH}\r\nContent-Type: text/plain`)}${BODY}`],
  ['in a list of types', `${head(LENGTH, '200 OK', 'application/json, text/plain')}${BODY}`],
  ['as gRPC', `${head(LENGTH, '200 OK', 'application/grpc')}${BODY}`],
  ['in gzip that is cut', `${head('Connection: close\r\nContent-Encoding: gzip')}${ZIPPED.slice(0, -4)}`],
  ['in gzip with text after it', `${head('Connection: close\r\nContent-Encoding: gzip')}${ZIPPED}${BODY}`],
  ['in gzip twice', `${head('Connection: close\r\nContent-Encoding: gzip')}${ZIPPED}${ZIPPED}`],
  ['in gzip that is none', `${head(`${LENGTH}\r\nContent-Encoding: gzip`)}${BODY}`],
  ['in gzip as a transfer coding', `${head('Transfer-Encoding: gzip, chunked')}${CHUNK}0\r\n\r\n`],
  ['in a record of NDJSON', `${head(CHUNKS, '200 OK', 'application/x-ndjson')}${CHUNK}`],
  ['in a record of a sequence', `${head(CHUNKS, '200 OK', 'application/json-seq')}${CHUNK}`],
  ['in an event', `${head(CHUNKS, '200 OK', 'text/event-stream')}${CHUNK}`],
  ['with NDJSON of 204', `${head(CHUNKS, '204 No Content', 'application/x-ndjson')}${CHUNK}0\r\n\r\n`],
  ['with no HTTP', `SSH-2.0 ${SECRET}\r\n`],
] as const;

describeEnvoy.each([
  ['BUFFERED', BUFFERED],
  ['FULL_DUPLEX_STREAMED', FULL_DUPLEX],
] as const)('With a real Envoy in mode %s, an application that ends its answer', (_mode, mode) => {
  test.each(['GET', 'HEAD'])('in whatever way never shows what is masked to %s', async (method) => {
    const application = await startRawApplication((socket: Socket, request) => {
      const [, index = ''] = /^\w+ \/(\d+) /u.exec(request) ?? [];
      socket.write(ANSWERS[Number(index)]?.[1] ?? '', 'latin1', () => socket.end());
    });
    const { envoy } = await startChain({ mode, upstreamPort: Number(new URL(application.url).port) });
    const shown: string[] = [];
    for (const [index, [name]] of ANSWERS.entries()) {
      const request = `${method} /${index} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      // oxlint-disable-next-line no-await-in-loop -- one answer after another
      const received = await exchanged(envoy.port, request).catch(() => 'reset');
      if (received.includes(SECRET)) shown.push(name);
    }
    expect(shown).toEqual([]);
  });
});

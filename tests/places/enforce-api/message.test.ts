import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { closeAll } from '../../pdp/transport/setup.ts';
import { enforcing, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { answersIn, connected, exchanged, restOf } from '../../support/wire.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]');
const HEAD = 'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n';
const PLAIN = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const LAST = `${HEAD}Connection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

const MALFORMED = {
  status: 400,
  headers: { 'content-type': 'application/problem+json', connection: 'close' },
};

/** What is answered to a message on a connection that ends with it. */
async function answersTo(message: string | Uint8Array) {
  const service = await startEnforcement();
  const answers = answersIn(await exchanged(service.port, message));
  return { answers, service };
}

describe('a message that is not valid HTTP', () => {
  test.each([
    ['is a greeting', 'hello\r\n\r\n'],
    ['is the beginning of TLS', Buffer.from('16030102000100', 'hex')],
    ['has an unknown method', 'FETCH /enforce HTTP/1.1\r\nHost: service\r\n\r\n'],
    ['has a field name with a space', `${HEAD}X A: 1\r\n\r\n`],
    ['has a control character in a field', `${HEAD}X-A: a\u0001b\r\n\r\n`],
    ['has a folded field', `${HEAD}X-A: a\r\n b\r\n\r\n`],
    ['ends a line with LF alone', `${HEAD}X-A: a\nX-B: b\r\n\r\n`],
    ['has a length that is no number', `${HEAD}Content-Length: five\r\n\r\n12345`],
    ['has a negative length', `${HEAD}Content-Length: -1\r\n\r\n`],
    ['has two lengths', `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n123456`],
    ['has a length and chunks', `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['has a chunk without a size', `${HEAD}Transfer-Encoding: chunked\r\n\r\nsize\r\n{}\r\n`],
  ])('is answered with a problem and the end of the connection: it %s', async (_, message) => {
    const { answers, service } = await answersTo(message);
    expect(answers).toMatchObject([MALFORMED]);
    expect(answers.map(problemIn)).toEqual([
      {
        type: 'urn:authz-jsonmasking:error:http-malformed',
        title: 'The message is not valid HTTP',
        status: 400,
        detail: 'The message is not valid HTTP.',
      },
    ]);
    expect(service.pdp.requests).toEqual([]);
  });

  test('is answered with 431 if its header is too large', async () => {
    const { answers } = await answersTo(`${HEAD}X-A: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(answers).toMatchObject([{ ...MALFORMED, status: 431 }]);
    expect(answers.map(problemIn)).toMatchObject([{ type: 'urn:authz-jsonmasking:error:headers-too-large' }]);
  });

  test('is answered with 408 if it does not arrive in time', async () => {
    const { port, server } = await startEnforcement();
    server.once('connection', (socket) => {
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, socket);
    });
    const answers = answersIn(await exchanged(port, 'POST /enforce HTTP/1.1\r\n'));
    expect(answers).toMatchObject([{ ...MALFORMED, status: 408 }]);
    expect(answers.map(problemIn)).toMatchObject([{ type: 'urn:authz-jsonmasking:error:request-timeout' }]);
  });
});

describe('the Host of a message', () => {
  test.each([
    ['another', 'Host: service\r\nHost: other\r\n'],
    ['the same again', 'Host: service\r\nhost: service\r\n'],
  ])('must occur once: with %s it is refused', async (_, hosts) => {
    const { answers, service } = await answersTo(LAST.replace('Host: service\r\n', hosts));
    expect(answers).toMatchObject([{ status: 400 }]);
    expect(answers.map(problemIn)).toMatchObject([
      {
        type: 'urn:authz-jsonmasking:error:http-malformed',
        detail: 'The message has more than one Host field.',
        instance: answers[0]?.headers['x-request-id'],
      },
    ]);
    expect(service.pdp.requests).toEqual([]);
  });

  test('must be given', async () => {
    const { answers } = await answersTo(LAST.replace('Host: service\r\n', ''));
    expect(answers).toMatchObject([{ status: 400 }]);
    expect(answers.map(problemIn)).toMatchObject([{ detail: 'The message has no Host field.' }]);
  });
});

test('an expectation that the service does not know changes nothing', async () => {
  const { answers } = await answersTo(
    LAST.replace('Host: service\r\n', 'Host: service\r\nExpect: wonders\r\n'),
  );
  expect(answers).toMatchObject([{ status: 200 }]);
});

describe('a body that is not as long as it says', () => {
  test('is refused if it ends early', async () => {
    const service = await startEnforcement();
    const socket = await connected(service.port);
    socket.end(PLAIN.slice(0, -3));
    expect(answersIn(await restOf(socket))).toMatchObject([MALFORMED]);
    await eventually(() => service.logged.length > 0);
    expect(service.logged.join('\n')).toContain('The body ended before it was complete.');
    expect(service.pdp.requests).toEqual([]);
  });

  test('is refused if a chunk in its middle is broken', async () => {
    const { answers, service } = await answersTo(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\nzz\r\n`,
    );
    expect(answers).toMatchObject([MALFORMED]);
    expect(service.pdp.requests).toEqual([]);
  });

  test('is refused if compressed data ends early, though the message does not', async () => {
    const { answers } = await answersTo(
      LAST.replace('Content-Length', 'Content-Encoding: gzip\r\nContent-Length'),
    );
    expect(answers.map(problemIn)).toMatchObject([{ type: 'urn:authz-jsonmasking:error:body-not-json' }]);
  });

  test('is refused if it is longer, and the rest is not read as a request', async () => {
    const { answers, service } = await answersTo(`${PLAIN}{"json":"smuggled"}\r\n\r\n`);
    expect(answers).toMatchObject([MALFORMED]);
    expect(service.logged.join('\n')).not.toContain('smuggled');
  });

  test('is not sent to the PDP if the caller has gone', async () => {
    const service = await startEnforcement();
    const socket = await connected(service.port);
    socket.write(PLAIN.slice(0, -3));
    await once(service.server, 'request');
    socket.destroy();
    await eventually(() => service.logged.length > 0);
    expect(service.logged.join('\n')).toContain('"callerGone":true');
    expect(service.pdp.requests).toEqual([]);
  });
});

describe('several messages on one connection', () => {
  test('are answered in turn', async () => {
    const { answers } = await answersTo(PLAIN + PLAIN.replaceAll('"a"', '"b"') + LAST);
    expect(answers.map(({ text }) => text)).toEqual(['[{"a":1}]', '[{"b":1}]', '[{"a":1}]']);
  });

  test('go on after an error', async () => {
    const { answers } = await answersTo(PLAIN.replace('/enforce', '/nowhere') + LAST);
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });
});

test.each([
  ['a path that is not there', 'POST /nowhere HTTP/1.1', 'application/json', 404],
  ['another media type', 'POST /enforce HTTP/1.1', 'text/plain', 415],
])(
  'a request with %s that ends within its body has one line in the log',
  async (_name, line, type, status) => {
    const { port, logged } = await startEnforcement();
    const socket = await connected(port);
    socket.write(`${line}\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{`);
    const received = await once(socket, 'data');
    expect(String(received)).toContain(` ${status} `);
    socket.end();
    await restOf(socket);
    // The next request comes after all that is said of that one.
    await exchanged(port, 'GET /health/liveness HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const requests = logged
      .map((entry): unknown => JSON.parse(entry))
      .filter((entry) => lodash.get(entry, 'message') === 'Request');
    expect(lodash.map(requests, 'status')).toEqual([status, 200]);
  },
);

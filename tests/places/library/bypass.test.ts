import { ServerResponse } from 'node:http';
import { createServer, connect as connectHttp2, Http2ServerResponse } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import express, { type RequestHandler, type Response } from 'express';
import { createEnforcer, maskResponses, type Enforcer } from '../../../src/library.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/folder.ts';
import { methodOf, replace } from './replaced.ts';

afterEach(closeAll);

const BODY = '{"ssn":"123-45-6789"}';
const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]';

type Replaced = 'write' | 'end' | 'writeHead' | 'flushHeaders';
type Handler = (response: Response) => void;

/** An enforcer, and what it logs. */
async function logging(): Promise<{ enforcer: Enforcer; logged: string[] }> {
  const logged: string[] = [];
  const write = (message: string, fields: object = {}): void =>
    void logged.push(JSON.stringify({ message, ...fields }));
  const log = { error: write, warn: write, info: write, debug: write };
  const enforcer = await createEnforcer({ policyFile: await fileWith(POLICIES) }, { log });
  stopLater(() => enforcer.close());
  return { enforcer, logged };
}

/** Every byte that a client gets from an application with this handler, and what was logged. */
async function bytesFrom(
  handle: Handler,
  { above = [], layers = 1 }: { above?: readonly RequestHandler[]; layers?: number } = {},
): Promise<{ bytes: string; logged: string[] }> {
  const { enforcer, logged } = await logging();
  const app = express();
  for (const handler of above) app.use(handler);
  for (let layer = 0; layer < layers; layer++) app.use(maskResponses(enforcer, { vendor: {} }));
  app.use((_, response) => handle(response.type('json')));
  const server = app.listen(0);
  stopLater(async () => void server.close());
  const socket = connect(portOf(server));
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return { bytes: await text(socket).catch(() => ''), logged };
}

/** Calls a method of Node.js that the middleware has replaced on the response. */
function byPrototype(response: Response, method: Replaced, argument: unknown): void {
  const { prototype }: { readonly prototype: object } = ServerResponse;
  Reflect.apply(methodOf(prototype, method), response, [argument]);
}

/** Middleware that sends the end when something else calls back, such as a session store. */
function endingWhen(wait: (end: () => void) => void): RequestHandler {
  return (_, response, next) => {
    replace(response, 'end', (original, args) => wait(() => original(args)));
    next();
  };
}

/** Puts methods of Node.js in the place of those that hold answers back. */
function undo(response: Response, method: Replaced): void {
  Reflect.deleteProperty(response, method);
}

describe.each([1, 2])('no byte leaves that an application sends, below %d middlewares', (layers) => {
  test.each<[string, Handler]>([
    [
      'by write of the prototype',
      (response) => {
        byPrototype(response, 'write', BODY);
        response.end();
      },
    ],
    ['by end of the prototype', (response) => byPrototype(response, 'end', BODY)],
    [
      'by writeHead and end of the prototype',
      (response) => {
        byPrototype(response, 'writeHead', 200);
        byPrototype(response, 'end', BODY);
      },
    ],
    [
      'after it has deleted the replaced methods',
      (response) => {
        undo(response, 'write');
        undo(response, 'end');
        undo(response, 'writeHead');
        response.end(BODY);
      },
    ],
  ])('%s', async (_name, handle) => {
    const { bytes } = await bytesFrom(handle, { layers });
    expect(bytes).not.toContain('123-45-6789');
  });

  test('and the log has the reason', async () => {
    const { logged } = await bytesFrom(
      (response) => {
        undo(response, 'end');
        undo(response, 'writeHead');
        response.end(BODY);
      },
      { layers },
    );
    expect(logged).toContainEqual(expect.stringContaining('it is sent past the methods of the response'));
  });

  describe('while middleware above has not sent the masked answer yet', () => {
    const wait = endingWhen((end) => void setTimeout(end, 20));

    test('by write of the prototype, which fails as it does without the middleware', async () => {
      const errors: unknown[] = [];
      const { bytes } = await bytesFrom(
        (response) => {
          response.on('error', (error) => errors.push(Reflect.get(error, 'code')));
          response.end(BODY);
          setTimeout(() => byPrototype(response, 'write', BODY), 5);
        },
        { above: [wait], layers },
      );
      expect(bytes).not.toContain('123-45-6789');
      expect(errors).toEqual(['ERR_STREAM_WRITE_AFTER_END']);
    });

    test('by flushHeaders of the prototype, and the log has the reason', async () => {
      const { bytes, logged } = await bytesFrom(
        (response) => {
          response.setHeader('X-Ssn', '123-45-6789');
          response.end(BODY);
          setTimeout(() => byPrototype(response, 'flushHeaders', undefined), 5);
        },
        { above: [wait], layers },
      );
      expect(bytes).not.toContain('123-45-6789');
      expect(logged).toContainEqual(expect.stringContaining('it is sent past the methods of the response'));
    });

    test.each<[string, Handler]>([
      ['by setHeader', (response) => void response.setHeader('X-Ssn', '123-45-6789')],
      ['by writeHead', (response) => void response.writeHead(200, { 'X-Ssn': '123-45-6789' })],
      [
        'by writeHead after flushHeaders',
        (response) => {
          response.flushHeaders();
          response.writeHead(200, { 'X-Ssn': '123-45-6789' });
        },
      ],
    ])('as a header field %s', async (_name, change) => {
      const refused: unknown[] = [];
      const { bytes } = await bytesFrom(
        (response) => {
          response.end(BODY);
          setTimeout(() => {
            try {
              change(response);
            } catch (error) {
              refused.push(error);
            }
          }, 5);
        },
        { above: [wait], layers },
      );
      expect(bytes).not.toContain('123-45-6789');
      expect(bytes).toContain('{"ssn":"***"}');
      expect(refused).toMatchObject([{ code: 'ERR_HTTP_HEADERS_SENT' }]);
    });

    test('and the masked answer leaves if what calls back works for several requests at once', async () => {
      const waiting: (() => void)[] = [];
      const pool = setInterval(() => waiting.shift()?.(), 5);
      stopLater(() => Promise.resolve(clearInterval(pool)));
      const { bytes } = await bytesFrom((response) => void response.end(BODY), {
        above: [endingWhen((end) => waiting.push(end))],
        layers,
      });
      expect(bytes).toContain('{"ssn":"***"}');
    });
  });
});

test('a response of HTTP/2 is refused, because it has other ways to send', async () => {
  const { enforcer, logged } = await logging();
  // Each use of it makes Node.js warn: HTTP/2 has no reason phrases.
  const reason = jest.spyOn(Http2ServerResponse.prototype, 'statusMessage', 'set');
  const mask = maskResponses(enforcer, { vendor: {} });
  const server = createServer((request, response) => {
    Reflect.apply(mask, undefined, [request, response, () => response.end(BODY)]);
  }).listen(0);
  stopLater(async () => void server.close());
  const session = connectHttp2(`http://127.0.0.1:${portOf(server)}`);
  stopLater(async () => session.destroy());
  const stream = session.request({ ':path': '/' });
  let status: unknown;
  stream.once('response', (headers) => (status = headers[':status']));
  expect(JSON.parse(await text(stream))).toMatchObject({
    type: 'urn:authz-jsonmasking:error:response-not-enforceable',
  });
  expect(status).toBe(502);
  expect(logged).toContainEqual(expect.stringContaining('HTTP/2'));
  expect(reason).not.toHaveBeenCalled();
  reason.mockRestore();
});

import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import {
  createEnforcer,
  maskResponses,
  type Enforcer,
  type MaskResponsesOptions,
} from '../../../src/library.ts';
import { startProvider } from '../../identity/provider.ts';
import { closeAll, listening, portOf, startStub, stopLater } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { fileWith } from '../../support/folder.ts';
import { answersIn, exchanged } from '../../support/wire.ts';

afterEach(closeAll);

const SECRET = '123-45-6789';
const CUSTOMER = { id: 1, ssn: SECRET };
const MASKED = '{"id":1,"ssn":"***"}';
const POLICIES =
  'policies: [{ name: SSN, properties: [ssn], except: { entityTypes: [Manager] }, action: MASK }]';
const VENDOR = { entityTypeId: 'Agent', entityId: 'jane' };

type Logged = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: NodeJS.Dict<string>;
  readonly body: Buffer;
  readonly text: string;
}

/** An application whose answers are masked, and what its enforcer logged. */
interface Application {
  readonly app: Express;
  readonly port: number;
  readonly logged: Logged[];
  readonly get: (path?: string, headers?: Record<string, string>, method?: string) => Promise<Answer>;
}

async function enforcer(configuration: object = {}): Promise<{ enforcer: Enforcer; logged: Logged[] }> {
  const logged: Logged[] = [];
  const write = (message: string, fields: Logged = {}): void => void logged.push({ message, ...fields });
  const log = { error: write, warn: write, info: write, debug: write };
  const policyFile = 'pdpUrl' in configuration ? undefined : await fileWith(POLICIES);
  const created = await createEnforcer({ policyFile, ...configuration }, { log });
  stopLater(() => created.close());
  // What it logged about its policies is not about answers.
  logged.length = 0;
  return { enforcer: created, logged };
}

async function application(
  setUp: (app: Express, mask: (options?: Partial<MaskResponsesOptions<Request>>) => void) => void,
  configuration: object = {},
): Promise<Application> {
  const { enforcer: created, logged } = await enforcer(configuration);
  const app = express();
  app.set('env', 'test');
  setUp(app, (options) => void app.use(maskResponses(created, { vendor: VENDOR, ...options })));
  const port = await listen(app);
  const get: Application['get'] = (path = '/', headers = {}, method = 'GET') =>
    ask(port, path, headers, method);
  return { app, port, logged, get };
}

/** An application with one route, below the middleware. */
function answering(
  handler: (request: Request, response: Response, next: NextFunction) => unknown,
  options = {},
) {
  return application((app, mask) => {
    mask(options);
    app.use(handler);
  });
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await listening(server);
  return portOf(server);
}

async function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  method: string,
): Promise<Answer> {
  const sent = httpRequest({ host: '127.0.0.1', port, path, headers, method, agent: false }).end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  return {
    status: response.statusCode,
    reason: response.statusMessage,
    headers: response.headers,
    trailers: response.trailers,
    body,
    text: body.toString(),
  };
}

function vendorOf(request: Request) {
  return Promise.resolve({ entityTypeId: request.get('x-type'), entityId: 'x' });
}

function parametersOf(request: Request) {
  return { maskString: request.get('x-mask') };
}

/** Compresses what is answered below it, in chunks. */
function compressing(_request: Request, response: Response, next: NextFunction): void {
  const end: unknown = Reflect.get(response, 'end');
  Object.assign(response, {
    end: async (body: Buffer) => {
      await Promise.resolve();
      response.removeHeader('Content-Length');
      response.setHeader('Content-Encoding', 'gzip');
      response.write(gzipSync(body));
      Reflect.apply(Object(end), response, []);
    },
  });
  next();
}

/** Sends the last byte of what is answered below it when something is done, as middleware does that saves a session. */
function endingAfter(done: Promise<void>) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const write: unknown = Reflect.get(response, 'write');
    const end: unknown = Reflect.get(response, 'end');
    Object.assign(response, {
      end: (body: Buffer) => {
        Reflect.apply(Object(write), response, [body.subarray(0, -1)]);
        void done.then(() => Reflect.apply(Object(end), response, [body.subarray(-1)]));
      },
    });
    next();
  };
}

function problemIn({ text }: Answer): unknown {
  return JSON.parse(text);
}

describe('maskResponses masks', () => {
  test.each<[string, (request: Request, response: Response) => unknown]>([
    ['res.json', (_, response) => response.json(CUSTOMER)],
    ['res.send of an object', (_, response) => response.send(CUSTOMER)],
    ['res.send of JSON text', (_, response) => response.type('json').send(JSON.stringify(CUSTOMER))],
    ['res.send of bytes', (_, response) => response.type('json').send(Buffer.from(JSON.stringify(CUSTOMER)))],
    ['res.end', (_, response) => response.type('json').end(JSON.stringify(CUSTOMER))],
    [
      'res.write in pieces, with callbacks',
      (_, response) => {
        response
          .type('json')
          .write('{"id":1,"ss', () =>
            response.write(Buffer.from('n":"123'), () => response.end('-45-6789"}')),
          );
      },
    ],
    [
      'res.write of other encodings',
      (_, response) => {
        response.type('json').write(Buffer.from('{"id":1,').toString('hex'), 'hex');
        response.end(Buffer.from(`"ssn":"${SECRET}"}`).toString('base64'), 'base64');
      },
    ],
    [
      'res.writeHead',
      (_, response) => {
        const body = JSON.stringify(CUSTOMER);
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
          .end(body);
      },
    ],
    [
      'res.writeHead with a list of headers',
      (_, response) =>
        void response.writeHead(200, ['Content-Type', 'application/json']).end(JSON.stringify(CUSTOMER)),
    ],
    [
      'res.writeHead with a list of headers, in place of one that is there',
      (_, response) =>
        void response
          .type('html')
          .writeHead(200, ['Content-Type', 'application/json'])
          .end(JSON.stringify(CUSTOMER)),
    ],
    [
      'res.writeHead with a list of headers, one of which is repeated',
      (_, response) =>
        void response
          .writeHead(200, ['Set-Cookie', ['a=1', 'b=2'], 'Content-Type', 'application/json'])
          .end(JSON.stringify(CUSTOMER)),
    ],
    ['a pipe', (_, response) => void Readable.from([JSON.stringify(CUSTOMER)]).pipe(response.type('json'))],
    [
      'a pipeline',
      (_, response) => pipeline(Readable.from([JSON.stringify(CUSTOMER)]), response.type('json')),
    ],
    [
      'flushed headers',
      (_, response) => {
        response.type('json').flushHeaders();
        response.end(JSON.stringify(CUSTOMER));
      },
    ],
    [
      'another JSON type',
      (_, response) => response.type('application/hal+json').send(JSON.stringify(CUSTOMER)),
    ],
    [
      'an answer that is compressed below it',
      (_, response) =>
        response
          .type('json')
          .set('Content-Encoding', 'gzip')
          .send(gzipSync(JSON.stringify(CUSTOMER))),
    ],
  ])('%s', async (_, handler) => {
    const { get } = await answering(handler);
    const answer = await get();
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: MASKED });
    expect(answer.headers).toMatchObject({ 'content-length': String(MASKED.length) });
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('res.sendFile of JSON, also if a part of it is asked for', async () => {
    const file = await fileWith(JSON.stringify(CUSTOMER));
    const { get } = await answering((_, response) => {
      response.sendFile(file, { headers: { 'Content-Type': 'application/json' } });
    });
    for (const headers of [{}, { range: 'bytes=8-20' }])
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      expect(await get('/', headers)).toMatchObject({ status: 200, text: MASKED });
  });

  test('answers of any status, and those of error handlers', async () => {
    const { get } = await application((app, mask) => {
      mask();
      app.get('/missing', (_, response) => void response.status(404).json(CUSTOMER));
      app.get('/thrown', () => {
        throw new Error(SECRET);
      });
      app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
        response.status(500).json({ ssn: error.message });
      });
    });
    expect(await get('/missing')).toMatchObject({ status: 404, text: MASKED });
    expect(await get('/thrown')).toMatchObject({ status: 500, text: '{"ssn":"***"}' });
  });

  test.each([{}, { 'Transfer-Encoding': 'chunked' }])(
    'an answer that a compression middleware above it compresses then, in chunks and without trailers: %p',
    async (fields) => {
      const { get } = await application((app, mask) => {
        app.use(compressing);
        mask();
        app.use((_, response) => {
          response.addTrailers({ Digest: SECRET });
          response.set(fields).json(CUSTOMER);
        });
      });
      const { headers, body, trailers } = await get('/', { connection: 'keep-alive' });
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
      expect(gunzipSync(body).toString()).toBe(MASKED);
      expect(trailers).toEqual({});
    },
  );

  test.each([
    ['a number', 1],
    ['an object', {}],
    ['null', null],
    ['a DataView', new DataView(new ArrayBuffer(1))],
  ])('the page of the error handler if a chunk is %s', async (_, chunk) => {
    const { get } = await answering((__, response) => {
      response.type('json');
      Reflect.apply(response.write.bind(response), undefined, [chunk]);
    });
    expect(await get()).toMatchObject({
      status: 502,
      text: expect.stringContaining('response-not-enforceable'),
    });
  });

  test.each([[0], [false]])('an answer that ends with %j', async (chunk) => {
    const { get } = await answering((_, response) => {
      response.type('json').write(JSON.stringify(CUSTOMER));
      Reflect.apply(response.end.bind(response), undefined, [chunk]);
    });
    expect(await get()).toMatchObject({ status: 200, text: MASKED });
  });

  test('an answer once if the middleware is mounted for the application and for a router', async () => {
    const { enforcer: created } = await enforcer();
    const app = express();
    let asked = 0;
    const mask = maskResponses(created, { vendor: () => (asked++, VENDOR) });
    app.use(mask, express.Router().use(mask), mask);
    app.get('/', (_, response) => void response.json(CUSTOMER));
    const { text } = await ask(await listen(app), '/', {}, 'GET');
    expect([text, asked]).toEqual([MASKED, 1]);
  });

  test('text that passes without trailers', async () => {
    const { get } = await answering(
      (_, response) => {
        response.type('text').setHeader('Trailer', 'X-Ssn');
        response.write('a');
        response.addTrailers({ 'X-Ssn': SECRET });
        response.end();
      },
      { routes: [{ path: '/**', nonJson: 'pass' }] },
    );
    expect(await get()).toMatchObject({ status: 200, text: 'a', trailers: {} });
  });

  test.each(['an answer', 'a problem'])(
    '%s without the framing that the application gave it',
    async (what) => {
      const { get } = await answering((_, response) => {
        response.set({ 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' });
        response.end(what === 'an answer' ? JSON.stringify(CUSTOMER) : 'no JSON');
      });
      const { headers, text } = await get();
      expect(headers['transfer-encoding']).toBeUndefined();
      expect(headers['content-length']).toBe(String(text.length));
    },
  );

  test('for the user whom the vendor function names, with the parameters of the request', async () => {
    const { get } = await answering((_, response) => response.json(CUSTOMER), {
      vendor: vendorOf,
      parameters: parametersOf,
    });
    expect(await get('/', { 'x-type': 'Agent', 'x-mask': '-' })).toMatchObject({
      text: '{"id":1,"ssn":"-"}',
    });
    expect(await get('/', { 'x-type': 'Manager' })).toMatchObject({ text: JSON.stringify(CUSTOMER) });
  });

  test('and forwards the headers of the request to the PDP', async () => {
    const pdp = await startStub();
    pdp.answer({ body: '{"response":[]}' });
    const { get } = await application(
      (app, mask) => {
        mask();
        app.use((_, response) => void response.json({}));
      },
      { pdpUrl: pdp.url.href },
    );
    await get('/', { authorization: 'Bearer t' });
    expect(pdp.requests[0]?.headers).toMatchObject({ authorization: 'Bearer t' });
  });

  test.each<[string, Record<string, string>, number]>([
    [
      'not if Connection keeps one of them from the PDP',
      { authorization: 'Bearer t', connection: 'close, Authorization' },
      400,
    ],
    ['also if Connection names a field that is not there', { connection: 'close, Authorization' }, 200],
    [
      'also if Connection offers HTTP/2, as curl does',
      { connection: 'HTTP2-Settings', 'http2-settings': 'AA' },
      200,
    ],
  ])('%s', async (_, headers, status) => {
    const { get } = await answering((_request, response) => response.json(CUSTOMER));
    const answer = await get('/', headers);
    expect(answer).toMatchObject({ status });
    expect(answer.text).toContain(status === 200 ? MASKED : 'Connection names the field authorization');
  });
});

describe('maskResponses answers a problem document and nothing of the body', () => {
  test.each<[string, number, string, (request: Request, response: Response) => unknown]>([
    ['text', 502, 'response-not-enforceable', (_, response) => response.send(SECRET)],
    [
      'bytes without a type',
      502,
      'response-not-enforceable',
      (_, response) => response.send(Buffer.from(SECRET)),
    ],
    ['no type at all', 502, 'response-not-enforceable', (_, response) => void response.end(SECRET)],
    [
      'another charset',
      502,
      'response-not-enforceable',
      (_, response) => void response.set('Content-Type', 'application/json; charset=utf-16').end(SECRET),
    ],
    [
      'JSONP',
      502,
      'response-not-enforceable',
      (request, response) => {
        Object.defineProperty(request, 'query', { value: { callback: 'f' } });
        return response.jsonp(CUSTOMER);
      },
    ],
    [
      'events',
      502,
      'response-not-enforceable',
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`data: ${SECRET}\n\n`);
      },
    ],
    [
      'an unknown encoding',
      502,
      'response-not-enforceable',
      (_, response) => void response.type('json').set('Content-Encoding', 'secret').end(SECRET),
    ],
    [
      'a broken encoding',
      502,
      'response-not-enforceable',
      (_, response) => void response.type('json').set('Content-Encoding', 'gzip').end(SECRET),
    ],
    [
      'a page of Express',
      502,
      'response-not-enforceable',
      (_request, response) => response.status(404).sendFile('/absent'),
    ],
    [
      'broken JSON',
      502,
      'response-not-enforceable',
      (_, response) => response.type('json').send(`{"ssn":"${SECRET}`),
    ],
    ['a scalar', 502, 'response-not-enforceable', (_, response) => response.json(SECRET)],
  ])('for %s', async (_, status, code, handler) => {
    const { get, logged } = await answering((request, response, next) => {
      response.set({ ETag: '"1"', 'Content-Disposition': SECRET, 'Access-Control-Allow-Origin': '*' });
      response.statusMessage = SECRET;
      return handler(request, response) ?? (response.writableEnded || next);
    });
    const answer = await get('/', { 'x-request-id': 'r-1' });
    expect(answer).toMatchObject({ status, reason: expect.not.stringContaining(SECRET) });
    expect(problemIn(answer)).toMatchObject({
      type: `urn:authz-jsonmasking:error:${code}`,
      status,
      instance: 'r-1',
    });
    expect(JSON.stringify(answer.headers) + answer.text + JSON.stringify(logged)).not.toContain(SECRET);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-request-id': 'r-1',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.etag).toBeUndefined();
    expect(logged).toEqual([
      expect.objectContaining({ message: 'Response not enforced', error: code, requestId: 'r-1' }),
    ]);
  });

  test('if the PDP cannot be reached', async () => {
    const { get } = await application(
      (app, mask) => {
        mask();
        app.use((_, response) => void response.json(CUSTOMER));
      },
      { pdpUrl: '127.0.0.1:1' },
    );
    const answer = await get();
    expect(answer.status).toBe(502);
    expect(problemIn(answer)).toMatchObject({ type: 'urn:authz-jsonmasking:error:pdp-unreachable' });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
    ],
    ['rejects', () => Promise.reject(new Error(SECRET))],
  ])('if the vendor function %s, and the log says why', async (_, vendor) => {
    const { get, logged } = await answering((_request, response) => response.json(CUSTOMER), { vendor });
    const answer = await get();
    expect(answer).toMatchObject({ status: 500, text: expect.not.stringContaining(SECRET) });
    expect(JSON.parse(JSON.stringify(logged))).toMatchObject([
      { error: 'internal-error', cause: { name: 'Error', message: SECRET } },
    ]);
  });

  test('if the answer is longer than maxBody, while it is still being sent', async () => {
    const { get } = await application(
      (app, mask) => {
        mask();
        app.use((_, response) => {
          response.type('json').write('["');
          const more = setInterval(() => response.write('x'.repeat(100_000)), 1);
          response.once('close', () => clearInterval(more));
        });
      },
      { maxBody: 1 },
    );
    const answer = await get();
    expect(problemIn(answer)).toMatchObject({ status: 502, detail: expect.stringContaining('maxBody') });
  });

  test('if a handler answers and then throws', async () => {
    const { get } = await application((app, mask) => {
      mask();
      app.use((_request, response) => {
        response.json(CUSTOMER);
        throw new Error(SECRET);
      });
    });
    const outcome = await get().then(
      ({ text }) => text,
      () => 'reset',
    );
    // Express closes the connection; the enforced answer may be out by then.
    expect(['reset', MASKED]).toContain(outcome);
  });
});

describe('an answer looks sent to the application', () => {
  test('so that it cannot answer twice or change headers, and only the first answer goes out', async () => {
    const seen: unknown[] = [];
    const { get } = await answering((_, response) => {
      response.status(201).json(CUSTOMER);
      seen.push(response.headersSent, response.writableEnded);
      for (const again of [
        () => response.json({ ssn: 'other' }),
        () => response.set('X-Late', '1'),
        () => response.removeHeader('Content-Type'),
      ]) {
        try {
          again();
        } catch (error) {
          seen.push(Object(error).code);
        }
      }
      response.status(500);
      response.end('other');
      response.write('other');
    });
    const answer = await get();
    expect(answer).toMatchObject({ status: 201, text: MASKED });
    expect(seen).toEqual([true, true, ...Array.from({ length: 3 }, () => 'ERR_HTTP_HEADERS_SENT')]);
    expect(answer.headers['x-late']).toBeUndefined();
  });

  test('which may go on writing one that is refused, also while the refusal waits for an earlier answer', async () => {
    const errors: unknown[] = [];
    const written = Promise.withResolvers<void>();
    const { port } = await answering(async (request, response) => {
      if (request.path === '/first') await written.promise;
      if (request.path === '/first') return response.json(CUSTOMER);
      response.on('error', (error) => errors.push(error));
      response.type('csv');
      for (let line = 0; line < 10; line++) {
        response.write(SECRET);
        // oxlint-disable-next-line no-await-in-loop -- the answer is refused meanwhile
        await new Promise(setImmediate);
      }
      response.end(SECRET);
      return setImmediate(written.resolve);
    });
    const received = await exchanged(
      port,
      'GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(answersIn(received).map(({ status }) => status)).toEqual([200, 502]);
    expect(received).not.toContain(SECRET);
    expect(errors).toEqual([]);
  });

  test.each([
    ['is refused', 502, (response: Response) => response.type('csv').write(SECRET)],
    ['is masked', 200, (response: Response) => response.json(CUSTOMER)],
  ])('of which nothing follows one that %s while middleware above ends it', async (_, status, answer) => {
    const seen: unknown[] = [];
    const written = Promise.withResolvers<void>();
    const { get } = await application((app, mask) => {
      app.use(endingAfter(written.promise));
      mask();
      app.use(async (_request, response) => {
        answer(response);
        for (let line = 0; line < 10; line++) {
          // oxlint-disable-next-line no-await-in-loop -- the end of the answer begins meanwhile
          await new Promise(setImmediate);
          response.write(SECRET);
        }
        seen.push(response.headersSent, response.writableEnded);
        response.end(SECRET);
        written.resolve();
      });
    });
    const { text, headers, ...answered } = await get();
    expect(answered.status).toBe(status);
    expect(headers['content-length']).toBe(String(text.length));
    expect(JSON.parse(text)).toMatchObject(status === 200 ? { ssn: '***' } : { status });
    expect(seen).toEqual([true, true]);
  });

  test('whose callbacks are called, also if it ends one that is refused and gone', async () => {
    const called: string[] = [];
    const { get } = await answering((_, response) => {
      response.type('csv').write(SECRET);
      response.once('close', () => {
        response.write(SECRET, () => called.push('write'));
        response.end(() => called.push('end'));
      });
    });
    expect(await get()).toMatchObject({ status: 502 });
    await eventually(() => called.length === 2);
  });

  test('and reports when it is finished', async () => {
    const finished: boolean[] = [];
    const { get } = await answering((_, response) => {
      response.once('finish', () => finished.push(response.headersSent, response.writableEnded));
      response.type('json').end(JSON.stringify(CUSTOMER), () => finished.push(true));
    });
    await get();
    expect(finished).toEqual([true, true, true]);
  });

  test('also by the older name of its end, which frameworks ask before they call the next handler', async () => {
    const seen: unknown[] = [];
    const { get } = await answering((_, response) => {
      const see = (): void => void seen.push(Reflect.get(response, 'finished'));
      see();
      response.type('json').write('{"id":1,');
      see();
      response.end('"ssn":"1"}', see);
      see();
    });
    expect(await get()).toMatchObject({ text: MASKED });
    expect(seen).toEqual([false, false, true, true]);
  });

  test('and not to what calls the application, which may wait for the end and read what is sent', async () => {
    const { enforcer: created } = await enforcer();
    const mask = maskResponses(created, { vendor: VENDOR });
    const seen: unknown[] = [];
    const port = await listen((request, response) => {
      const see = (): void =>
        void seen.push(response.writableEnded, Reflect.get(response, 'finished'), response.getHeader('etag'));
      mask(request, response, () => {
        response.setHeader('Content-Type', 'application/json').setHeader('ETag', '"of the original"');
        response.end(JSON.stringify(CUSTOMER));
      });
      see();
      response.once('finish', see);
    });
    expect(await ask(port, '/', {}, 'GET')).toMatchObject({ text: MASKED });
    expect(seen).toEqual([false, false, '"of the original"', true, true, undefined]);
  });

  test('and is sent if the application closes the server then', async () => {
    const { enforcer: created } = await enforcer();
    const mask = maskResponses(created, { vendor: VENDOR });
    const server = createServer((request, response) =>
      mask(request, response, () =>
        setImmediate(() => {
          response.setHeader('Content-Type', 'application/json').end(JSON.stringify(CUSTOMER));
          server.closeIdleConnections();
        }),
      ),
    );
    await listening(server);
    expect(await ask(portOf(server), '/', {}, 'GET')).toMatchObject({ text: MASKED });
  });

  test('with the headers that other middleware adds at the last moment', async () => {
    const { get } = await application((app, mask) => {
      mask();
      app.use((_request, response, next) => {
        const writeHead: unknown = Reflect.get(response, 'writeHead');
        Object.assign(response, {
          writeHead: (...args: unknown[]) => {
            response.setHeader('X-Session', 'kept');
            return Reflect.apply(Object(writeHead), response, args);
          },
        });
        next();
      });
      app.use((_, response) => void response.json(CUSTOMER));
    });
    expect(await get()).toMatchObject({ text: MASKED, headers: { 'x-session': 'kept' } });
  });
});

describe('headers of a masked answer', () => {
  test('reveal nothing of the original body', async () => {
    const { get } = await answering((_, response) => {
      response.set({
        'Last-Modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
        'Accept-Ranges': 'bytes',
        'Content-MD5': 'x',
        Digest: 'x',
        'Repr-Digest': 'x',
        'Content-Digest': 'x',
        Age: '1',
        'Cache-Control': 'public, max-age=60, s-maxage=600, immutable',
        Vary: 'Origin',
      });
      return response.json(CUSTOMER);
    });
    const { headers } = await get();
    const names = new Set([
      'etag',
      'last-modified',
      'accept-ranges',
      'content-md5',
      'digest',
      'repr-digest',
      'content-digest',
      'age',
    ]);
    expect(Object.keys(headers).filter((name) => names.has(name))).toEqual([]);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=60',
      vary: 'Origin, Authorization, Cookie',
    });
  });

  test('never confirm a guess of the original body', async () => {
    const { get } = await answering((_, response) => response.json(CUSTOMER));
    const plain = await application((app) => void app.use((_, response) => void response.json(CUSTOMER)));
    const { headers } = await plain.get();
    expect(headers.etag).toBeDefined();
    expect(await get('/', { 'if-none-match': String(headers.etag) })).toMatchObject({
      status: 200,
      text: MASKED,
    });
  });

  test.each([
    ['HEAD', 'HEAD', 200, undefined, (response: Response) => response.json(CUSTOMER)],
    ['204', 'GET', 204, undefined, (response: Response) => response.status(204).json(CUSTOMER)],
    ['304', 'GET', 304, undefined, (response: Response) => response.status(304).json(CUSTOMER)],
    ['an empty body', 'GET', 201, '0', (response: Response) => response.status(201).end()],
  ])('pass without a length and validators for %s', async (_, method, status, length, handler) => {
    const { get } = await answering((_request, response) => handler(response.set('X-Own', '1')));
    const answer = await get('/', {}, method);
    expect(answer).toMatchObject({ status, text: '', headers: { 'x-own': '1' } });
    expect(answer.headers.etag).toBeUndefined();
    expect(answer.headers['content-length']).toBe(length);
  });
});

test.each([
  ['POST', { 'x-http-method-override': 'get' }],
  ['POST', { X_Method_Override: 'HEAD' }],
  ['get', {}],
])(
  'no condition is left in a request that an application may take for one that reads: %s %j',
  async (method, headers) => {
    const seen: unknown[] = [];
    const { get } = await answering((request, response) => {
      const { headersDistinct, rawHeaders } = request;
      seen.push(JSON.stringify([request.headers, headersDistinct, rawHeaders]));
      return response.json(CUSTOMER);
    });
    await get(
      '/',
      { ...headers, 'If-None-Match': '"a"', If_Match: '"b"', Range: 'bytes=0-1', 'X-Own': '1' },
      method,
    );
    await get('/?_method=GET', { 'If-None-Match': '"a"' }, 'POST');
    expect(seen).toHaveLength(2);
    expect(seen.join()).toContain('X-Own');
    expect(seen.join()).not.toMatch(/if[-_](?:none[-_])?match|range/iu);
  },
);

describe('an application that always has more to write', () => {
  const PARTS = 20_000;
  const PART = 'x'.repeat(1000);

  test.each([
    ['text', 'text/csv', {}, 100],
    ['JSON that is too long', 'application/json', { maxBody: 1 }, 1100],
  ])('stops soon after its answer is refused: %s', async (_, type, configuration, most) => {
    let made = 0;
    const parts = function* () {
      for (; made < PARTS; made++) yield PART;
    };
    const { get } = await application((app, mask) => {
      mask();
      app.use((__, response) => void Readable.from(parts()).pipe(response.type(type)));
    }, configuration);
    expect(await get()).toMatchObject({
      status: 502,
      text: expect.stringContaining('response-not-enforceable'),
    });
    expect(made).toBeLessThan(most);
  });

  test.each<[string, (response: Response, part: string) => Promise<unknown>]>([
    ['that waits for drain', async (response, part) => response.write(part) || once(response, 'drain')],
    [
      'that waits to be called back',
      (response, part) => new Promise((done) => void response.write(part, done)),
    ],
  ])('lets others run while its answer is held, and all of it is masked: one %s', async (_, write) => {
    let isAnswering = false;
    const { get } = await answering(async (request, response) => {
      if (request.path === '/other') return response.json({ isAnswering });
      isAnswering = true;
      response.type('json').write('[{"ssn":"1"}');
      for (let part = 0; part < 1000; part++)
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await write(response, `,{"ssn":"${PART}"}`);
      isAnswering = false;
      return response.end(']');
    });
    const long = get();
    await eventually(async () => {
      const { text } = await get('/other');
      return text === '{"isAnswering":true}';
    });
    expect((await long).text).toBe(`[${Array.from({ length: 1001 }, () => '{"ssn":"***"}').join()}]`);
  });
});

test('listeners for drain of a held answer are not compared with one another', async () => {
  const counts: number[] = [];
  const { get } = await answering((_, response) => {
    response.setMaxListeners(0).type('json').write('[');
    const looks = jest.spyOn(response, 'rawListeners');
    for (let count = 0; count < 1000; count++) response.once('drain', () => undefined);
    counts.push(response.listenerCount('drain'), looks.mock.calls.length);
    return response.end(']');
  });
  expect((await get()).text).toBe('[]');
  expect(counts).toEqual([1000, 0]);
});

test('an application that ends its held answer again and again adds one listener, and each end is called back', async () => {
  const counts: number[] = [];
  let called = 0;
  const { get } = await answering((_, response) => {
    response.type('json').write('[');
    const before = response.listenerCount('finish');
    for (let count = 0; count < 1000; count++) response.end(count === 0 ? ']' : '', () => called++);
    counts.push(response.listenerCount('finish') - before);
    return response;
  });
  expect((await get()).text).toBe('[]');
  await eventually(() => Promise.resolve(called === 1000));
  expect(counts).toEqual([1]);
});

test('conditions stay on requests that change something', async () => {
  const seen: unknown[] = [];
  const { get } = await answering((request, response) => {
    seen.push(request.headers['if-none-match']);
    return response.json(CUSTOMER);
  });
  await get('/', { 'if-none-match': '*' }, 'PUT');
  await get('/', { 'if-none-match': '*' });
  expect(seen).toEqual(['*', undefined]);
});

test('conditions that middleware adds do not stay on requests that read', async () => {
  const seen: unknown[] = [];
  const { get } = await application((app, mask) => {
    app.use((request, _response, next) => {
      request.headers['if-none-match'] = '*';
      next();
    });
    mask({});
    app.use((request, response) => {
      seen.push(request.headers['if-none-match']);
      response.json(CUSTOMER);
    });
  });
  await get('/');
  expect(seen).toEqual([undefined]);
});

test('a body is not decompressed beyond maxBody', async () => {
  const { get } = await application(
    (app, mask) => {
      mask({});
      // The end is missing, which is not noticed if it is not reached.
      const body = gzipSync('x'.repeat(2 ** 24)).subarray(0, -9);
      app.use((_request, response) => void response.set('content-encoding', 'gzip').type('json').end(body));
    },
    { maxBody: 1 },
  );
  const { status, text } = await get();
  expect(status).toBe(502);
  expect(text).toContain('it has more than 1048576 bytes (maxBody)');
});

test('the status is the one that the application sent, whatever it assigns later', async () => {
  const { get } = await answering((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.statusCode = 500;
    // No reason may have such a character: sent, it would fail.
    response.statusMessage = 'no row for 4711 \u2602';
    response.end(JSON.stringify(CUSTOMER));
  });
  expect(await get()).toMatchObject({ status: 201, text: MASKED });
});

describe('routes of maskResponses', () => {
  const routes = [
    { path: '/health/**', pass: true },
    { path: '/reports/*.csv', refuse: true },
    { path: '/managers/**', vendor: { entityTypeId: 'Manager' } },
    { path: '/lists/**', parameters: { root: 'items' }, methods: ['GET'] },
    { path: '/pages/**', nonJson: 'pass' as const },
  ];

  function routed() {
    return application((app, mask) => {
      mask({ routes });
      app.get('/pages/html', (_, response) => void response.send('<p>'));
      app.use('/lists', (_, response) => void response.json({ items: [CUSTOMER] }));
      app.use((_, response) => void response.json(CUSTOMER));
    });
  }

  test.each([
    ['/health/live', 200, JSON.stringify(CUSTOMER)],
    ['/managers/1', 200, JSON.stringify(CUSTOMER)],
    ['/lists/1?x=1', 200, `{"items":[${MASKED}]}`],
    ['/pages/html', 200, '<p>'],
    ['/pages/json', 200, MASKED],
    ['/anything', 200, MASKED],
  ])('treat %s as they say', async (path, status, text) => {
    const { get } = await routed();
    expect(await get(path)).toMatchObject({ status, text });
  });

  test('let text pass for no shared cache, and without what the cache could compare it by', async () => {
    const { get } = await application((app, mask) => {
      mask({ routes });
      app.use((_, response) => {
        response.set({
          'Cache-Control': 'public, max-age=60',
          'Last-Modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
        });
        response.send('<p>');
      });
    });
    const { text, headers } = await get('/pages/html');
    expect(text).toBe('<p>');
    expect(headers).toMatchObject({ 'cache-control': 'private, max-age=60', vary: 'Authorization, Cookie' });
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('last-modified');
  });

  test.each([
    ['events', 'text/event-stream', `data: {"ssn":"${SECRET}"}\n\n`],
    ['records', 'application/x-ndjson', `{"ssn":"${SECRET}"}\n`],
    ['no type', undefined, `{"ssn":"${SECRET}"}`],
  ])('refuse %s, even if other media types pass', async (_name, type, body) => {
    const { get } = await application((app, mask) => {
      mask({ routes });
      app.use((_, response) => {
        if (type !== undefined) response.writeHead(200, { 'content-type': type });
        response.end(body);
      });
    });
    const answer = await get('/pages/1');
    expect(problemIn(answer)).toMatchObject({
      type: 'urn:authz-jsonmasking:error:response-not-enforceable',
    });
    expect(answer.text).not.toContain(SECRET);
  });

  test.each([
    ['/reports/a.csv', 403, 'route-refused'],
    ['/LISTS/1', 400, 'path-ambiguous'],
    ['/health/..%2flists/1', 400, 'path-ambiguous'],
  ])('refuse %s', async (path, status, code) => {
    const { get } = await routed();
    const answer = await get(path);
    expect(problemIn(answer)).toMatchObject({ status, type: `urn:authz-jsonmasking:error:${code}` });
  });

  test('match the path that the client sent in an application that is mounted below another', async () => {
    const { enforcer: created } = await enforcer();
    const app = express();
    const inner = express.Router();
    inner.use(maskResponses(created, { vendor: VENDOR, routes: [{ path: '/api/open', pass: true }] }));
    inner.use((_, response) => void response.json(CUSTOMER));
    app.use('/api', inner);
    const port = await listen(app);
    expect(await ask(port, '/api/open', {}, 'GET')).toMatchObject({ text: JSON.stringify(CUSTOMER) });
    expect(await ask(port, '/api/other', {}, 'GET')).toMatchObject({ text: MASKED });
    // Express gives these a slash.
    expect(await ask(port, '/api', {}, 'GET')).toMatchObject({ text: MASKED });
    expect(await ask(port, '/api?x=/open', {}, 'GET')).toMatchObject({ text: MASKED });
  });

  test.each([
    ['/open/rewritten', 400],
    ['/v1/rewritten', 200],
    ['/open/list', 200],
  ])(
    'let no middleware lead to what another route protects by another path: %s is %d',
    async (path, status) => {
      const { get } = await application((app, mask) => {
        app.use((request, _, next) => {
          if (request.url.endsWith('/rewritten')) request.url = '/customers';
          next();
        });
        mask({ routes: [{ path: '/open/**', pass: true }] });
        app.get('/customers', (_, response) => void response.json(CUSTOMER));
        app.get('/open/list', (_, response) => void response.json([]));
      });
      const answer = await get(path);
      expect(answer).toMatchObject({ status });
      expect(answer.text).not.toContain(SECRET);
    },
  );

  test('take variables from trusted headers only', async () => {
    const vendor = { entityTypeId: '${headers.x-type}' };
    const open = (trustedHeaders: readonly string[]) =>
      answering((_, response) => response.json(CUSTOMER), {
        routes: [{ path: '/**', vendor }],
        trustedHeaders,
      });
    const headers = { 'x-type': 'Manager' };
    expect(await (await open(['X-Type'])).get('/', headers)).toMatchObject({
      text: JSON.stringify(CUSTOMER),
    });
    expect(problemIn(await (await open([])).get('/', headers))).toMatchObject({ status: 400 });
  });

  test('lead no path around the user that a function of the application names', async () => {
    const [ofRequest, ofAll] = await Promise.all(
      [() => VENDOR, VENDOR].map((vendor) =>
        answering((_, response) => response.json(CUSTOMER), {
          vendor,
          routes: [{ path: '/catalog/**', vendor: { entityId: 'anonymous' } }],
        }),
      ),
    );
    const path = '//catalog/customers';
    expect(await ofRequest?.get(path)).toMatchObject({ status: 400 });
    expect(await ofRequest?.get('/catalog/customers')).toMatchObject({ status: 200 });
    expect(await ofAll?.get(path)).toMatchObject({ status: 200 });
  });

  test.each([[[]], [[{ path: '/**', vendor: { clientId: 'portal' } }]]])(
    'have a vendor that says itself what it is as JSON: with the routes %j',
    async (table) => {
      const pdp = await startStub();
      pdp.answer({ body: '{"response":[]}' });
      const document = new (class {
        readonly content = { entityId: 'jane', clientId: 'own' };
        toJSON(): object {
          return this.content;
        }
      })();
      const { get } = await application(
        (app, mask) => {
          mask({ vendor: Object(document), routes: table });
          app.use((_, response) => void response.json(CUSTOMER));
        },
        { pdpUrl: pdp.url.href },
      );
      await get();
      const asked: unknown = JSON.parse(pdp.requests[0]?.body.toString() ?? '');
      expect(asked).toMatchObject({ entityId: 'jane', clientId: table.length > 0 ? 'portal' : 'own' });
      expect(asked).not.toHaveProperty('content');
    },
  );

  test('replace members of the vendor by their whole names, also those with a dot', async () => {
    const pdp = await startStub();
    pdp.answer({ body: '{"response":[]}' });
    const vendor = { a: { b: 'own', c: 'own' }, d: 'own', 'd.e': 'own' };
    const replaced = { 'a.b': 'route', 'd.e': 'route' };
    const { get } = await application(
      (app, mask) => {
        mask({ vendor, routes: [{ path: '/**', vendor: replaced }] });
        app.use((_, response) => void response.json(CUSTOMER));
      },
      { pdpUrl: pdp.url.href },
    );
    await get();
    const asked: unknown = JSON.parse(pdp.requests[0]?.body.toString() ?? '');
    expect(asked).toMatchObject({ ...vendor, ...replaced });
  });

  test.each([
    [[{ pth: '/x' }], 'routes.0.pth is not a known key; the nearest one is path'],
    [
      [{ path: '/x', parameters: { rot: 'a' } }],
      'routes.0.parameters.rot is not a known key; the nearest one is root',
    ],
    [[{ path: 'x' }], 'routes.0.path must begin with /'],
    [[{}], 'routes.0.path is required and must be a string'],
    [[{ path: '/x', pass: 'yes' }], 'routes.0.pass must be true or false'],
    [[{ path: '/x', methods: [] }], 'routes.0.methods must be a list with at least one element'],
    [[{ path: '/x', parameters: { root: 5 } }], 'routes.0.parameters.root must be a string'],
    [
      [{ path: '/x', vendor: { entityId: '${claims.sub}' } }],
      'routes name claims, but the enforcer verifies no tokens',
    ],
  ])('are checked at once: %j', async (wrong, message) => {
    const { enforcer: created } = await enforcer();
    const options: object = { vendor: {}, routes: wrong };
    expect(() => maskResponses(created, Object.assign({ vendor: {} }, options))).toThrow(message);
  });
});

test.each([
  [{ vendr: {} }, 'vendr is not a known key; the nearest one is vendor'],
  [{ paramters: { root: 'x' } }, 'paramters is not a known key; the nearest one is parameters'],
  [{ otherwise: { refuse: true } }, 'otherwise is not a known key'],
  [{ vendor: 'jane' }, 'vendor must be an object or a function'],
  [
    { vendor: { subject: { id: ['${claims.sub}'] } } },
    'vendor.subject contains ${…}, which only the vendor of a route may',
  ],
  [
    { vendor: { entityTypeId: '${claims.role}' } },
    'vendor.entityTypeId contains ${…}, which only the vendor of',
  ],
  [{ parameters: { rot: 'a' } }, 'parameters.rot is not a known key; the nearest one is root'],
  [{ parameters: { root: 5 } }, 'parameters.root must be a string'],
])('options of maskResponses are checked at once: %j', async (wrong: object, message) => {
  const { enforcer: created } = await enforcer();
  expect(() => maskResponses(created, Object.assign({ vendor: {} }, wrong))).toThrow(message);
});

test.each([[undefined], [null], ['jane']])(
  'options of maskResponses have to be an object: %j',
  async (wrong) => {
    const { enforcer: created } = await enforcer();
    expect(() => Reflect.apply(maskResponses, undefined, [created, wrong])).toThrow(
      'They have to be an object, such as { vendor }.',
    );
  },
);

test('a vendor function that returns nothing is a fault of the application, not a request of nobody', async () => {
  const { get, logged } = await application((app, mask) => {
    const nothing: object = { vendor: () => undefined };
    mask(nothing);
    app.use((_, response) => void response.json(CUSTOMER));
  });
  expect(await get()).toMatchObject({ status: 500 });
  expect(JSON.stringify(logged)).toContain('"pointer":"/vendor","detail":"It has to be an object."');
});

test('a request with two tokens has the answer of neither user', async () => {
  const provider = await startProvider();
  const { port } = await application(
    (app, mask) => {
      mask();
      app.use((_, response) => void response.json(CUSTOMER));
    },
    { identity: { required: true, jwt: provider.jwt } },
  );
  const field = `Authorization: Bearer ${await provider.sign()}\r\n`;
  const [one = '', two = ''] = [field, field + field].map(
    (fields) => `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n`,
  );
  expect(answersIn(await exchanged(port, one))).toMatchObject([{ status: 200, text: MASKED }]);
  expect(answersIn(await exchanged(port, two))).toMatchObject([{ status: 401 }]);
});

test('an application whose enforcer is closed answers 503, and nothing of the body', async () => {
  const { enforcer: created } = await enforcer();
  const mask = maskResponses(created, { vendor: VENDOR });
  const port = await listen(express().use(mask, (_, response) => void response.json(CUSTOMER)));
  expect(await ask(port, '/', {}, 'GET')).toMatchObject({ status: 200, text: MASKED });
  await created.close();
  const answer = await ask(port, '/', {}, 'GET');
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(answer.text).not.toContain(SECRET);
});

test('an application that the client leaves gives up its question to the PDP', async () => {
  const asked: { aborted: boolean }[] = [];
  const pdp = await listen((request, response) => {
    const question = { aborted: false };
    asked.push(question);
    response.once('close', () => (question.aborted = true));
    request.resume();
  });
  const { enforcer: created } = await enforcer({ pdpUrl: `127.0.0.1:${pdp}` });
  const port = await listen(
    express().use(maskResponses(created, { vendor: VENDOR }), (_, response) => void response.json({})),
  );
  const sent = httpRequest({ host: '127.0.0.1', port, agent: false })
    .on('error', () => undefined)
    .end();
  await eventually(() => asked.length > 0);
  sent.destroy();
  await eventually(() => asked[0]?.aborted === true);
  expect(asked).toHaveLength(1);
});

test('an application that the client leaves no longer waits for what the application does not say of the user', async () => {
  const { enforcer: created, logged } = await enforcer();
  const asked: unknown[] = [];
  const vendor = (): Promise<never> => {
    asked.push({});
    return Promise.withResolvers<never>().promise;
  };
  const mask = maskResponses(created, { vendor });
  const port = await listen(express().use(mask, (_, response) => void response.json({})));
  const sent = httpRequest({ host: '127.0.0.1', port, agent: false })
    .on('error', () => undefined)
    .end();
  await eventually(() => asked.length > 0);
  sent.destroy();
  await created.close();
  expect(asked).toHaveLength(1);
  expect(logged).toEqual([]);
});

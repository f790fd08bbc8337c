import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import compression from 'compression';
import express, { type Express, type RequestHandler, type Response } from 'express';
import session from 'express-session';
import * as fc from 'fast-check';
import { createEnforcer, maskResponses, type Enforcer } from '../../../src/library.ts';
import { portOf } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/folder.ts';
import { methodOf, replace, type Arguments } from './replaced.ts';

const BODY = '[{"id":1,"ssn":"123-45-6789"}]';
const MASKED = '[{"id":1,"ssn":"***"}]';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';

let enforcer: Enforcer;
/** What it masks is not in the body. */
let other: Enforcer;
beforeAll(async () => {
  other = await createEnforcer({
    policyFile: await fileWith('policies: [{ name: PAN, properties: [pan], action: MASK }]'),
  });
  enforcer = await createEnforcer({
    policyFile: await fileWith('policies: [{ name: SSN, properties: [ssn], action: MASK }]'),
  });
});
afterAll(() => Promise.all([enforcer.close(), other.close()]));

const MASKING = { vendor: {}, routes: [{ path: '/**', nonJson: 'pass' }] } as const;

/** Middleware that changes the head just before it is sent. */
function onHead(change: (response: Response) => void): RequestHandler {
  return (_, response, next) => {
    let isChanged = false;
    replace(response, 'writeHead', (original, args) => {
      if (!isChanged) change(response);
      isChanged = true;
      return original(args);
    });
    next();
  };
}

/** Middleware that adds header fields to those of each head. */
function addingToHead(fields: Readonly<Record<string, string>>): RequestHandler {
  return (_, response, next) => {
    replace(response, 'writeHead', (original, [status]) => original([status, fields]));
    next();
  };
}

/** Middleware that has something to do before it sends the end. */
const endingLate: RequestHandler = (_, response, next) => {
  replace(response, 'end', (original, args) => {
    setImmediate(() => original(args));
    return response;
  });
  next();
};

/** A session that has changed: its end waits for its store. */
const changed: RequestHandler = (request, _, next) => {
  Object.assign(request.session, { visits: 1 });
  next();
};

const SESSION = [session({ secret: 'a', resave: false, saveUninitialized: true }), changed];
const COMPRESSION = [compression({ threshold: 0 })];

const masked: RequestHandler = (request, response, next) =>
  maskResponses(other, MASKING)(request, response, next);

const ABOVE: Readonly<Record<string, readonly RequestHandler[]>> = {
  compression: COMPRESSION,
  session: SESSION,
  'a late end': [endingLate],
  'another enforcer': [masked],
};

const BELOW: Readonly<Record<string, readonly RequestHandler[]>> = {
  ...ABOVE,
  'a head that becomes JSON': [onHead((response) => void response.setHeader('Content-Type', JSON_TYPE))],
  'a head that becomes text': [onHead((response) => void response.setHeader('Content-Type', TEXT))],
  'a type added to the head': [addingToHead({ 'Content-Type': JSON_TYPE })],
  'a head for caches': [
    onHead((response) => {
      response.setHeader('Cache-Control', 'public, max-age=600');
      response.setHeader('ETag', '"a"');
    }),
  ],
};

/** Calls `writeHead` with arguments that Node.js accepts and its types do not allow. */
function writeHead(response: Response, ...args: Arguments): void {
  Reflect.apply(methodOf(response, 'writeHead'), response, args);
}

type Answer = (response: Response, type: string) => unknown;

const ANSWERS: Readonly<Record<string, Answer>> = {
  json: (response) => response.json(JSON.parse(BODY)),
  send: (response, type) => response.type(type).send(BODY),
  end: (response, type) => response.setHeader('Content-Type', type).end(BODY),
  'write and end': (response, type) => {
    response.setHeader('Content-Type', type);
    response.write(BODY.slice(0, 5));
    response.write(BODY.slice(5));
    response.end();
  },
  'write, and later end': (response, type) => {
    response.setHeader('Content-Type', type).write(BODY.slice(0, 5));
    setImmediate(() => response.end(BODY.slice(5)));
  },
  'a head first': (response, type) => {
    response.setHeader('Content-Type', type).flushHeaders();
    response.end(BODY);
  },
  'a pipe': (response, type) => Readable.from([BODY]).pipe(response.setHeader('Content-Type', type)),
  'writeHead with headers': (response, type) => {
    writeHead(response, 201, { 'Content-Type': type });
    response.end(BODY);
  },
  'writeHead without a reason': (response, type) => {
    response.setHeader('Content-Type', TEXT);
    writeHead(response, 200, undefined, { 'Content-Type': type });
    response.end(BODY);
  },
  'writeHead without a reason, null': (response, type) => {
    response.setHeader('Content-Type', TEXT);
    writeHead(response, 200, null, ['Content-Type', type]);
    response.end(BODY);
  },
  'a status as text': (response, type) => {
    writeHead(response, '404', 'Gone away', { 'Content-Type': type });
    response.end(BODY);
  },
  'a type that is an object': (response, type) => {
    writeHead(response, 200, { 'Content-Type': { toString: () => type } });
    response.end(BODY);
  },
};

/** Waits for `drain` when it is told to. */
async function writeAll(response: Response, parts: Iterable<string>): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const part of parts) if (!response.write(part)) await once(response, 'drain');
  response.end();
}

interface Stack {
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly answer: string;
  readonly type: string;
}

interface Got {
  readonly status: number;
  readonly reason: string;
  readonly type: string | null;
  readonly cookie: boolean;
  readonly text: string;
  readonly headers: Headers;
}

/** What a client gets from such an application, with the middleware of the library or without. */
async function getFrom({ above, below, answer, type }: Stack, mask: readonly RequestHandler[]): Promise<Got> {
  const app = express();
  const stack = [...above.map((name) => ABOVE[name]), mask, ...below.map((name) => BELOW[name])];
  for (const handler of stack.flatMap((handlers) => handlers ?? [])) app.use(handler);
  app.use((_, response) => void ANSWERS[answer]?.(response, type));
  return served(app, async (response) => {
    const { status, statusText, headers } = response;
    return {
      status,
      reason: statusText,
      type: headers.get('content-type'),
      cookie: headers.has('set-cookie'),
      text: await response.text(),
      headers,
    };
  });
}

/** Asks an application once. */
async function served<T>(app: Express, read: (response: globalThis.Response) => Promise<T>): Promise<T> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await read(await fetch(`http://127.0.0.1:${portOf(server)}/`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const masking = (): RequestHandler[] => [maskResponses(enforcer, MASKING)];

/** Compression and sessions expect the headers in place of a missing reason phrase, and lose them elsewhere. */
function isSeenAlike({ above, answer }: Stack): boolean {
  return above.length === 0 || !answer.startsWith('writeHead without');
}

const names = (of: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(of));

describe('between other middleware', () => {
  test('an answer is as without it, but masked if it is JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .record({
            above: fc.uniqueArray(names(ABOVE), { maxLength: 2 }),
            below: fc.uniqueArray(names(BELOW), { maxLength: 3 }),
            answer: names(ANSWERS),
            type: fc.constantFrom(JSON_TYPE, TEXT),
          })
          .filter(isSeenAlike),
        async (stack) => {
          const { headers: _plain, ...plain } = await getFrom(stack, []);
          const { headers, ...got } = await getFrom(stack, masking());
          const isJson = plain.type?.startsWith(JSON_TYPE) === true;
          expect(got).toEqual({ ...plain, text: isJson ? MASKED : BODY });
          const mayBeStored =
            headers.has('etag') || headers.get('cache-control')?.startsWith('private') !== true;
          expect(isJson && mayBeStored).toBe(false);
        },
      ),
      { numRuns: 600 },
    );
  });
});

describe('below compression', () => {
  const ROW = '{"ssn":"123-45-6789"}';
  const ROWS = 5000;
  const rows = function* (row: string) {
    yield `[${row}`;
    for (let i = 1; i < ROWS; i++) yield `,${row}`;
    yield ']';
  };

  test.each<[string, string, string, (response: Response, parts: Iterable<string>) => Promise<unknown>]>([
    ['JSON by a pipe', JSON_TYPE, '{"ssn":"***"}', (to, parts) => pipeline(Readable.from(parts), to)],
    ['text by a pipe', TEXT, ROW, (to, parts) => pipeline(Readable.from(parts), to)],
    ['JSON by writes that wait', JSON_TYPE, '{"ssn":"***"}', writeAll],
    ['text by writes that wait', TEXT, ROW, writeAll],
  ])('an answer of many parts is sent to its end: %s', async (_, type, row, send) => {
    const app = express().use(COMPRESSION, masking());
    app.use((__, response) => void send(response.type(type), rows(ROW)));
    expect(await served(app, (response) => response.text())).toBe([...rows(row)].join(''));
  });
});

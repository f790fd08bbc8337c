import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  adapterFor,
  closeAll,
  freePort,
  NO_NAME,
  portOf,
  question,
  rejection,
  startPair,
  startStub,
  stopLater,
  type OneMessageTransport,
} from './setup.ts';

afterEach(closeAll);

/** An adapter for a server that does with a connection what `serve` does, once it was sent something. */
async function pairWith(serve: (socket: Socket) => void, scheme = 'http'): Promise<OneMessageTransport> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => void server.close(resolve));
  });
  return adapterFor(new URL(`${scheme}://127.0.0.1:${portOf(server)}`));
}

describe('a PDP over HTTP that does not answer', () => {
  it('is out of time if it says nothing', async () => {
    const { pdp } = await startPair({ delay: 60_000 }, { timeout: 50 });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-timeout',
      message: 'The PDP did not answer within 50 ms.',
    });
  });

  it('is out of time if its body drips without end', async () => {
    const { pdp } = await startPair({ drip: 5 }, { timeout: 100 });
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-timeout' });
  });

  it('is out of time if the body of its refusal drips without end', async () => {
    const { pdp } = await startPair({ status: 403, drip: 5 }, { timeout: 100 });
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-timeout' });
  });

  it('is let go of when its time is up', async () => {
    const { pdp, stub } = await startPair({ drip: 5 }, { timeout: 2000 });
    await rejection(pdp.decide(question()));
    stub.answer({ body: 'next' });
    expect(Buffer.from(await pdp.decide(question())).toString()).toBe('next');
    expect(stub.connections()).toBe(2);
  });

  it('is unreachable if it refuses the connection', async () => {
    const pdp = adapterFor(new URL(`http://127.0.0.1:${await freePort()}`));
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The PDP cannot be reached (ECONNREFUSED).',
    });
  });

  it('is unreachable if its name does not exist', async () => {
    const pdp = adapterFor(new URL(`http://${NO_NAME}`));
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-unreachable' });
  });

  it('is unreachable if it closes the connection instead', async () => {
    const { pdp, stub } = await startPair({ reset: 'before-answer' });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The PDP cannot be reached (ECONNRESET).',
    });
    expect(stub.requests).toHaveLength(2);
  });

  it('is unreachable if it does not speak TLS though it should', async () => {
    const pdp = await pairWith((socket) => socket.end('hello\r\n'), 'https');
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-unreachable' });
  });

  it('is asked again, once, if it closed a connection that was kept', async () => {
    const { pdp, stub } = await startPair({ body: 'first' });
    await pdp.decide(question());
    stub.answer(() => (stub.requests.length === 2 ? { reset: 'before-answer' } : { body: 'again' }));
    expect(Buffer.from(await pdp.decide(question())).toString()).toBe('again');
    expect(stub.requests).toHaveLength(3);
    stub.answer({ reset: 'before-answer' });
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-unreachable' });
    expect(stub.requests).toHaveLength(5);
  });

  it('is asked again, once, if it closed a new connection before it answered', async () => {
    const { pdp, stub } = await startPair();
    stub.answer(() => (stub.requests.length === 1 ? { reset: 'before-answer' } : { body: 'again' }));
    expect(Buffer.from(await pdp.decide(question())).toString()).toBe('again');
    const [first, second] = stub.requests;
    expect(second).toEqual(first);
  });

  it('is not asked again if it answered, with whatever', async () => {
    const { pdp, stub } = await startPair({ status: 503 });
    await rejection(pdp.decide(question()));
    stub.answer({ body: '{}', reset: 'mid-answer' });
    await rejection(pdp.decide(question()));
    expect(stub.requests).toHaveLength(2);
  });

  it('is given one deadline for both times that it is asked', async () => {
    const { pdp, stub } = await startPair({}, { timeout: 2000 });
    stub.answer(() => (stub.requests.length === 1 ? { reset: 'before-answer' } : { delay: 60_000 }));
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-timeout',
      message: 'The PDP did not answer within 2000 ms.',
    });
    expect(stub.requests).toHaveLength(2);
  });

  it('is not asked again if nobody waits any more', async () => {
    const { pdp, stub } = await startPair();
    const caller = new AbortController();
    stub.answer(() => {
      caller.abort('gone');
      return { reset: 'before-answer' };
    });
    expect(await rejection(pdp.decide(question({ signal: caller.signal })))).toBe('gone');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('a PDP over HTTP that does not answer whole', () => {
  it('has failed if it closes the connection in the middle of its answer', async () => {
    const { pdp } = await startPair({ body: '{"response":[]}', reset: 'mid-answer' });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-failed',
      message: 'The answer of the PDP ended early.',
    });
  });

  it('has failed if its last chunk is missing', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const pdp = await pairWith((socket) => socket.end(`${head}2\r\n{}\r\n`));
    expect(await rejection(pdp.decide(question()))).toMatchObject({ code: 'pdp-failed' });
  });

  it('has not failed if it says something provisional first', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
    const pdp = await pairWith((socket) =>
      socket.write(`${early}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`),
    );
    expect(Buffer.from(await pdp.decide(question())).toString()).toBe('{}');
  });

  it.each([
    ['something else', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['chunks of no length', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
    ['an endless header', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
  ])('has failed if it speaks %s', async (_, bytes) => {
    const pdp = await pairWith((socket) => socket.write(bytes));
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-failed',
      message: 'The PDP did not answer in valid HTTP.',
    });
  });
});

describe('a question to a PDP over HTTP that is no longer wanted', () => {
  it('is given up with the reason of its signal', async () => {
    const { pdp, stub } = await startPair({ delay: 60_000 });
    const caller = new AbortController();
    const reason = new Error('the caller went away');
    stub.answer(() => {
      caller.abort(reason);
      return { delay: 60_000 };
    });
    expect(await rejection(pdp.decide(question({ signal: caller.signal })))).toBe(reason);
  });

  it('is given up in the middle of the answer', async () => {
    const { pdp } = await startPair({ drip: 5 });
    const signal = AbortSignal.timeout(100);
    expect(await rejection(pdp.decide(question({ signal })))).toBe(signal.reason);
  });

  it('leaves the connections of the others alone', async () => {
    const { pdp, stub } = await startPair({ delay: 50, body: 'late' });
    const caller = new AbortController();
    const given = rejection(pdp.decide(question({ signal: caller.signal })));
    const others = [1, 2, 3].map(() => pdp.decide(question()));
    caller.abort('gone');
    expect(await given).toBe('gone');
    for (const answer of await Promise.all(others)) expect(Buffer.from(answer).toString()).toBe('late');
    expect(stub.connections()).toBeLessThanOrEqual(4);
  });

  it('is not asked if the signal is aborted already', async () => {
    const { pdp, stub } = await startPair();
    const signal = AbortSignal.abort('gone');
    expect(await rejection(pdp.decide(question({ signal })))).toBe('gone');
    expect(stub.connections()).toBe(0);
  });

  it('is unreachable if the adapter is closed meanwhile', async () => {
    const { pdp, stub } = await startPair();
    stub.answer(() => {
      void pdp.close();
      return { delay: 60_000 };
    });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The connection to the PDP is closed.',
    });
  });
});

/** Everything that a log could make of an error: as text, as JSON, and with every property that it hides. */
function everythingIn(error: unknown): string {
  const cause = Error.isError(error) ? error.cause : undefined;
  const views = [error, cause].map(
    (one) => `${inspect(one, { depth: 20, showHidden: true })} ${JSON.stringify(one)}`,
  );
  return views.join(' ');
}

describe('an error of a PDP over HTTP', () => {
  const secret = 'very-s3cret';
  const token = 'abc.def.ghi';
  const asked = question({
    headers: [
      ['Authorization', `Bearer ${token}`],
      ['Cookie', `sid=${secret}`],
    ],
    body: Buffer.from(`{"clientId":"scope-1","clientSecret":"${secret}"}`),
  });

  it.each([
    ['a timeout', { delay: 60_000 }],
    ['a lost connection', { reset: 'before-answer' }],
    ['half an answer', { body: secret.repeat(9), reset: 'mid-answer' }],
    ['too large an answer', { body: secret.repeat(10_000) }],
    ['a bad encoding', { body: secret, headers: { 'content-encoding': 'gzip' } }],
    ['a failure', { status: 500, body: secret }],
    ['a redirect', { status: 302, headers: { location: `http://127.0.0.1/?${token}` } }],
    [
      '401',
      { status: 401, body: `not ${secret}`, headers: { 'www-authenticate': `Bearer hint="${token}"` } },
    ],
    ['403', { status: 403, body: `not ${token}` }],
  ] as const)('holds neither token nor secret after %s', async (_, answer) => {
    const { pdp } = await startPair(answer, { timeout: 'delay' in answer ? 300 : 30_000 });
    const text = everythingIn(await rejection(pdp.decide(asked)));
    expect(text).not.toContain(secret);
    expect(text).not.toContain(token);
    expect(text).toContain('ServiceError');
  });

  it('names for the log what went wrong', async () => {
    const port = await freePort();
    const error = await rejection(adapterFor(new URL(`http://127.0.0.1:${port}`)).decide(asked));
    expect(error).toMatchObject({
      cause: { code: 'ECONNREFUSED', message: `connect ECONNREFUSED 127.0.0.1:${port}` },
    });
    expect(everythingIn(error)).not.toContain(secret);
  });
});

describe('a PDP over HTTP in an environment that names a proxy', () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => [name, process.env[name]] as const);

  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('is asked directly', async () => {
    const proxy = await startStub();
    names.forEach((name) => {
      process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url.href;
    });
    const { pdp, stub } = await startPair();
    await pdp.decide(question());
    expect(stub.requests).toHaveLength(1);
    expect(proxy.connections()).toBe(0);
  });
});

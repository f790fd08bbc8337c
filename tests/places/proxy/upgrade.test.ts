import { Agent, createServer, IncomingMessage, request as requestHttp } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { connected, exchanged, restOf } from '../../support/wire.ts';
import { settled } from '../answer/record-streams.ts';
import { startProxied, startRawApplication } from './setup.ts';

afterEach(closeAll);

/** What the application answers, and what is left of it on enforced routes. */
const PLAIN = '{"ssn":"123-45-6789"}';
const HIDDEN = '{"ssn":"***"}';
const ROUTES = { routes: [{ path: '/ws/**', pass: true }] };

function upgrade(path: string, protocol = 'websocket', more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${more}\r\n`;
}

/** An application that speaks another protocol after the upgrade: it sends back what it gets. */
async function startEcho(): Promise<{
  readonly url: string;
  readonly requests: readonly string[];
  /** The header fields of all plain requests. */
  readonly fields: string;
}> {
  const requests: string[] = [];
  let fields = '';
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    fields += request.rawHeaders.join('\n');
    response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN);
  });
  // The server forgets them.
  const upgraded: Duplex[] = [];
  server.on('upgrade', (request, socket: Duplex) => {
    upgraded.push(socket);
    requests.push(`${request.url} ${request.headers.upgrade}`);
    if (request.url === '/ws/silent') return;
    if (request.url === '/ws/refused') {
      socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 4\r\n\r\nlate');
      return;
    }
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Own: 1\r\n\r\n',
    );
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => {
    for (const socket of upgraded) socket.destroy();
    server.closeAllConnections();
    server.close();
    await Promise.resolve();
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    get fields() {
      return fields;
    },
  };
}

/** Whether the end of a connection that has this port, as its own or as that of the other end, has the timer of keep-alive. */
function keepsAlive(port: number, isOwn: boolean): boolean {
  const rows = ['tcp', 'tcp6'].flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'));
  return rows.some((row) => {
    const [, local = '', remote = '', state, , timer = ''] = row.trim().split(/\s+/u);
    const [, hex = ''] = (isOwn ? local : remote).split(':');
    return Number.parseInt(hex, 16) === port && state === '01' && timer.startsWith('02:');
  });
}

describe('an upgrade', () => {
  test('is tunnelled on a route that passes', async () => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(`${upgrade('/ws/a')}early`);
    socket.write(' late');
    let received = '';
    while (!received.endsWith('late')) {
      // oxlint-disable-next-line no-await-in-loop -- chunk by chunk
      const [chunk]: unknown[] = await once(socket, 'data');
      received += String(chunk);
    }
    expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/u);
    expect(received).toContain('X-Own: 1\r\n');
    expect(received).toMatch(/\r\n\r\nearly late$/u);
    expect(application.requests).toEqual(['/ws/a websocket']);
    socket.destroy();
  });

  test('is to the protocol that the application chose', async () => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a', 'foo/1, websocket'));
    const [received]: unknown[] = await once(socket, 'data');
    expect(String(received)).toContain('\r\nUpgrade: websocket\r\n');
    expect(application.requests).toEqual(['/ws/a foo/1, websocket']);
    socket.destroy();
  });

  test.each([
    ['on a route that is enforced', upgrade('/a')],
    ['to one of several protocols', upgrade('/ws/a', 'websocket, h2c')],
    ['to what a lenient application could read as HTTP/2', upgrade('/ws/a', '"h2c"')],
    ['to two protocols without a comma', upgrade('/ws/a', 'websocket h2c')],
    ['with a body', `${upgrade('/ws/a', 'websocket', 'Content-Length: 4\r\n')}body`],
  ])('is refused %s', async (_name, request) => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const received = await exchanged(proxyPort, request);
    expect(received).toMatch(/^HTTP\/1\.1 403 /u);
    expect(received).toContain('urn:authz-jsonmasking:error:upgrade-refused');
    expect(application.requests).toEqual([]);
  });

  test.each([
    ['to HTTP/2 on a route that passes', '/ws/a', 'h2c'],
    ['to HTTP/2 on a route that is enforced', '/a', 'h2c'],
    ['to a draft of HTTP/2 on a route that passes', '/ws/a', 'h2c-14'],
    ['to HTTP/3 on a route that passes', '/ws/a', 'h3'],
    ['to TLS', '/a', 'TLS/1.2'],
    ['to a version of HTTP', '/a', 'HTTP/2.0, h2c'],
    ['to nothing', '/a', ''],
  ])('is ignored %s: each request of the connection is answered by HTTP/1.1', async (_, path, protocol) => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: protocol,
      'HTTP2-Settings': 'AAMAAABk',
    };
    const ask = async (method: string, body?: string): Promise<string> => {
      const asked = requestHttp({ port: proxyPort, path, method, headers, agent }).end(body);
      const [answer]: unknown[] = await once(asked, 'response');
      return answer instanceof IncomingMessage ? text(answer) : 'none';
    };
    const bodies = [await ask('POST', 'x'.repeat(100_000)), await ask('GET')];
    agent.destroy();
    expect(bodies).toEqual(path === '/a' ? [HIDDEN, HIDDEN] : [PLAIN, PLAIN]);
    expect(application.requests).toEqual([path, path]);
    expect(application.fields).not.toMatch(/upgrade|http2|h2c/iu);
  });

  test('is forwarded without an identity header that is not trusted', async () => {
    const application = await startRawApplication((socket) => socket.end('HTTP/1.1 426 No\r\n\r\n'));
    const otherwise = { vendor: { entityId: '${headers.X-User}' } };
    const { proxyPort } = await startProxied(application.url, { ...ROUTES, otherwise });
    await exchanged(
      proxyPort,
      upgrade('/ws/a', 'websocket', 'X-User: admin\r\nX_User: admin\r\nX-Own: 1\r\n'),
    );
    expect(application.received.join('')).toMatch(/^GET \/ws\/a [\s\S]*\r\nX-Own: 1\r\n/u);
    expect(application.received.join('')).not.toContain('admin');
  });

  test.each(['h2c', 'websocket, h2c', 'foo'])(
    'to a protocol that was not offered is no tunnel: %s',
    async (protocol) => {
      const application = await startRawApplication((socket) =>
        socket.write(`HTTP/1.1 101 Other\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\nsecret`),
      );
      const { proxyPort } = await startProxied(application.url, ROUTES);
      const received = await exchanged(proxyPort, upgrade('/ws/a'));
      expect(received).toMatch(/^HTTP\/1\.1 502 /u);
      expect(received).toContain('a protocol that the client did not offer');
      expect(received).not.toContain('secret');
    },
  );

  test('that the application refuses is no tunnel: what comes next reaches nobody', async () => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const received = await exchanged(
      proxyPort,
      `${upgrade('/ws/refused')}GET /customers HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n[\s\S]*\r\n\r\nlate$/u);
    expect(application.requests).toEqual(['/ws/refused websocket']);
  });

  test.each(['end', 'resetAndDestroy'] as const)(
    'that the application refuses in an answer that breaks off is never taken for the whole: %s',
    async (cut) => {
      const application = await startRawApplication((socket) => {
        socket.write('HTTP/1.1 426 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n');
        setTimeout(() => socket[cut](), 20);
      });
      const { proxyPort } = await startProxied(application.url, ROUTES);
      expect(await exchanged(proxyPort, upgrade('/ws/a')).catch(() => 'reset')).toBe('reset');
    },
  );

  test('that the application refuses has no field that is between the proxy and the application', async () => {
    const between = 'Connection: X-Between, close\r\nX-Between: 1\r\nKeep-Alive: timeout=5\r\n';
    const application = await startRawApplication((socket) =>
      socket.end(
        `HTTP/1.1 426 No\r\n${between}Transfer-Encoding: chunked\r\nX-Own: 1\r\n\r\n2\r\nno\r\n0\r\n\r\n`,
      ),
    );
    const { proxyPort } = await startProxied(application.url, ROUTES);
    expect(await exchanged(proxyPort, upgrade('/ws/a'))).toBe(
      'HTTP/1.1 426 No\r\nX-Own: 1\r\nConnection: close\r\n\r\nno',
    );
  });

  test('ends for the client as well if the application resets it', async () => {
    const application = await startRawApplication((socket, received) => {
      if (!received.startsWith('GET ')) return void socket.resetAndDestroy();
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a'));
    await once(socket, 'data');
    let isOver = false;
    socket
      .once('error', () => undefined)
      .once('close', () => (isOver = true))
      .once('end', () => socket.end());
    socket.resume().write('reset');
    await eventually(() => isOver);
    expect(isOver).toBe(true);
  });

  test('to an application that is not there, or does not answer in time, is answered as other requests are', async () => {
    const gone = await startProxied('http://127.0.0.1:1', ROUTES);
    expect(await exchanged(gone.proxyPort, upgrade('/ws/a'))).toMatch(
      /^HTTP\/1\.1 502 [^]*The application cannot be reached \(ECONNREFUSED\)/u,
    );
    const silent = await startRawApplication(() => undefined);
    const { proxyPort } = await startProxied(silent.url, { ...ROUTES, proxy: { timeout: 50 } });
    expect(await exchanged(proxyPort, upgrade('/ws/a'))).toMatch(
      /^HTTP\/1\.1 504 [^]*The application did not answer within 50 ms/u,
    );
  });

  test.each([
    ['', ''],
    [' with the first bytes of it sent', 'early'],
  ])('whose client goes before it is agreed on%s has the request given up', async (_name, early) => {
    let gone = 0;
    const application = await startRawApplication((socket) => socket.once('close', () => (gone += 1)));
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a') + early);
    await eventually(() => application.received.length === 1);
    socket.end();
    await eventually(() => gone === 1);
    expect(gone).toBe(1);
  });

  test('is a line of the log once it is over, as other exchanges are', async () => {
    const application = await startEcho();
    const { proxyPort, logged } = await startProxied(application.url, ROUTES);
    const lines = (): readonly Record<string, unknown>[] =>
      logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'Proxied');
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a'));
    await once(socket, 'data');
    socket.destroy();
    await eventually(() => lines().length === 1);
    await exchanged(proxyPort, upgrade('/ws/refused'));
    await eventually(() => lines().length === 2);
    await exchanged(proxyPort, upgrade('/customers'));
    await eventually(() => lines().length === 3);
    const silent = await connected(proxyPort);
    silent.write(upgrade('/ws/silent'));
    await eventually(() => application.requests.includes('/ws/silent websocket'));
    silent.destroy();
    await eventually(() => lines().length === 4);
    expect(lines()).toMatchObject([
      { method: 'GET', path: '/ws/**', status: 101, result: 'passed' },
      { path: '/ws/**', status: 426, result: 'passed', responseBytes: 4 },
      { path: 'otherwise', result: 'refused', error: 'upgrade-refused' },
      { path: '/ws/**', result: 'gone', callerGone: true },
    ]);
  });

  test('has TCP ask both ends whether they are still there', async () => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a'));
    await once(socket, 'data');
    const applicationPort = Number(new URL(application.url).port);
    await eventually(() => keepsAlive(proxyPort, true) && keepsAlive(applicationPort, false));
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });

  test('keeps what the client sends before it is agreed on, in order', async () => {
    const application = await startRawApplication((socket, received) => {
      if (!received.startsWith('GET ')) return void socket.write(received);
      setTimeout(() => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      }, 100);
    });
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    const early = 'x'.repeat(200_000);
    socket.write(`${upgrade('/ws/a')}first`);
    await eventually(() => application.received.length === 1);
    socket.write(`${early}last`);
    let received = '';
    while (!received.endsWith('last')) {
      // oxlint-disable-next-line no-await-in-loop -- chunk by chunk
      const [chunk]: unknown[] = await once(socket, 'data');
      received += String(chunk);
    }
    expect(received.endsWith(`\r\n\r\nfirst${early}last`)).toBe(true);
    socket.destroy();
  });

  test('has a client that sends much before it is agreed on wait', async () => {
    const application = await startRawApplication(() => undefined);
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(upgrade('/ws/a'));
    await eventually(() => application.received.length === 1);
    for (let chunk = 0; chunk < 64; chunk++) socket.write(Buffer.alloc(2 ** 20));
    expect(await settled(() => socket.writableLength)).toBeGreaterThan(2 ** 24);
    socket.destroy();
  });

  test('that comes before the request ahead of it is answered ends the connection', async () => {
    const application = await startEcho();
    const { proxyPort } = await startProxied(application.url, ROUTES);
    const socket = await connected(proxyPort);
    socket.write(`GET /a HTTP/1.1\r\nHost: a\r\n\r\n${upgrade('/ws/a')}`);
    expect(await restOf(socket).catch(() => '')).not.toContain('HTTP/1.1 101');
    expect(application.requests).not.toContain('/ws/a websocket');
  });
});

import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeAll, listening, portOf } from '../../pdp/transport/setup.ts';
import { call, problemIn } from '../../support/caller.ts';
import { createAuthority, type Authority } from '../../support/certificates.ts';
import { answersIn, exchanged } from '../../support/wire.ts';
import { SECRET, startProxied } from './setup.ts';

let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority();
  setDefaultCACertificates([authority.cert, ...getCACertificates('default')]);
});
afterEach(closeAll);

/** An application over TLS that shows a certificate for a name. */
async function startTlsApplication(name: string) {
  const requests: string[] = [];
  const names = new Set<unknown>();
  const sockets = new Set<unknown>();
  const note = ({ url = '', headers, socket }: IncomingMessage): void => {
    requests.push(`${headers.host} ${url}`);
    sockets.add(socket);
    if (socket instanceof TLSSocket) names.add(Reflect.get(socket, 'servername'));
  };
  const server = createServer(await authority.issue(name), (request, response) => {
    note(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"ssn":"${SECRET}"}`);
  });
  server.on('upgrade', (request, socket) => {
    note(request);
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello');
  });
  await listening(server);
  return { port: portOf(server), requests, names, sockets };
}

const ROUTES = { routes: [{ path: '/ws', pass: true }] };

function get(port: number, host: string) {
  return call(port, { method: 'GET', path: '/a', headers: { host } });
}

function upgraded(port: number, host: string): Promise<string> {
  return exchanged(
    port,
    `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
}

describe.each(['localhost', '127.0.0.1'])('An application at https://%s', (name) => {
  const sent = name === 'localhost' ? name : false;

  test('is verified by that name, whatever Host a client sends', async () => {
    const application = await startTlsApplication(name);
    const { proxyPort } = await startProxied(`https://${name}:${application.port}`, ROUTES);
    for (const host of ['api.example.com', 'other.example.com', 'api.example.com']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await get(proxyPort, host)).toMatchObject({ status: 200, text: '{"ssn":"***"}' });
    }
    expect(await upgraded(proxyPort, 'api.example.com')).toMatch(/ 101 [^]*hello$/u);
    expect(application.requests).toContain('other.example.com /a');
    expect([...application.names]).toEqual([sent]);
  });

  test('keeps its connection if clients send different Host fields', async () => {
    const application = await startTlsApplication(name);
    const { proxyPort } = await startProxied(`https://${name}:${application.port}`, ROUTES);
    for (const host of ['a.example.com', 'b.example.com', 'c.example.com', '127.0.0.1'])
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect((await get(proxyPort, host)).status).toBe(200);
    expect(application.sockets.size).toBe(1);
  });

  test('is no other server that has a certificate for the Host that a client sends', async () => {
    const stranger = await startTlsApplication('stranger.example.com');
    const { proxyPort } = await startProxied(`https://${name}:${stranger.port}`, ROUTES);
    const detail = 'The certificate of the application is not valid (ERR_TLS_CERT_ALTNAME_INVALID).';
    const problem = { type: 'urn:authz-jsonmasking:error:upstream-unreachable', status: 502, detail };
    expect(problemIn(await get(proxyPort, 'stranger.example.com'))).toMatchObject(problem);
    const answers = answersIn(await upgraded(proxyPort, 'stranger.example.com'));
    expect(answers.map(problemIn)).toMatchObject([problem]);
    expect(stranger.requests).toEqual([]);
  });
});

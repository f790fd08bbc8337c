import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { createAuthority } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import { answering, SECRET, startBoth } from './setup.ts';

afterEach(closeAll);

async function startTls(handler: RequestListener = answering(`{"ssn":"${SECRET}"}`), written = {}) {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('127.0.0.1');
  const folder = await folderWith({ 'tls.crt': cert, 'tls.key': key });
  const tls = { certFile: path.join(folder, 'tls.crt'), keyFile: path.join(folder, 'tls.key') };
  const proxied = await startBoth(handler, { tls, ...written });
  return { ...proxied, ca: authority.cert };
}

describe('a proxy with tls', () => {
  test('enforces answers over TLS, and tells the application so', async () => {
    const { proxyPort, application, ca } = await startTls();
    const sent = request({ host: '127.0.0.1', port: proxyPort, path: '/a', ca, agent: false }).end();
    const [answer] = await once(sent, 'response');
    expect(await text(answer)).toBe('{"ssn":"***"}');
    expect(application.received).toMatchObject([{ headers: { 'x-forwarded-proto': 'https' } }]);
  });

  test.each([{ 'content-length': '9' }, {}])(
    'cuts the connection of an answer that breaks off, and serves the next one: %p',
    async (fields) => {
      const { proxyPort, ca } = await startTls(
        ({ url }, response) => {
          if (url === '/whole') return void response.end('whole');
          response.writeHead(200, fields).write('part');
          setTimeout(() => response.destroy(), 20);
        },
        { otherwise: { pass: true } },
      );
      const get = async (url: string) => {
        const sent = request({ host: '127.0.0.1', port: proxyPort, path: url, ca, agent: false }).end();
        const [answer] = await once(sent, 'response');
        return text(answer);
      };
      await expect(get('/part')).rejects.toThrow('aborted');
      expect(await get('/whole')).toBe('whole');
    },
  );

  test('takes no requests without it', async () => {
    const { proxyPort, application } = await startTls();
    const socket = connect(proxyPort, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end('GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let received = '';
    socket.setEncoding('latin1').on('data', (bytes: string) => (received += bytes));
    await once(socket, 'close');
    expect(received).not.toMatch(/HTTP|ssn/u);
    expect(application.received).toEqual([]);
  });
});

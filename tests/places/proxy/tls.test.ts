import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { createAuthority } from '../../support/certificates.ts';
import { folderWith } from '../../support/process.ts';
import { answering, SECRET, startBoth } from './setup.ts';

afterEach(closeAll);

async function startTls() {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('127.0.0.1');
  const folder = await folderWith({ 'tls.crt': cert, 'tls.key': key });
  const tls = { certFile: path.join(folder, 'tls.crt'), keyFile: path.join(folder, 'tls.key') };
  const proxied = await startBoth(answering(`{"ssn":"${SECRET}"}`), { tls });
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

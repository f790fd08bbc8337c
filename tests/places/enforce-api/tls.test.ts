import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { X509Certificate } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { drain } from '../../../src/places/listener/drain.ts';
import type { TlsSettings } from '../../../src/places/listener/tls-settings.ts';
import { reloadOnChange, secureOptions } from '../../../src/places/listener/tls.ts';
import { closeAll, portOf, stopLater } from '../../pdp/transport/setup.ts';
import { call, enforcing } from '../../support/caller.ts';
import { decision } from '../../support/decision.ts';
import { createAuthority, type Authority, type Identity } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { NO_RULES, startEnforcement, startService } from '../../support/service.ts';
import { connected } from '../../support/wire.ts';
import { loggerInMemory } from '../../telemetry/log/memory-sink.ts';

afterEach(closeAll);

/** What a caller sees whose certificate is refused, depending on when it notices. */
const REFUSED = /socket hang up|ECONNRESET|EPIPE|alert/u;

let authority: Authority;
let server: Identity;
let caller: Identity;
let stranger: Identity;

beforeAll(async () => {
  authority = await createAuthority();
  server = await authority.issue('127.0.0.1');
  caller = await authority.issue('caller');
  stranger = await (await createAuthority()).issue('caller');
});

/** Writes the files that a listener needs. */
async function filesOf({ cert, key }: { readonly cert: string | Buffer; readonly key: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tls-'));
  stopLater(() => rm(folder, { recursive: true }));
  const [certFile, keyFile, clientCaFile] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
    path.join(folder, name),
  );
  await writeFile(certFile ?? '', cert);
  await writeFile(keyFile ?? '', key);
  await writeFile(clientCaFile ?? '', authority.cert);
  return { folder, certFile: certFile ?? '', keyFile: keyFile ?? '', clientCaFile: clientCaFile ?? '' };
}

/** A service that listens with TLS. */
async function startTls(clientCertificates: 'none' | 'request' | 'require' = 'none') {
  const { folder, certFile, keyFile, clientCaFile } = await filesOf(server);
  const ca = clientCertificates === 'none' ? {} : { clientCaFile };
  const tls = { certFile, keyFile, ...ca, clientCertificates };
  const service = await startEnforcement(NO_RULES, { tls });
  return { ...service, folder, certFile, keyFile, clientCaFile };
}

/** Enforces over TLS. @returns the status */
async function enforce(
  port: number,
  options: RequestOptions & Pick<ConnectionOptions, 'session'> = {},
): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json' };
  const trust = { ca: authority.cert, agent: false, ...options };
  request({ host: '127.0.0.1', port, method: 'POST', path: '/enforce', headers, ...trust }, resolve)
    .once('error', reject)
    .end(enforcing('[]'));
  const answer = await promise;
  await buffer(answer);
  return answer.statusCode;
}

async function connectedTo(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

/** A session that a connection may be resumed with. */
async function sessionOf(socket: TLSSocket): Promise<Buffer> {
  const session = new Promise<Buffer>((resolve) => socket.once('session', resolve));
  socket.resume().write('GET /health/liveness HTTP/1.1\r\nHost: service\r\n\r\n');
  return session;
}

/** A connection that is kept. @returns asks for liveness over it, for the status */
async function keptConnection(port: number, options: ConnectionOptions = {}): Promise<() => Promise<number>> {
  const socket = await connectedTo(port, options);
  stopLater(async () => void socket.destroy());
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('closed')));
  closed.catch(() => undefined);
  return async () => {
    if (socket.destroyed || socket.readableEnded) throw new Error('closed');
    const answered = once(socket, 'data').then(String);
    socket.write('GET /health/liveness HTTP/1.1\r\nHost: service\r\n\r\n');
    return Number((await Promise.race([answered, closed])).split(' ')[1]);
  };
}

/** A listener that loads its files again when they change, and says so. */
async function watchingListener(tls: TlsSettings) {
  const read = secureOptions(tls);
  const listener = createServer(read);
  stopLater(async () => void listener.close());
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { logger, sink } = loggerInMemory();
  reloadOnChange(listener, { tls, read, log: logger, end: () => 0 });
  return { listener, reloads: () => sink.lines.filter((line) => line.includes('TLS reloaded')).length };
}

/** Writes a certificate and its key that were not there before. */
async function writeIdentity(files: { readonly certFile: string; readonly keyFile: string }): Promise<void> {
  const { cert, key } = await authority.issue('127.0.0.1');
  await Promise.all([writeFile(files.certFile, cert), writeFile(files.keyFile, key)]);
}

/** The serial number of the certificate that a listener shows now. */
async function serialOf(port: number): Promise<string> {
  const socket = await connectedTo(port, {});
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe('a listener with a certificate', () => {
  test('takes HTTPS', async () => {
    const { port } = await startTls();
    expect(await enforce(port)).toBe(200);
  });

  test('does not take HTTP, and keeps serving', async () => {
    const { port } = await startTls();
    await expect(call(port, { body: enforcing('[]') })).rejects.toThrow('socket hang up');
    expect(await enforce(port)).toBe(200);
  });

  test('finishes what is under way when it is asked to stop', async () => {
    const pdp = await startHeldPdp();
    const { certFile, keyFile } = await filesOf(server);
    const tls = { certFile, keyFile, clientCertificates: 'none' };
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, tls });
    const status = enforce(service.port);
    await eventually(() => pdp.seen.asked > 0);
    const drained = drain([service.server], service.lifecycle, { drainDelay: 0, drainTimeout: 10_000 });
    await eventually(() => service.lifecycle.isDraining);
    pdp.answer(decision({}));
    expect([await status, await drained]).toEqual([200, true]);
  });

  test('does not wait for a connection on which TLS is not agreed upon when it is asked to stop', async () => {
    const service = await startTls();
    const socket = await connected(service.port);
    socket.on('error', () => undefined);
    // Less than the time that is given for the handshake.
    const times = { drainDelay: 0, drainTimeout: 5000 };
    expect(await drain([service.server], service.lifecycle, times)).toBe(true);
    socket.destroy();
  });

  test('takes TLS 1.2 and 1.3, and nothing older', async () => {
    const { port } = await startTls();
    const statuses = (['TLSv1.2', 'TLSv1.3'] as const).map((version) =>
      enforce(port, { minVersion: version, maxVersion: version }),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200]);
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    await expect(enforce(port, old)).rejects.toThrow('protocol version');
  });
});

describe('client certificates', () => {
  test('that are required must be good', async () => {
    const { port } = await startTls('require');
    expect(await enforce(port, caller)).toBe(200);
    await expect(enforce(port, stranger)).rejects.toThrow(REFUSED);
    await expect(enforce(port)).rejects.toThrow(REFUSED);
  });

  test('that are requested may be missing, and must be valid if they are sent', async () => {
    const { port } = await startTls('request');
    expect(await enforce(port, caller)).toBe(200);
    expect(await enforce(port)).toBe(200);
    await expect(enforce(port, stranger)).rejects.toThrow(REFUSED);
    // The signature of an authority whose name is not known is not even looked at.
    const other = await createAuthority('Other authority');
    await expect(enforce(port, await other.issue('caller'))).rejects.toThrow(REFUSED);
  });

  test('are not looked at otherwise', async () => {
    const { port } = await startTls('none');
    expect(await enforce(port, stranger)).toBe(200);
  });
});

describe('files that change', () => {
  test('are loaded without a restart, also if a link is exchanged as Kubernetes does', async () => {
    const { folder, certFile, keyFile, port } = await startTls();
    const before = await serialOf(port);
    const renewed = await filesOf(await authority.issue('127.0.0.1'));
    await symlink(renewed.keyFile, path.join(folder, 'new.key'));
    await symlink(renewed.certFile, path.join(folder, 'new.crt'));
    await rename(path.join(folder, 'new.key'), keyFile);
    await rename(path.join(folder, 'new.crt'), certFile);
    await eventually(async () => (await serialOf(port)) !== before);
    expect(await enforce(port)).toBe(200);
  });

  test('are loaded also if they changed between the start and the first look', async () => {
    const { certFile, keyFile } = await filesOf(server);
    const tls = { certFile, keyFile, clientCertificates: 'none' } as const;
    const read = secureOptions(tls);
    const listener = createServer(read);
    stopLater(async () => void listener.close());
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const before = await serialOf(portOf(listener));
    const { cert, key } = await authority.issue('127.0.0.1');
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
    reloadOnChange(listener, { tls, read, log: loggerInMemory('json', 'error').logger, end: () => 0 });
    await eventually(async () => (await serialOf(portOf(listener))) !== before);
    expect(await serialOf(portOf(listener))).not.toBe(before);
  });

  test('are let go of with the listener', async () => {
    const { certFile, keyFile } = await filesOf(server);
    const tls = { certFile, keyFile, clientCertificates: 'none' } as const;
    const [closed, open] = [await watchingListener(tls), await watchingListener(tls)];
    closed.listener.close();
    await once(closed.listener, 'close');
    await writeIdentity(tls);
    await eventually(() => open.reloads() > 0);
    await writeIdentity(tls);
    await eventually(() => open.reloads() > 1);
    expect(closed.reloads()).toBe(0);
  });

  test('end the connections of callers whose authority is gone, and no others', async () => {
    const other = await createAuthority('Other authority');
    const { clientCaFile, port, logged } = await startTls('request');
    await writeFile(clientCaFile, `${authority.cert}\n${other.cert}`);
    await eventually(() => logged.some((line) => line.includes('TLS reloaded')));
    const trusted = await keptConnection(port, await other.issue('other'));
    const anonymous = await keptConnection(port);
    const distrusted = await keptConnection(port, caller);
    expect(await Promise.all([trusted(), anonymous(), distrusted()])).toEqual([200, 200, 200]);
    await writeFile(clientCaFile, other.cert);
    await eventually(() => logged.some((line) => line.includes('Connections closed')));
    expect(await Promise.all([trusted(), anonymous()])).toEqual([200, 200]);
    await expect(distrusted()).rejects.toThrow(/closed|hang up|ECONNRESET|EPIPE/u);
  });

  test('compare the certificate of many connections with the authorities once', async () => {
    const other = await createAuthority('Other authority');
    const { clientCaFile, port, logged } = await startTls('request');
    const connections = await Promise.all(Array.from({ length: 5 }, () => keptConnection(port, caller)));
    const compared = jest.spyOn(X509Certificate.prototype, 'checkIssued');
    await writeFile(clientCaFile, `${other.cert}\n${authority.cert}`);
    await eventually(() => logged.some((line) => line.includes('TLS reloaded')));
    expect(await Promise.all(connections.map((send) => send()))).toEqual([200, 200, 200, 200, 200]);
    expect(compared).toHaveBeenCalledTimes(2);
    compared.mockRestore();
  });

  test('end the connections of callers whose authority is replaced by one of the same name', async () => {
    const { clientCaFile, port } = await startTls('request');
    const distrusted = await keptConnection(port, caller);
    expect(await distrusted()).toBe(200);
    await writeFile(clientCaFile, (await createAuthority()).cert);
    await expect(eventually(async () => (await distrusted()) !== 200)).rejects.toThrow(
      /closed|hang up|ECONNRESET|EPIPE/u,
    );
  });

  test('do not let a caller resume a session whose authority is gone', async () => {
    const other = await createAuthority('Other authority');
    const { clientCaFile, port, logged } = await startTls('require');
    const first = await connectedTo(port, caller);
    const session = await sessionOf(first);
    first.destroy();
    expect(await enforce(port, { ...caller, session })).toBe(200);
    await writeFile(clientCaFile, other.cert);
    await eventually(() => logged.some((line) => line.includes('TLS reloaded')));
    await expect(enforce(port, { ...caller, session })).rejects.toThrow(REFUSED);
  });

  test('and are no good are logged, and the ones before go on', async () => {
    const { certFile, port, logged } = await startTls();
    const before = await serialOf(port);
    await writeFile(certFile, 'no certificate');
    await eventually(() => logged.some((line) => line.includes('TLS reload failed')));
    expect(await serialOf(port)).toBe(before);
    expect(logged.join('\n')).not.toContain('PRIVATE KEY');
  });
});

/** Certificates of authorities of which the last cannot be used. TLS itself takes the first and says nothing. */
const notAllGood = [
  ['is broken', (good: string, last: string) => good + last.replace(/\n.{8}/u, '\nAAAAAAAA')],
  ['is cut off', (good: string, last: string) => good + last.slice(0, last.length / 2)],
  ['begins on the line on which another ends', (good: string, last: string) => good.trimEnd() + last],
  ['is indented', (good: string, last: string) => good + last.replaceAll(/^/gmu, '  ')],
] as const;

test('authorities may have comments, blank lines, other line ends and white space around them', async () => {
  const last = (await createAuthority('Last authority')).cert;
  const { certFile, keyFile, clientCaFile } = await filesOf(server);
  const tls = { certFile, keyFile, clientCaFile, clientCertificates: 'require' } as const;
  const written = `# Last\n${last}\n\n# Ours - \u00e4\n${authority.cert.replaceAll('\n', ' \r\n')}  `;
  await writeFile(clientCaFile, written);
  const { port } = await startEnforcement(NO_RULES, { tls });
  expect(await enforce(port, caller)).toBe(200);
});

describe.each(notAllGood)('authorities of which one %s', (_, join) => {
  const authorities = async () => join(`${authority.cert}\n`, (await createAuthority('Last authority')).cert);

  test('are refused at first', async () => {
    const { clientCaFile, certFile, keyFile } = await filesOf(server);
    await writeFile(clientCaFile, await authorities());
    const tls = { certFile, keyFile, clientCaFile, clientCertificates: 'require' } as const;
    await expect(startEnforcement(NO_RULES, { tls })).rejects.toThrow(
      'clientCaFile names ' +
        clientCaFile +
        ', which holds no certificate in PEM, or one that cannot be read',
    );
  });

  test('do not take the place of those before', async () => {
    const { clientCaFile, port, logged } = await startTls('require');
    await writeFile(clientCaFile, await authorities());
    await eventually(() => logged.some((line) => line.includes('TLS reload failed')));
    expect(logged.filter((line) => line.includes('TLS reloaded'))).toEqual([]);
    expect(await enforce(port, caller)).toBe(200);
  });
});

describe('files that are no good at first', () => {
  test.each([
    [
      'that do not fit together',
      async () => ({ ...server, key: stranger.key }),
      /^The files of tls cannot be used: tls\.keyFile names .+, which is not the key of the certificate\.$/u,
    ],
    [
      'that are no certificate',
      async () => ({ ...server, cert: 'nothing' }),
      /^The files of tls cannot be used: tls\.certFile names .+, which holds no certificate in PEM\.$/u,
    ],
    [
      'that are a certificate in DER',
      async () => ({ ...server, cert: Buffer.from(server.cert.replaceAll(/-----.*-----/gu, ''), 'base64') }),
      /^The files of tls cannot be used: tls\.certFile names .+, which holds no certificate in PEM\.$/u,
    ],
  ])('are refused: those %s', async (_, identity, message) => {
    const { certFile, keyFile } = await filesOf(await identity());
    await expect(startEnforcement(NO_RULES, { tls: { certFile, keyFile } })).rejects.toThrow(message);
  });

  test('are refused: those that are not there', async () => {
    const { certFile, folder } = await filesOf(server);
    const keyFile = path.join(folder, 'nowhere');
    await expect(startEnforcement(NO_RULES, { tls: { certFile, keyFile } })).rejects.toThrow(
      `tls.keyFile names ${keyFile}, which cannot be read: it does not exist.`,
    );
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../../src/yaml/problem.ts';
import type { HttpTransportOptions } from '../../../src/pdp/transport/adapter.ts';
import { createAuthority, type Authority, type Identity } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import {
  adapterFor,
  closeAll,
  portOf,
  question,
  rejection,
  listening,
  type OneMessageTransport,
} from './setup.ts';

/** What the PDP answers: whom it takes the service for. */
interface Seen {
  readonly client: string | undefined;
  readonly serverName: string | false | null;
  readonly connection: number;
}

function adapterTo(server: Server, options: Partial<HttpTransportOptions> = {}): OneMessageTransport {
  return adapterFor(new URL(`https://127.0.0.1:${portOf(server)}`), { watchInterval: 10, ...options });
}

async function ask(pdp: OneMessageTransport, body = '{}'): Promise<Seen> {
  return JSON.parse(String(await pdp.decide(question({ body: Buffer.from(body) }))));
}

describe('a PDP over https', () => {
  let authority: Authority;
  let pdpIdentity: Identity;
  let folder: string;
  let release: (() => void) | undefined;
  const socketsSeen = new WeakMap<object, Seen>();

  const at = (name: string): string => path.join(folder, name);
  const write = async (name: string, { cert, key }: Identity): Promise<void> => {
    await Promise.all([writeFile(at(`${name}.crt`), cert), writeFile(at(`${name}.key`), key)]);
  };

  /** A PDP that shows {@link pdpIdentity} and tells whom it sees; a body of `hold` waits for `release`. */
  async function startPdp(options: ServerOptions = {}): Promise<Server> {
    let connections = 0;
    const server = createServer({ ...pdpIdentity, ...options });
    // All requests of a connection come after it, so that whoever opened it is known.
    server.on('secureConnection', (socket) => {
      const seen = { ...seenOf(socket), connection: ++connections };
      socketsSeen.set(socket, seen);
    });
    server.on('request', (request, response) => {
      const answer = (): void => void response.end(JSON.stringify(socketsSeen.get(request.socket)));
      request.once('data', (body) => {
        if (String(body) === 'hold') release = answer;
        else answer();
      });
    });
    await listening(server);
    return server;
  }

  beforeAll(async () => {
    authority = await createAuthority();
    pdpIdentity = await authority.issue('127.0.0.1');
  });
  beforeEach(async () => {
    release = undefined;
    folder = await mkdtemp(path.join(tmpdir(), 'tls-'));
    await writeFile(at('ca.crt'), authority.cert);
  });
  afterEach(async () => {
    await closeAll();
    await rm(folder, { recursive: true });
  });

  it('is not trusted if no trusted authority vouches for it', async () => {
    expect(await rejection(ask(adapterTo(await startPdp())))).toMatchObject({ code: 'pdp-unreachable' });
  });

  it('is trusted if the configured authority vouches for it', async () => {
    const pdp = adapterTo(await startPdp(), { tls: { caFile: at('ca.crt') } });
    expect(await ask(pdp)).toMatchObject({ connection: 1 });
  });

  it('is not trusted if its certificate is for another name', async () => {
    const other = await authority.issue('pdp.other.example');
    const pdp = adapterTo(await startPdp(other), { tls: { caFile: at('ca.crt') } });
    expect(await rejection(ask(pdp))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The PDP cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID).',
    });
  });

  it('is trusted under the configured name, and gets it by SNI', async () => {
    const other = await authority.issue('pdp.other.example');
    const tls = { caFile: at('ca.crt'), serverName: 'pdp.other.example' };
    const pdp = adapterTo(await startPdp(other), { tls });
    expect(await ask(pdp)).toMatchObject({ serverName: 'pdp.other.example' });
  });

  it('sees the certificate of the service, and refuses it without', async () => {
    await write('client', await authority.issue('authorizer.example'));
    const server = await startPdp({ requestCert: true, rejectUnauthorized: true, ca: authority.cert });
    const tls = { caFile: at('ca.crt'), certFile: at('client.crt'), keyFile: at('client.key') };
    expect(await ask(adapterTo(server, { tls }))).toMatchObject({ client: 'authorizer.example' });
    const without = adapterTo(server, { tls: { caFile: at('ca.crt') } });
    expect(await rejection(ask(without))).toMatchObject({ code: 'pdp-unreachable' });
  });

  it('sees the new certificate of the service once the files change, and what was under way is finished', async () => {
    await write('client', await authority.issue('before.example'));
    const changes: unknown[] = [];
    const tls = { caFile: at('ca.crt'), certFile: at('client.crt'), keyFile: at('client.key') };
    const server = await startPdp({ requestCert: true, rejectUnauthorized: true, ca: authority.cert });
    const pdp = adapterTo(server, { tls, onTlsChange: (failure) => changes.push(failure) });
    expect(await ask(pdp)).toMatchObject({ client: 'before.example', connection: 1 });
    const underWay = ask(pdp, 'hold');
    await eventually(() => release !== undefined);

    await write('client', await authority.issue('after.example'));
    await eventually(() => changes.includes(undefined));
    expect(await ask(pdp)).toMatchObject({ client: 'after.example' });
    release?.();
    expect(await underWay).toMatchObject({ client: 'before.example', connection: 1 });
    expect(await ask(pdp)).toMatchObject({ client: 'after.example' });
  });

  it('is asked as before if the changed files are not valid, which is reported', async () => {
    await write('client', await authority.issue('before.example'));
    const failures: unknown[] = [];
    const tls = { caFile: at('ca.crt'), certFile: at('client.crt'), keyFile: at('client.key') };
    const server = await startPdp({ requestCert: true, rejectUnauthorized: true, ca: authority.cert });
    const pdp = adapterTo(server, { tls, onTlsChange: (failure) => failures.push(failure) });
    expect(await ask(pdp)).toMatchObject({ client: 'before.example' });
    await writeFile(at('client.crt'), 'no certificate');
    await eventually(() => failures.length > 0);
    expect(failures[0]).toBeInstanceOf(ConfigurationError);
    expect(await ask(pdp)).toMatchObject({ client: 'before.example' });
  });

  it('is not asked at all if a file is missing: each is named', () => {
    const tls = { caFile: at('none.crt'), certFile: at('none.pem'), keyFile: folder };
    expect(() => adapterFor(new URL('https://pdp.example'), { tls })).toThrow(
      [
        'The files of pdpTls: 3 problems',
        `  caFile ${at('none.crt')} cannot be read: it does not exist`,
        `  certFile ${at('none.pem')} cannot be read: it does not exist`,
        `  keyFile ${folder} cannot be read: it is a folder`,
      ].join('\n'),
    );
  });

  it('is not asked at all if the key is not that of the certificate', async () => {
    await write('client', await authority.issue('one.example'));
    const { key } = await authority.issue('other.example');
    await writeFile(at('client.key'), key);
    const tls = { certFile: at('client.crt'), keyFile: at('client.key') };
    expect(() => adapterFor(new URL('https://pdp.example'), { tls })).toThrow(
      'The files of pdpTls: 1 problem\n  keyFile is not the key of the certificate',
    );
  });

  it('is not asked at all if the authority is no certificate', async () => {
    await writeFile(at('ca.crt'), 'no certificate');
    const tls = { caFile: at('ca.crt') };
    expect(() => adapterFor(new URL('https://pdp.example'), { tls })).toThrow(ConfigurationError);
  });
});

function seenOf(socket: TLSSocket): Omit<Seen, 'connection'> {
  return {
    client: socket.getPeerX509Certificate()?.subject.replace('CN=', ''),
    serverName: socket.servername,
  };
}

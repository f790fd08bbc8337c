import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { createAuthority } from '../../support/certificates.ts';
import { folderWith } from '../../support/folder.ts';
import { startEnforcement } from '../../support/service.ts';
import { exchanged } from '../../support/wire.ts';

afterEach(closeAll);

/** The port of an external processor over TLS, where a handshake may take this many milliseconds. */
async function startTls(headersTimeout: number): Promise<number> {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('127.0.0.1');
  const folder = await folderWith({ 'tls.crt': cert, 'tls.key': key });
  const tls = { certFile: path.join(folder, 'tls.crt'), keyFile: path.join(folder, 'tls.key') };
  const { processor } = await startEnforcement(
    {},
    { headersTimeout, tls, attrName: 'column', extProc: { port: 0 } },
  );
  return processor?.port ?? 0;
}

test.each([
  ['says nothing', ''],
  ['stops in the middle', '\x16\x03\x01\x02\x00\x01'],
  ['does not speak TLS', 'GET / HTTP/1.1\r\n\r\n'],
])(
  'a connection is closed whose handshake is not over in time: one that %s',
  async (_, sent) => {
    const received = await exchanged(await startTls(100), Buffer.from(sent, 'latin1'));
    expect(received).not.toContain('HTTP');
  },
  30_000,
);

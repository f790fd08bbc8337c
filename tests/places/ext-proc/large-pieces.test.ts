import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient, receivedOf, type ReceivedBody } from './processor-client.ts';

afterEach(closeAll);

/** What Envoy hands over at once, with the `per_connection_buffer_limit_bytes` of the example. */
const PIECE = Buffer.alloc(8_388_608, 'x');

/** What the client gets of two pieces, in mode `FULL_DUPLEX_STREAMED`, with the default limits. */
async function received(route: object): Promise<ReceivedBody> {
  const { processor } = await startEnforcement(undefined, {
    attrName: 'column',
    extProc: { port: 0 },
    otherwise: route,
  });
  const stream = new ProcessorClient(processor?.port ?? 0).open();
  try {
    await stream.begin([[':method', 'GET'] as const, [':path', '/'] as const], 'FULL_DUPLEX_STREAMED');
    stream.sendHead({ status: 200, fields: [['content-type', 'application/json']] }, false);
    return await receivedOf(stream, [PIECE, PIECE], undefined);
  } finally {
    stream.end();
  }
}

test('pieces that are larger than maxBody pass whole on a route that passes', async () => {
  const { body, isWhole } = await received({ pass: true });
  expect(isWhole).toBe(true);
  expect(body.length).toBe(2 * PIECE.length);
});

test('pieces of a compressed stream are still whole when they are decompressed', async () => {
  const { processor } = await startEnforcement(undefined, { attrName: 'column', extProc: { port: 0 } });
  const records = Array.from({ length: 64 }, () => `{"a":"${randomBytes(32_768).toString('hex')}"}\n`).join(
    '',
  );
  const coded = gzipSync(records);
  const pieces = Array.from({ length: Math.ceil(coded.length / 131_072) }, (_, at) =>
    coded.subarray(at * 131_072, (at + 1) * 131_072),
  );
  const stream = new ProcessorClient(processor?.port ?? 0).open();
  await stream.begin([[':method', 'GET'] as const, [':path', '/'] as const], 'FULL_DUPLEX_STREAMED');
  const fields = [['content-type', 'application/x-ndjson'] as const, ['content-encoding', 'gzip'] as const];
  stream.sendHead({ status: 200, fields }, false);
  const { body, isWhole } = await receivedOf(stream, pieces, undefined);
  stream.end();
  expect(isWhole).toBe(true);
  expect(body === records).toBe(true);
});

test('a piece that is larger than maxBody is refused with the reason on a route that enforces', async () => {
  const { body, isWhole } = await received({ vendor: { entityId: 'jane' } });
  expect(isWhole).toBe(false);
  expect(body).toContain('urn:authz-jsonmasking:error:response-not-enforceable');
});

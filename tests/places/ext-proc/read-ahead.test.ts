import { afterEach, expect, test } from '@jest/globals';
import { NDJSON, settled } from '../answer/record-streams.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { ProcessorClient } from './processor-client.ts';

afterEach(closeAll);

const PIECES = 16;
const PIECE = Buffer.from(`{"text":"${'x'.repeat(1000)}"}\n`.repeat(1000));

test('while a piece of a stream waits, the processor reads the next one, and no more', async () => {
  const { processor } = await startEnforcement(
    { delay: 60_000 },
    {
      attrName: 'column',
      extProc: { port: 0 },
      otherwise: { vendor: { entityId: 'jane' } },
      pdpTimeout: 60_000,
    },
  );
  const stream = new ProcessorClient(processor?.port ?? 0).open();
  await stream.begin([[':method', 'GET'] as const, [':path', '/'] as const], 'FULL_DUPLEX_STREAMED');
  stream.sendHead({ status: 200, fields: Object.entries(NDJSON) }, false);
  for (let sent = 0; sent < PIECES; sent++) stream.sendBody(PIECE, false);
  await eventually(() => stream.taken > 2);
  // The third one is on its way.
  expect(await settled(() => stream.taken)).toBe(3);
  stream.end();
});

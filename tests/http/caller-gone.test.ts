import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, portOf, stopLater } from '../pdp/http/setup.ts';
import { enforcing } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { connected } from '../support/wire.ts';

afterEach(closeAll);

/** A PDP that takes requests and says nothing, and who has gone. */
async function silentPdp() {
  const seen = { asked: 0, gone: 0 };
  const pdp = createServer((request) => {
    seen.asked++;
    request.socket.once('close', () => seen.gone++);
  });
  pdp.listen(0, '127.0.0.1');
  await once(pdp, 'listening');
  stopLater(async () => {
    pdp.closeAllConnections();
    await new Promise((resolve) => void pdp.close(resolve));
  });
  return { port: portOf(pdp), seen };
}

describe('a caller who hangs up', () => {
  test('ends the exchange with the PDP, and is logged as gone', async () => {
    const { port, seen } = await silentPdp();
    const service = await startService({ pdpUrl: `127.0.0.1:${port}`, pdpTimeout: 600_000 });
    const body = enforcing('[{"a":1}]');
    const socket = await connected(service.port);
    socket.write(
      `POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(() => seen.asked === 1);
    socket.destroy();
    await eventually(() => seen.gone === 1);
    await eventually(() => service.logged.length > 0);
    expect(service.logged.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'info', message: 'Request', callerGone: true }),
    ]);
    expect(seen.asked).toBe(1);
  });
});

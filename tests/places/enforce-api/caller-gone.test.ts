import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { enforcing } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { startService } from '../../support/service.ts';
import { connected } from '../../support/wire.ts';

afterEach(closeAll);

describe('a caller who hangs up', () => {
  test('ends the exchange with the PDP, and is logged as gone', async () => {
    const { port, seen } = await startHeldPdp();
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

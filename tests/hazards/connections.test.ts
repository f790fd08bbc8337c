import { afterEach, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { startEnforcement } from '../support/service.ts';
import { connected } from '../support/wire.ts';
import { once } from 'node:events';

afterEach(closeAll);

/** How long common load balancers keep an idle connection, in seconds: they should be the ones to close it. */
const BALANCER = 60;

test('an idle connection is kept for longer than load balancers keep theirs', async () => {
  const { port, server } = await startEnforcement();
  const socket = await connected(port);
  socket.write('GET /health/liveness HTTP/1.1\r\nHost: service\r\n\r\n');
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  socket.destroy();
  expect(Number(/^keep-alive: timeout=(\d+)/imu.exec(String(answer))?.[1])).toBeGreaterThan(BALANCER);
  expect(server.keepAliveTimeout).toBeGreaterThan(BALANCER * 1000);
});

import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { startEnforcement } from '../../support/service.ts';
import { answersIn, connected, restOf } from '../../support/wire.ts';

afterEach(closeAll);

const HEAD = 'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n';

test('a body that drips is answered with 408 and the end of the connection', async () => {
  const service = await startEnforcement({}, { bodyTimeout: 100 });
  const socket = await connected(service.port);
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
  const drops = setInterval(() => socket.write(' '), 10);
  const answers = answersIn(await restOf(socket));
  clearInterval(drops);
  expect(answers).toMatchObject([{ status: 408, headers: { connection: 'close' } }]);
  expect(answers.map(problemIn)).toMatchObject([
    {
      type: 'urn:authz-jsonmasking:error:request-timeout',
      detail: 'The body took too long to arrive (bodyTimeout).',
      instance: answers[0]?.headers['x-request-id'],
    },
  ]);
  expect(service.pdp.requests).toEqual([]);
});

test('a header that does not arrive is answered with 408 and the end of the connection', async () => {
  const service = await startEnforcement({}, { headersTimeout: 100 });
  const socket = await connected(service.port);
  socket.write('POST /enforce HTTP/1.1\r\n');
  const answers = answersIn(await restOf(socket));
  expect(answers).toMatchObject([{ status: 408, headers: { connection: 'close' } }]);
  await eventually(() => service.logged.length > 0);
  expect(service.logged.map((line): unknown => JSON.parse(line))).toMatchObject([
    { message: 'Request', path: 'unknown', status: 408, error: 'request-timeout' },
  ]);
});

test('a caller that does not take its answer is cut off', async () => {
  const service = await startEnforcement(undefined, {
    maxBody: 64,
    maxInFlightBody: 64,
    answerTimeout: 100,
  });
  const body = enforcing(`["${'x'.repeat(48 * 1024 * 1024)}"]`);
  const socket = await connected(service.port);
  socket.pause();
  socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`);
  await eventually(() => service.logged.some((line) => line.includes('"message":"Request"')));
  expect(service.logged.join('\n')).toContain('"callerGone":true');
  socket.on('error', () => undefined).destroy();
});

describe('a connection on which nothing happens', () => {
  test('is kept for the time in the Keep-Alive header', async () => {
    const { port } = await startEnforcement();
    const answer = await call(port, {
      method: 'GET',
      path: '/health/liveness',
      headers: { connection: 'keep-alive' },
    });
    expect(answer.headers['keep-alive']).toBe('timeout=75');
  });

  test('is closed then', async () => {
    const { port } = await startEnforcement({}, { keepAliveTimeout: 100 });
    const socket = await connected(port);
    socket.resume().write('GET /health/liveness HTTP/1.1\r\nHost: service\r\n\r\n');
    await once(socket, 'end');
    expect(socket.readableEnded).toBe(true);
    socket.destroy();
  });
});

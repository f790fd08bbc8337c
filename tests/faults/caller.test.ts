import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { startEnforcement, startService } from '../support/service.ts';
import { play } from './faulty-call.ts';
import { CALLER_FAULTS, GOOD_MESSAGE, MASKED } from './unruly-callers.ts';
import { MASKING, startUnrulyPdp } from './unruly-pdp.ts';

afterEach(closeAll);

async function startMasking() {
  const pdp = await startUnrulyPdp();
  stopLater(pdp.close);
  return startService({ pdpUrl: `127.0.0.1:${pdp.port}` });
}

describe.each(CALLER_FAULTS)('a caller that $name', (fault) => {
  test('gets nothing unmasked, and the next caller is served', async () => {
    const service = await startMasking();
    const received = await play(service.port, fault);
    expect(received + service.logged.join('\n')).not.toContain('planted-ssn');
    expect(await play(service.port, { bytes: GOOD_MESSAGE, ending: 'waits' })).toContain(`\r\n\r\n${MASKED}`);
  });
});

test('callers with every fault at once harm nobody else', async () => {
  const { port } = await startMasking();
  const faults = CALLER_FAULTS.map((fault) => play(port, fault));
  const good = CALLER_FAULTS.map(() => play(port, { bytes: GOOD_MESSAGE, ending: 'waits' }));
  const answers = await Promise.all(good);
  expect(answers.filter((answer) => !answer.endsWith(MASKED))).toEqual([]);
  await Promise.all(faults);
});

test('callers that do not read their answers do not keep others from theirs', async () => {
  const { port } = await startEnforcement({ body: MASKING });
  const large = enforcing(
    JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, ssn: 'planted-ssn' }))),
  );
  const head = `POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n`;
  const idle = Array.from({ length: 8 }, () => connect({ port, host: '127.0.0.1' }).pause());
  stopLater(async () => idle.forEach((socket) => void socket.destroy()));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  idle.forEach((socket) => socket.write(`${head}Content-Length: ${large.length}\r\n\r\n${large}`));
  expect(await call(port, { body: enforcing('[{"ssn":"planted-ssn"}]') })).toMatchObject({
    status: 200,
    text: '[{"ssn":"***"}]',
  });
});

import { describe, expect, it, afterEach } from '@jest/globals';
import { Connection } from '../../../src/pdp/transport/connection.ts';
import type { PdpConnection } from '../../../src/pdp/port.ts';
import type { StubAnswer } from '../stub.ts';
import {
  adapterFor,
  closeAll,
  freePort,
  NO_NAME,
  question,
  rejection,
  startPair,
  startStub,
} from './setup.ts';

afterEach(closeAll);

const UP: PdpConnection = { connected: true };
const DOWN: PdpConnection = { connected: false, reason: 'connection refused by pdp:1' };

/** A connection whose tries are counted and whose clock is set by hand. */
function watched(outcome: () => Promise<PdpConnection>) {
  const clock = { now: 0 };
  const tries = { count: 0 };
  const connect = (): Promise<PdpConnection> => {
    tries.count++;
    return outcome();
  };
  return { clock, tries, connection: new Connection(connect, () => clock.now) };
}

describe('the connection to a PDP', () => {
  it('counts as up for 5 seconds after an answer, without a try', async () => {
    const { clock, tries, connection } = watched(() => Promise.resolve(DOWN));
    connection.answered();
    clock.now = 4999;
    expect(await connection.state()).toEqual(UP);
    expect(tries.count).toBe(0);
    clock.now = 5000;
    expect(await connection.state()).toEqual(DOWN);
    expect(tries.count).toBe(1);
  });

  it('is tried if an answer is followed by a question that was lost', async () => {
    const { connection } = watched(() => Promise.resolve(DOWN));
    connection.answered();
    connection.lost();
    expect(await connection.state()).toEqual(DOWN);
  });

  it('is tried once for all who ask at the same time', async () => {
    const { tries, connection } = watched(() => Promise.resolve(UP));
    expect(await Promise.all([connection.state(), connection.state(), connection.state()])).toEqual([
      UP,
      UP,
      UP,
    ]);
    expect(tries.count).toBe(1);
  });

  it('is tried again a second after a try ended', async () => {
    const { clock, tries, connection } = watched(() => Promise.resolve(DOWN));
    await connection.state();
    clock.now = 999;
    await connection.state();
    expect(tries.count).toBe(1);
    clock.now = 1000;
    await connection.state();
    expect(tries.count).toBe(2);
  });
});

/** A stub that goes away, and an adapter that asks it all the same. */
async function startLeaving(answer: StubAnswer = {}) {
  const stub = await startStub(answer, await freePort());
  return { stub, pdp: adapterFor(stub.url) };
}

describe('the connection of the adapter for HTTP', () => {
  it('is found by a try if nothing was asked yet', async () => {
    const { pdp, stub } = await startPair();
    expect(await pdp.connection()).toEqual(UP);
    expect(stub.connections()).toBe(1);
    expect(stub.requests).toEqual([]);
  });

  it.each([200, 302, 401, 500])(
    'stands after an answer with status %d, even when the PDP goes away then',
    async (status) => {
      const { pdp, stub } = await startLeaving({ status });
      await pdp.decide(question()).catch(() => undefined);
      await stub.close();
      expect(await pdp.connection()).toEqual(UP);
    },
  );

  it('stands after an answer that was not whole', async () => {
    const { pdp, stub } = await startLeaving({ body: '{}', reset: 'mid-answer' });
    await rejection(pdp.decide(question()));
    await stub.close();
    expect(await pdp.connection()).toEqual(UP);
  });

  it('is lost when a question after an answer does not reach the PDP', async () => {
    const { pdp, stub } = await startLeaving();
    await pdp.decide(question());
    await stub.close();
    await rejection(pdp.decide(question()));
    expect(await pdp.connection()).toEqual({
      connected: false,
      reason: `connection refused by 127.0.0.1:${stub.port}`,
    });
  });

  it('is refused if nobody listens', async () => {
    const port = await freePort();
    const pdp = adapterFor(new URL(`https://127.0.0.1:${port}`));
    expect(await pdp.connection()).toEqual({
      connected: false,
      reason: `connection refused by 127.0.0.1:${port}`,
    });
  });

  it('is refused if nobody listens at an IPv6 address', async () => {
    const pdp = adapterFor(new URL('http://[::1]:1'));
    expect(await pdp.connection()).toMatchObject({
      connected: false,
      reason: expect.stringContaining('[::1]:1'),
    });
  });

  it('says that the name of the PDP does not exist', async () => {
    const pdp = adapterFor(new URL(`https://user:secret@${NO_NAME}/secret?secret`));
    expect(await pdp.connection()).toEqual({
      connected: false,
      reason: `the name ${NO_NAME} cannot be resolved`,
    });
  });

  it('is gone when the adapter is closed', async () => {
    const { pdp } = await startPair();
    await pdp.decide(question());
    await pdp.close();
    expect(await pdp.connection()).toEqual({
      connected: false,
      reason: 'the connection to the PDP is closed',
    });
  });
});

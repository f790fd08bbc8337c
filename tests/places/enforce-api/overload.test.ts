import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { decision } from '../../support/decision.ts';
import { eventually } from '../../support/eventually.ts';
import { startHeldPdp } from '../../support/held-pdp.ts';
import { NO_RULES, startEnforcement, startService } from '../../support/service.ts';
import { answersIn, connected, exchanged, restOf } from '../../support/wire.ts';

afterEach(closeAll);

const MB = 1024 * 1024;
const DECISION = decision({});
const SMALL = enforcing('[]');
const HALF = enforcing(`["${'x'.repeat(MB / 2)}"]`);
const LARGE = enforcing(`["${'x'.repeat(2 * MB)}"]`);
/** A third as long, and three times as much is found in it. */
const DENSE = enforcing(`[${'[],'.repeat(MB / 9)}[]]`);
/** As dense, with an asset identifier in each record. */
const ASSETS = enforcing(`[${Array.from({ length: MB / 30 }, (_, id) => `{"i":${id}}`).join(',')}]`, {
  parameters: { calculationType: 'context', assetId: 'i', protectedObject: 'customers' },
});
const HEAD = 'POST /enforce HTTP/1.1\r\nHost: service\r\nContent-Type: application/json\r\n';

const OVERLOADED = { status: 503, headers: { 'retry-after': '1' } };

/** A service with one request in progress, whose decision comes when it is told to. */
async function serviceWith(written: Readonly<Record<string, unknown>>, body: string) {
  const pdp = await startHeldPdp();
  const service = await startService({ pdpUrl: `127.0.0.1:${pdp.port}`, ...written });
  const first = call(service.port, { body });
  // Not every test waits for it to be answered.
  first.catch(() => undefined);
  await eventually(() => pdp.seen.asked > 0);
  const finish = async () => {
    pdp.answer(DECISION);
    return first;
  };
  return { ...service, pdp, finish };
}

describe('more requests than allowed', () => {
  test('are refused at once, with when to try again, and do not reach the PDP', async () => {
    const service = await serviceWith({ maxInFlight: 1 }, SMALL);
    const answer = await call(service.port, { body: SMALL });
    expect(answer).toMatchObject(OVERLOADED);
    expect(problemIn(answer)).toMatchObject({
      type: 'urn:authz-jsonmasking:error:overloaded',
      detail: 'The service has too many requests in progress (maxInFlight).',
    });
    expect(service.pdp.seen.asked).toBe(1);
    expect((await service.finish()).status).toBe(200);
  });

  test('are taken again once those in progress are answered', async () => {
    const service = await serviceWith({ maxInFlight: 1 }, SMALL);
    await service.finish();
    const next = call(service.port, { body: SMALL });
    await eventually(() => service.pdp.seen.asked === 2);
    service.pdp.answer(DECISION);
    expect((await next).status).toBe(200);
  });

  test('are taken again once a caller hung up', async () => {
    const { port } = await startEnforcement(NO_RULES, { maxInFlight: 1 });
    const statusNow = async () => (await call(port, { body: SMALL })).status;
    const socket = await connected(port);
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n{`);
    await eventually(async () => (await statusNow()) === 503);
    socket.destroy();
    await eventually(async () => (await statusNow()) === 200);
    expect(await statusNow()).toBe(200);
  });

  test('do not keep health from being asked', async () => {
    const service = await serviceWith({ maxInFlight: 1 }, SMALL);
    const probes = ['/health/liveness', '/health/readiness'].map((path) =>
      call(service.port, { method: 'GET', path }),
    );
    expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('leave the connection open if their bodies are small', async () => {
    const service = await serviceWith({ maxInFlight: 1 }, SMALL);
    const message = `${HEAD}Content-Length: ${SMALL.length}\r\n\r\n${SMALL}`;
    const last = message.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const answers = answersIn(await exchanged(service.port, message + last));
    expect(answers).toMatchObject([OVERLOADED, OVERLOADED]);
  });
});

describe('larger bodies than allowed together', () => {
  test('are refused before they are read, and their connection is closed', async () => {
    const service = await serviceWith({ maxInFlightBody: 1 }, HALF);
    const socket = await connected(service.port);
    socket.write(`${HEAD}Content-Length: ${MB}\r\n\r\n`);
    const answers = answersIn(await restOf(socket));
    expect(answers).toMatchObject([{ status: 503, headers: { 'retry-after': '1', connection: 'close' } }]);
    expect(answers.map((answer) => problemIn(answer).detail)).toEqual([
      'The service has too many bytes in progress (maxInFlightBody).',
    ]);
    expect((await service.finish()).status).toBe(200);
  });

  test.each([
    ['in chunks', { body: [Buffer.from(HALF), Buffer.from('   ')] }],
    ['compressed', { body: gzipSync(HALF), headers: { 'content-encoding': 'gzip' } }],
  ])('are refused when they turn out to be, sent %s', async (_, sent) => {
    const service = await serviceWith({ maxInFlightBody: 1 }, HALF);
    expect(await call(service.port, sent)).toMatchObject(OVERLOADED);
    expect(service.pdp.seen.asked).toBe(1);
  });

  test('leave room for small ones', async () => {
    const service = await serviceWith({ maxInFlightBody: 1 }, HALF);
    const small = call(service.port, { body: SMALL });
    await eventually(() => service.pdp.seen.asked === 2);
    service.pdp.answer(DECISION);
    expect((await small).status).toBe(200);
  });

  test('are refused when it turns out how much is in them, which is freed, and the next is taken', async () => {
    const service = await serviceWith({ maxInFlightBody: 1 }, DENSE);
    expect(await call(service.port, { body: DENSE })).toMatchObject(OVERLOADED);
    expect(service.pdp.seen.asked).toBe(1);
    const small = call(service.port, { body: SMALL });
    await eventually(() => service.pdp.seen.asked === 2);
    service.pdp.answer(DECISION);
    expect((await small).status).toBe(200);
    expect((await service.finish()).status).toBe(200);
  });

  test('are refused while many assets are asked about', async () => {
    const service = await serviceWith({ maxInFlightBody: 1 }, ASSETS);
    expect(await call(service.port, { body: SMALL })).toMatchObject(OVERLOADED);
    expect((await service.finish()).status).toBe(200);
    const next = call(service.port, { body: SMALL });
    await eventually(() => service.pdp.seen.asked === 2);
    service.pdp.answer(DECISION);
    expect((await next).status).toBe(200);
  });

  test('are taken if a body is larger on its own', async () => {
    const { port } = await startEnforcement(NO_RULES, { maxInFlightBody: 1 });
    expect((await call(port, { body: LARGE })).status).toBe(200);
    expect((await call(port, { body: [Buffer.from(LARGE)] })).status).toBe(200);
  });

  test('are taken one after the other', async () => {
    const { port } = await startEnforcement(NO_RULES, { maxInFlightBody: 1 });
    expect((await call(port, { body: HALF })).status).toBe(200);
    expect((await call(port, { body: HALF })).status).toBe(200);
    expect((await call(port, { body: HALF })).status).toBe(200);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { statusOf } from '../../src/places/listener/index.ts';
import { closeAll, freePort, portOf, stopLater } from '../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../support/caller.ts';
import { startService, type Service } from '../support/service.ts';
import { MASKING, PDP_FAULTS, startUnrulyPdp } from './unruly-pdp.ts';

afterEach(closeAll);

const PAYLOAD = '[{"id":"c1","ssn":"planted-ssn"},{"id":"c2","ssn":"planted-ssn"}]';
const MASKED = '[{"id":"c1","ssn":"***"},{"id":"c2","ssn":"***"}]';

/** What a service answers while its PDP has a fault, or none. */
function enforce({ port }: Service, fault?: string) {
  return call(port, { body: enforcing(PAYLOAD, { vendor: fault === undefined ? {} : { fault } }) });
}

async function serviceOnUnrulyPdp(): Promise<Service> {
  const pdp = await startUnrulyPdp();
  stopLater(pdp.close);
  return startService({ pdpUrl: `127.0.0.1:${pdp.port}`, pdpTimeout: 5000, pdpBreaker: { enabled: false } });
}

describe.each(PDP_FAULTS)('a PDP that $name', ({ name, codes }) => {
  test('is answered as documented, with nothing of the payload, and the next request is enforced', async () => {
    const service = await serviceOnUnrulyPdp();
    const answer = await enforce(service, name);
    const problem = problemIn(answer);
    expect(codes.map((code) => `urn:authz-jsonmasking:error:${code}`)).toContain(problem.type);
    expect(codes.map((code) => statusOf(code))).toContain(answer.status);
    expect(problem).toMatchObject({ status: answer.status, instance: answer.headers['x-request-id'] });
    expect(answer.text + service.logged.join('\n')).not.toContain('planted-ssn');
    expect(await enforce(service)).toMatchObject({ status: 200, text: MASKED });
  });
});

describe('a PDP that comes and goes', () => {
  test('is missed with 502 and asked again as soon as it is there', async () => {
    const port = await freePort();
    const service = await startService({ pdpUrl: `127.0.0.1:${port}` });
    expect(await enforce(service)).toMatchObject({ status: 502 });
    const pdp = await startUnrulyPdp(port);
    expect(await enforce(service)).toMatchObject({ status: 200, text: MASKED });
    await pdp.close();
    expect(await enforce(service)).toMatchObject({ status: 502 });
  });

  test('harms no request but those whose own exchange fails, however many there are at once', async () => {
    const service = await serviceOnUnrulyPdp();
    const faults = PDP_FAULTS.flatMap(({ name }) => [name, undefined]);
    const answers = await Promise.all(faults.map((fault) => enforce(service, fault)));
    const healthy = answers.filter((_, i) => faults[i] === undefined);
    const others = answers.filter((_, i) => faults[i] !== undefined);
    expect(healthy.map(({ text }) => text)).toEqual(healthy.map(() => MASKED));
    expect(others.filter(({ status, text }) => status === 200 || text.includes('planted-ssn'))).toEqual([]);
  });
});

/** A decision without rules, which would leave everything as it is. */
const OPEN = '{"response":[]}';

function head(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
}

/** A PDP that answers every question by writing these bytes, and keeps the connection. */
async function startWritingPdp(written: string): Promise<number> {
  const server = createServer((socket) => socket.on('data', () => socket.write(written)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopLater(async () => void (await new Promise((resolve) => server.close(resolve))));
  return portOf(server);
}

describe('a PDP that says more than it was asked', () => {
  test.each([
    ['a second answer behind its first', head(MASKING) + MASKING + head(OPEN) + OPEN],
    ['a provisional answer before it', `HTTP/1.1 103 Early Hints\r\n\r\n${head(MASKING)}${MASKING}`],
  ])('%s, has no answer of one request taken for that of another', async (_, written) => {
    const pdp = await startWritingPdp(written);
    const service = await startService({ pdpUrl: `127.0.0.1:${pdp}` });
    const first = await enforce(service);
    const second = await enforce(service);
    expect([first.text, second.text]).toEqual([MASKED, MASKED]);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, test } from '@jest/globals';
import { AxiosError } from 'axios';
import * as fc from 'fast-check';
import { withBreaker, type BreakerState } from '../../../src/pdp/middleware/breaker/breaker.ts';
import { createHttpTransport } from '../../../src/pdp/transport/adapter.ts';
import { askWithRetries, type RetryReason } from '../../../src/pdp/transport/retries.ts';
import {
  adapterFor,
  closeAll,
  freePort,
  question,
  rejection,
  stopLater,
  type OneMessageTransport,
} from './setup.ts';

afterEach(closeAll);

/** What may come of one try. */
type Try = 'answer' | 'begun' | 'cancelled' | `E${string}`;

const REFUSALS = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'] as const;
const BREAKS = ['ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'ETIMEDOUT'] as const;
const OTHERS = ['EPROTO', 'ECERT', 'begun', 'cancelled', 'answer'] as const;

function errorOf(outcome: Try): Error {
  if (outcome === 'cancelled') return new Error('cancelled');
  if (outcome !== 'begun') return new AxiosError('failed', outcome);
  return Object.assign(new AxiosError('ended early', 'ECONNRESET'), { response: { status: 200 } });
}

function isRefusal(outcome: Try): boolean {
  return REFUSALS.some((one) => one === outcome);
}

function isBreak(outcome: Try): boolean {
  return BREAKS.some((one) => one === outcome);
}

/** How many tries of these are made, from the documentation: 15 more after refusals, one more after a break. */
function triesOf(outcomes: readonly Try[]): number {
  const left = { refused: 15, broken: 1 };
  let tries = 1;
  for (const outcome of outcomes) {
    if (!isRefusal(outcome) && !isBreak(outcome)) return tries;
    const reason = isRefusal(outcome) ? 'refused' : 'broken';
    if (left[reason] === 0) return tries;
    left[reason]--;
    tries++;
  }
  return tries;
}

const anyTry = fc.oneof(
  { arbitrary: fc.constantFrom<Try>(...REFUSALS), weight: 20 },
  { arbitrary: fc.constantFrom<Try>(...BREAKS), weight: 2 },
  { arbitrary: fc.constantFrom<Try>(...OTHERS), weight: 1 },
);

describe('retries of a question', () => {
  test('go on as long as no answer begins, no longer than half a second, and end with what came last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTry, { maxLength: 20 }), async (scripted) => {
        const outcomes: readonly Try[] = [...scripted, 'answer'];
        const reasons: RetryReason[] = [];
        let tries = 0;
        let waited = 0;
        const ask = (): Promise<string> => {
          const outcome = outcomes[tries++] ?? 'answer';
          return outcome === 'answer' ? Promise.resolve('the answer') : Promise.reject(errorOf(outcome));
        };
        const result = await askWithRetries(ask, {
          signal: new AbortController().signal,
          onRetry: (reason) => void reasons.push(reason),
          pause(ms) {
            waited += ms;
            return Promise.resolve(true);
          },
        }).catch((error: unknown) => error);
        const expected = triesOf(outcomes);
        expect(tries).toBe(expected);
        expect(reasons).toEqual(
          outcomes.slice(0, expected - 1).map((one) => (isRefusal(one) ? 'refused' : 'broken')),
        );
        expect(waited).toBeLessThanOrEqual(500);
        const last = outcomes[expected - 1] ?? 'answer';
        expect(result).toEqual(last === 'answer' ? 'the answer' : errorOf(last));
      }),
    );
  });

  test('do not begin later than three seconds after the first failure, as a network may be slow to refuse', async () => {
    let time = 0;
    let tries = 0;
    const slow = (): Promise<never> => {
      tries++;
      time += 1100;
      return Promise.reject(errorOf('EHOSTUNREACH'));
    };
    const bounds = {
      signal: new AbortController().signal,
      onRetry: () => undefined,
      pause: () => Promise.resolve(true),
      now: () => time,
    };
    await rejection(askWithRetries(slow, bounds));
    expect({ tries, time }).toEqual({ tries: 4, time: 4400 });
  });

  test('end when nobody waits any more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 14 }), async (allowed) => {
        let tries = 0;
        const refused = errorOf('ECONNREFUSED');
        const ask = (): Promise<never> => {
          tries++;
          return Promise.reject(refused);
        };
        const pause = () => Promise.resolve(tries <= allowed);
        const bounds = { signal: new AbortController().signal, onRetry: () => undefined, pause };
        expect(await rejection(askWithRetries(ask, bounds))).toBe(refused);
        expect(tries).toBe(allowed + 1);
      }),
    );
  });
});

/** A PDP that can be killed: its connections break at once, and nobody listens on its port until it starts again. */
class MortalPdp {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** One that no other server is given while this one is away. */
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  static async start(): Promise<MortalPdp> {
    const pdp = new MortalPdp(await freePort());
    await pdp.start();
    stopLater(() => pdp.kill('resetAndDestroy'));
    return pdp;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}`);
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      request.resume().once('end', () => response.end('decided'));
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
    });
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
  }

  async kill(end: 'destroy' | 'resetAndDestroy'): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    this.#sockets.forEach((socket) => socket[end]());
    await closed;
  }
}

/** Asks so many questions at the same time. */
function askAll(pdp: OneMessageTransport, count: number): Promise<readonly string[]> {
  const ask = async (): Promise<string> => Buffer.from(await pdp.decide(question())).toString();
  return Promise.all(Array.from({ length: count }, ask));
}

describe('a PDP over HTTP that is killed', () => {
  it('loses no question if it is soon back, whatever connections were kept and however they end', async () => {
    const anyKill = fc.record({
      kept: fc.integer({ min: 0, max: 40 }),
      early: fc.integer({ min: 0, max: 40 }),
      late: fc.integer({ min: 1, max: 40 }),
      away: fc.integer({ min: 0, max: 50 }),
      end: fc.constantFrom('destroy' as const, 'resetAndDestroy' as const),
    });
    await fc.assert(
      fc.asyncProperty(anyKill, async ({ kept, early, late, away, end }) => {
        const server = await MortalPdp.start();
        const pdp = adapterFor(server.url);
        await askAll(pdp, kept);
        const before = askAll(pdp, early);
        const killed = server.kill(end);
        const after = askAll(pdp, late);
        await killed;
        await wait(away);
        await server.start();
        const answers = [...(await before), ...(await after)];
        expect(new Set(answers)).toEqual(new Set(['decided']));
        await pdp.close();
      }),
      { numRuns: 15 },
    );
  });

  it('loses no question if it is back before the last retry', async () => {
    const server = await MortalPdp.start();
    const { url } = server;
    await server.kill('destroy');
    let retries = 0;
    const onRetry = (): void => {
      if (++retries === 5) void server.start();
    };
    const pdp = adapterFor(url, { onRetry });
    expect(await askAll(pdp, 1)).toEqual(['decided']);
    expect(retries).toBeGreaterThanOrEqual(5);
  });

  it('is asked 15 times more if it stays away, and is then unreachable', async () => {
    const reasons: RetryReason[] = [];
    const onRetry = (reason: RetryReason): void => void reasons.push(reason);
    const pdp = adapterFor(new URL(`http://127.0.0.1:${await freePort()}`), { onRetry });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The PDP cannot be reached (ECONNREFUSED).',
    });
    expect(reasons).toEqual(Array.from({ length: 15 }, () => 'refused'));
  });

  it('is not asked again for a caller that hangs up while the service waits', async () => {
    const caller = new AbortController();
    let retries = 0;
    const onRetry = (): void => {
      if (++retries === 3) caller.abort('gone');
    };
    const pdp = adapterFor(new URL(`http://127.0.0.1:${await freePort()}`), { onRetry });
    expect(await rejection(pdp.decide(question({ signal: caller.signal })))).toBe('gone');
    expect(retries).toBe(3);
  });

  it('is not asked again once the transport is closed', async () => {
    const port = await freePort();
    const pdp = adapterFor(new URL(`http://127.0.0.1:${port}`), { onRetry: () => void pdp.close() });
    expect(await rejection(pdp.decide(question()))).toMatchObject({
      code: 'pdp-unreachable',
      message: 'The connection to the PDP is closed.',
    });
  });

  it('counts as one failure for the breaker, however often it is asked', async () => {
    const origin = new URL(`http://127.0.0.1:${await freePort()}`);
    const states: BreakerState[] = [];
    const pdp = withBreaker(createHttpTransport({ origin, timeout: 10_000, maxAnswerBytes: 1000 }), {
      failurePercentage: 50,
      minimumCalls: 2,
      window: 60_000,
      probeAfter: 60_000,
      onState: (state) => void states.push(state),
    });
    stopLater(() => pdp.close());
    const asked = { ...question(), messages: [{ url: origin, body: Buffer.from('{}') }] };
    await rejection(pdp.decide(asked));
    expect(states).toEqual([]);
    await rejection(pdp.decide(asked));
    expect(states).toEqual(['open']);
  });
});

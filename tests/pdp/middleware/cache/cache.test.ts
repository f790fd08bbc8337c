import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../src/errors.ts';
import { withDecisionCache, type CacheOptions } from '../../../../src/pdp/middleware/cache/cache.ts';
import { SharedCalls } from '../../../../src/pdp/middleware/cache/shared-calls.ts';
import type { Transport } from '../../../../src/pdp/port.ts';
import { createPdpDouble, textOf, type PdpDouble } from '../../double.ts';
import { question, rejection, type CallParts } from '../../transport/setup.ts';

const ENDURING = '{"tokenValidity":300,"response":[]}';
const SECOND = 1000;

function user(id: string): CallParts {
  return { headers: [['authorization', `Bearer ${id}`]] };
}

describe('the decision cache', () => {
  let pdp: PdpDouble;
  let port: Transport;
  let now: number;

  function cached(options: Partial<CacheOptions> = {}): void {
    const bounds = { maxEntries: 100, maxBytes: 1_000_000, maxAge: 300 * SECOND };
    port = withDecisionCache(pdp, { ...bounds, now: () => now, ...options });
  }
  const ask = async (parts: CallParts = {}): Promise<string> => textOf(await port.decide(question(parts)));
  /** How often the PDP is asked for questions of these users, one after another. */
  const timesAsked = async (ids: readonly string[]): Promise<number> => {
    const before = pdp.asked.length;
    for (const id of ids) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await ask(user(id)).catch(() => undefined);
    }
    return pdp.asked.length - before;
  };

  beforeEach(() => {
    now = 1;
    pdp = createPdpDouble();
    cached();
  });
  afterEach(() => port.close());

  it('answers the same question again without the PDP', async () => {
    pdp.always(() => ENDURING);
    expect(await ask(user('jane'))).toBe(ENDURING);
    expect(await ask(user('jane'))).toBe(ENDURING);
    expect(pdp.asked).toHaveLength(1);
  });

  it('asks again for another user, another body and the other endpoint', async () => {
    pdp.always(() => ENDURING);
    await ask();
    await ask(user('jane'));
    await ask({ body: Buffer.from('{ }') });
    await ask({ calculationType: 'context' });
    expect(pdp.asked).toHaveLength(4);
  });

  it('keeps a decision as long as its tokenValidity says, in seconds', async () => {
    pdp.always(() => '{"tokenValidity":20}');
    expect(await timesAsked(['jane'])).toBe(1);
    now += 20 * SECOND;
    expect(await timesAsked(['jane'])).toBe(0);
    now += 1;
    expect(await timesAsked(['jane'])).toBe(1);
  });

  it('counts from when the PDP was asked', async () => {
    const slow = ask();
    now += 19 * SECOND;
    pdp.asked[0]?.answer('{"tokenValidity":20}');
    await slow;
    now += SECOND + 1;
    const later = ask();
    expect(pdp.asked).toHaveLength(2);
    pdp.asked[1]?.answer(ENDURING);
    expect(await later).toBe(ENDURING);
  });

  it('keeps no decision longer than it is set to', async () => {
    cached({ maxAge: 10 * SECOND });
    pdp.always(() => ENDURING);
    expect(await timesAsked(['jane'])).toBe(1);
    now += 10 * SECOND + 1;
    expect(await timesAsked(['jane'])).toBe(1);
  });

  it.each(['{"tokenValidity":0}', '{"response":[]}', 'no JSON'])(
    'keeps no decision like %s',
    async (text) => {
      pdp.always(() => text);
      expect(await timesAsked(['jane', 'jane'])).toBe(2);
    },
  );

  it.each(['pdp-unauthorized', 'pdp-forbidden', 'pdp-failed', 'pdp-unreachable', 'pdp-timeout'] as const)(
    'keeps no failure: %s',
    async (code) => {
      pdp.always(() => {
        throw new ServiceError(code, 'No.');
      });
      expect(await timesAsked(['jane', 'jane'])).toBe(2);
    },
  );

  it('keeps no more decisions than it is set to, those that were used last', async () => {
    cached({ maxEntries: 2 });
    pdp.always(() => ENDURING);
    expect(await timesAsked(['jane', 'joe', 'jane', 'ann'])).toBe(3);
    expect(await timesAsked(['jane', 'ann'])).toBe(0);
    expect(await timesAsked(['joe'])).toBe(1);
  });

  it('keeps no more bytes than it is set to', async () => {
    cached({ maxBytes: 10_000 });
    const large = `{"tokenValidity":300,"a":"${'a'.repeat(5000)}"}`;
    pdp.always(() => large);
    expect(await timesAsked(['jane', 'joe', 'joe'])).toBe(2);
    expect(await timesAsked(['jane'])).toBe(1);
    pdp.always(() => large.replace('a', 'a'.repeat(10_000)));
    expect(await timesAsked(['ann', 'ann'])).toBe(2);
  });

  it('counts what a small decision takes besides its bytes', async () => {
    cached({ maxBytes: 1000 });
    pdp.always(() => '{"tokenValidity":300}');
    const users = Array.from({ length: 20 }, (_, at) => `user ${at}`);
    expect(await timesAsked(users)).toBe(20);
    expect(await timesAsked(users.toReversed())).toBeGreaterThan(15);
  });

  it('counts what each of many short answers takes besides its bytes', async () => {
    let asked = 0;
    const decide = async () => {
      asked += 1;
      return Array.from({ length: 100 }, () => Buffer.from(ENDURING));
    };
    const bounds = { maxEntries: 100, maxBytes: 40_000, maxAge: 300 * SECOND, now: () => now };
    const cache = withDecisionCache({ ...pdp, decide }, bounds);
    await cache.decide(question());
    await cache.decide(question());
    expect(asked).toBe(2);
  });

  it('does not keep a large buffer for the few bytes of a decision in it', async () => {
    const large = Buffer.alloc(100_000, ENDURING);
    const decide = () => Promise.resolve([large.subarray(0, ENDURING.length)]);
    const bounds = { maxEntries: 100, maxBytes: 1_000_000, maxAge: 300 * SECOND, now: () => now };
    const [answer] = await withDecisionCache({ ...pdp, decide }, bounds).decide(question());
    expect(answer?.buffer.byteLength).toBe(ENDURING.length);
  });

  it('asks once for those who ask the same at the same time', async () => {
    const calls = [ask(user('jane')), ask(user('jane')), ask(user('joe'))];
    expect(pdp.asked).toHaveLength(2);
    pdp.asked[0]?.answer('for jane');
    pdp.asked[1]?.answer('for joe');
    expect(await Promise.all(calls)).toEqual(['for jane', 'for jane', 'for joe']);
  });

  it('fails for all of them, and asks again for later ones', async () => {
    const failure = new ServiceError('pdp-timeout', 'The PDP did not answer within 5 ms.');
    const calls = [rejection(ask()), rejection(ask())];
    pdp.asked[0]?.fail(failure);
    expect(await Promise.all(calls)).toEqual([failure, failure]);
    pdp.always(() => ENDURING);
    expect(await ask()).toBe(ENDURING);
  });

  it('continues for the others when one of them hangs up, the first too', async () => {
    const first = new AbortController();
    const gone = rejection(ask({ signal: first.signal }));
    const staying = ask();
    first.abort('gone');
    expect(await gone).toBe('gone');
    expect(pdp.asked[0]?.question.signal?.aborted).toBe(false);
    pdp.asked[0]?.answer(ENDURING);
    expect(await staying).toBe(ENDURING);
  });

  it('stops asking when all of them have hung up, and asks anew for who comes later', async () => {
    const callers = [new AbortController(), new AbortController()];
    const calls = callers.map(({ signal }) => rejection(ask({ signal })));
    callers.forEach((caller, i) => caller.abort(i));
    expect(await Promise.all(calls)).toEqual([0, 1]);
    expect(pdp.asked[0]?.question.signal?.aborted).toBe(true);
    pdp.always(() => ENDURING);
    expect(await ask()).toBe(ENDURING);
    expect(pdp.asked).toHaveLength(2);
  });

  it('and goes on asking for them when the answer to the others comes late', async () => {
    const calls = new SharedCalls<string>();
    const [late, next] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const caller = new AbortController();
    const gone = rejection(calls.join('key', caller.signal, () => late.promise));
    caller.abort('gone');
    expect(await gone).toBe('gone');
    const first = calls.join('key', undefined, () => next.promise);
    late.resolve('late');
    await late.promise;
    const second = calls.join('key', undefined, () => Promise.resolve('another'));
    next.resolve('next');
    expect(await Promise.all([first, second])).toEqual(['next', 'next']);
  });

  it('answers nobody who has hung up already', async () => {
    pdp.always(() => ENDURING);
    await ask();
    expect(await rejection(ask({ signal: AbortSignal.abort('gone') }))).toBe('gone');
  });

  it('forgets everything when it is closed', async () => {
    pdp.always(() => ENDURING);
    await ask();
    await port.close();
    expect(pdp.isClosed()).toBe(true);
    expect(await timesAsked(['jane', 'jane'])).toBe(2);
    expect(await port.connection()).toMatchObject({ connected: false });
  });
});

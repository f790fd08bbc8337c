import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../src/errors.ts';
import { withBreaker, type BreakerState } from '../../../../src/pdp/middleware/breaker/breaker.ts';
import { logState } from '../../../../src/pdp/middleware/breaker/state-log.ts';
import { ErrorStatus } from '../../../../src/pdp/error-status.ts';
import type { Transport } from '../../../../src/pdp/port.ts';
import { loggerInMemory } from '../../../telemetry/log/memory-sink.ts';
import { eventually } from '../../../support/eventually.ts';
import { createPdpDouble, type PdpDouble } from '../../double.ts';
import { question, rejection } from '../../transport/setup.ts';

const DOWN = new ServiceError('pdp-unreachable', 'The PDP cannot be reached (ECONNREFUSED).');
const SHUT = {
  code: 'pdp-unreachable',
  message: 'The PDP is unavailable: the circuit breaker is open.',
};
const HOUR = 3_600_000;
type PdpAsked = PdpDouble['asked'][number];

function fails(error: Error): () => string {
  return () => {
    throw error;
  };
}

function answerWith(status: number): ServiceError {
  return new ServiceError('pdp-failed', `The PDP answered with status ${status}.`, {
    cause: new ErrorStatus(status),
  });
}

describe('the breaker', () => {
  let pdp: PdpDouble;
  let port: Transport;
  let states: BreakerState[];

  /** Four calls at least, half of which may fail. */
  function guarded(probeAfter = HOUR): void {
    const options = { failurePercentage: 50, minimumCalls: 4, window: HOUR, probeAfter };
    port = withBreaker(pdp, { ...options, onState: (state) => states.push(state) });
  }
  const ask = async (): Promise<string> => String(await port.decide(question()));
  const askTimes = async (times: number): Promise<void> => {
    if (times === 0) return;
    await ask().catch(() => undefined);
    await askTimes(times - 1);
  };

  beforeEach(() => {
    pdp = createPdpDouble();
    states = [];
    guarded();
  });
  afterEach(() => port.close());

  it('passes questions and answers through', async () => {
    pdp.always(() => 'decision');
    const asked = question({ headers: [['x-tenant', 'one']], signal: new AbortController().signal });
    expect(String(await port.decide(asked))).toBe('decision');
    expect(pdp.asked[0]?.question).toBe(asked);
    expect(states).toEqual([]);
  });

  it('stays closed for fewer calls than it takes', async () => {
    pdp.always(fails(DOWN));
    await askTimes(3);
    expect(states).toEqual([]);
    expect(pdp.asked).toHaveLength(3);
  });

  it.each([
    ['cannot be reached', DOWN],
    ['does not answer in time', new ServiceError('pdp-timeout', 'The PDP did not answer within 5 ms.')],
    ['answers 500', answerWith(500)],
    ['answers 503', answerWith(503)],
  ])('opens if the PDP %s, and then fails at once without asking', async (_, error) => {
    pdp.always(fails(error));
    await askTimes(4);
    expect(states).toEqual(['open']);
    expect(await rejection(ask())).toMatchObject(SHUT);
    expect(pdp.asked).toHaveLength(4);
  });

  it.each([
    ['does not know the caller', new ServiceError('pdp-unauthorized', 'No.')],
    ['refuses the caller', new ServiceError('pdp-forbidden', 'No.')],
    ['answers 400', answerWith(400)],
    ['answers 429', answerWith(429)],
    ['answers 302', answerWith(302)],
    ['answers too much', new ServiceError('pdp-failed', 'The answer of the PDP is larger than 9 bytes.')],
    ['is asked in a way that fails here', new TypeError('x is not a function')],
    ['is not asked for a bad header', new ServiceError('request-invalid', 'A header field has characters.')],
  ])('stays closed if the PDP %s', async (_, error) => {
    pdp.always(fails(error));
    await askTimes(20);
    expect(states).toEqual([]);
    expect(await rejection(ask())).toBe(error);
  });

  it('stays closed if half of the calls fail', async () => {
    pdp.always(() => {
      if (pdp.asked.length % 2 === 0) throw DOWN;
      return 'decision';
    });
    await askTimes(20);
    expect(states).toEqual([]);
  });

  it('does not count callers who hang up', async () => {
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const calls = callers.map(({ signal }) => rejection(port.decide(question({ signal }))));
    callers.forEach((caller, i) => caller.abort(i));
    expect(await Promise.all(calls)).toEqual(callers.map((_, i) => i));
    expect(states).toEqual([]);
  });

  it('opens as soon without the callers who hang up as with them', async () => {
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const calls = callers.map(({ signal }) => rejection(port.decide(question({ signal }))));
    callers.forEach((caller) => caller.abort('gone'));
    await Promise.all(calls);
    pdp.always(fails(DOWN));
    await askTimes(3);
    expect(states).toEqual([]);
    await askTimes(1);
    expect(states).toEqual(['open']);
  });

  it('does not ask for a caller who has hung up already', async () => {
    expect(await rejection(port.decide(question({ signal: AbortSignal.abort('gone') })))).toBe('gone');
    expect(pdp.asked).toHaveLength(0);
  });

  describe('that has opened', () => {
    beforeEach(async () => {
      guarded(5);
      pdp.always(fails(DOWN));
      await askTimes(4);
      pdp.always(undefined);
      await eventually(() => states.at(-1) === 'half-open');
    });

    it('lets one question through, and the others only once that is answered', async () => {
      const first = ask();
      expect(await rejection(ask())).toMatchObject(SHUT);
      expect(pdp.asked).toHaveLength(5);
      pdp.asked.at(-1)?.answer('decision');
      expect(await first).toBe('decision');
      expect(states).toEqual(['open', 'half-open', 'closed']);
      pdp.always(() => 'more');
      expect(await ask()).toBe('more');
    });

    it('closes if the PDP refuses the caller of that question, since it is back', async () => {
      const first = rejection(ask());
      pdp.asked.at(-1)?.fail(new ServiceError('pdp-forbidden', 'No.'));
      expect(await first).toMatchObject({ code: 'pdp-forbidden' });
      expect(states.at(-1)).toBe('closed');
    });

    it('opens again if that question fails, and then lets another through', async () => {
      pdp.always(fails(DOWN));
      expect(await rejection(ask())).toBe(DOWN);
      expect(states).toEqual(['open', 'half-open', 'open']);
      await eventually(() => states.at(-1) === 'half-open');
      pdp.always(() => 'decision');
      expect(await ask()).toBe('decision');
    });

    it('waits for the answer to that question even when its caller has hung up', async () => {
      const caller = new AbortController();
      const call = rejection(port.decide(question({ signal: caller.signal })));
      caller.abort('gone');
      expect(await call).toBe('gone');
      expect(states.at(-1)).toBe('half-open');
      pdp.asked.at(-1)?.answer('decision');
      await eventually(() => states.at(-1) === 'closed');
    });

    it('says of the connection what the PDP says', async () => {
      expect(await port.connection()).toEqual({ connected: true });
    });
  });

  it('is not closed by a question from before that its caller gave up', async () => {
    guarded(5);
    const caller = new AbortController();
    const old = rejection(port.decide(question({ signal: caller.signal })));
    pdp.always(fails(DOWN));
    await askTimes(4);
    await eventually(() => states.at(-1) === 'half-open');
    caller.abort('gone');
    expect(await old).toBe('gone');
    expect(states.at(-1)).toBe('half-open');
  });

  it.each([
    ['answered', (old?: PdpAsked) => old?.answer('decision')],
    ['failed', (old?: PdpAsked) => old?.fail(DOWN)],
  ])('waits for its probe, whatever is %s from before', async (_, end) => {
    guarded(5);
    const old = Promise.allSettled([ask()]);
    pdp.always(fails(DOWN));
    await askTimes(4);
    await eventually(() => states.at(-1) === 'half-open');
    end(pdp.asked[0]);
    await old;
    expect(states).toEqual(['open', 'half-open']);
    pdp.always(() => 'decision');
    expect(await ask()).toBe('decision');
    expect(states.at(-1)).toBe('closed');
  });

  it('closes the PDP', async () => {
    await port.close();
    expect(pdp.isClosed()).toBe(true);
    expect(await port.connection()).toMatchObject({ connected: false });
  });

  it('leaves it to a closed PDP what becomes of a question', async () => {
    pdp.always(() => 'late');
    await port.close();
    expect(await ask()).toBe('late');
  });

  it('is logged when the PDP goes down and when it is back, and in between for those who look closely', () => {
    const { logger, sink } = loggerInMemory('json', 'debug');
    const tell = logState(logger, 1000);
    for (const state of ['open', 'half-open', 'open', 'half-open', 'closed', 'open'] as const) tell(state);
    const levels = sink.lines.map((line) => /"level":"(\w+)"/.exec(line)?.[1]);
    expect(levels).toEqual(['warn', 'debug', 'debug', 'debug', 'info', 'warn']);
  });
});

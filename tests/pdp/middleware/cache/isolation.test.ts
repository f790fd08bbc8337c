import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { withDecisionCache } from '../../../../src/pdp/middleware/cache/cache.ts';
import type { Call, HeaderFields, Transport } from '../../../../src/pdp/port.ts';
import { createPdpDouble, textOf, type PdpDouble } from '../../double.ts';
import { Model } from './model.ts';
import { differentQuestions, isNoise, noise } from './questions.ts';

/** One thing that happens to the cache. Numbers choose among what there is at the time. */
type Event =
  | { readonly kind: 'ask'; readonly which: number; readonly noise: HeaderFields }
  | { readonly kind: 'answer'; readonly which: number; readonly validity: number | undefined }
  | { readonly kind: 'fail'; readonly which: number }
  | { readonly kind: 'hang up'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number };

const which = fc.nat({ max: 20 });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask'), which, noise }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('answer'),
      which,
      validity: fc.constantFrom(undefined, 0, 1, 2, 300),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hang up'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 1, max: 2500 }) }) },
);

const MAX_AGE = 4000;

/** The cache in the hands of callers, beside a model of what may become of each of them. */
class Trial {
  now = 1;
  readonly outcomes: unknown[] = [];
  readonly #pdp: PdpDouble = createPdpDouble();
  readonly #port: Transport;
  readonly #questions: readonly Call[];
  readonly #callers: AbortController[] = [];
  readonly model = new Model(MAX_AGE);

  constructor(questions: readonly Call[], maxEntries: number) {
    this.#questions = questions;
    const options = { maxEntries, maxBytes: 1_000_000, maxAge: MAX_AGE, now: () => this.now };
    this.#port = withDecisionCache(this.#pdp, options);
  }

  play(happening: Event): void {
    switch (happening.kind) {
      case 'ask':
        return this.#ask(happening.which % this.#questions.length, happening.noise);
      case 'answer':
        return this.#answer(happening.which, happening.validity);
      case 'fail':
        return this.#fail(happening.which);
      case 'hang up':
        return this.#hangUp(happening.which);
      case 'wait':
        this.now += happening.ms;
    }
  }

  get timesAsked(): number {
    return this.#pdp.asked.length;
  }

  /** Which questions to the PDP nobody waits for any more. */
  get givenUp(): readonly boolean[] {
    return this.#pdp.asked.map(({ question }) => question.signal?.aborted === true);
  }

  #ask(topic: number, requestsOwn: HeaderFields): void {
    const asked = this.#questions[topic];
    if (asked === undefined) return;
    const caller = new AbortController();
    const number = this.#callers.push(caller) - 1;
    this.outcomes.push('waiting');
    const headers = [...requestsOwn, ...asked.headers];
    const settle = (outcome: unknown): void => void (this.outcomes[number] = outcome);
    void this.#port.decide({ ...asked, headers, signal: caller.signal }).then(
      (decision) => settle(textOf(decision)),
      (error: unknown) => settle(error),
    );
    this.model.ask(topic, this.now);
  }

  #answer(chosen: number, validity: number | undefined): void {
    const call = this.model.pendingCall(chosen);
    if (call === undefined) return;
    const text = JSON.stringify({ tokenValidity: validity, topic: call.topic, call: call.number });
    this.#pdp.asked[call.number]?.answer(text);
    this.model.answer(call, text, validity ?? 0, this.now);
  }

  #fail(chosen: number): void {
    const call = this.model.pendingCall(chosen);
    if (call === undefined) return;
    const failure = `failure of call ${call.number}`;
    this.#pdp.asked[call.number]?.fail(failure);
    this.model.fail(call, failure);
  }

  #hangUp(chosen: number): void {
    if (this.#callers.length === 0) return;
    const caller = chosen % this.#callers.length;
    const reason = `caller ${caller} hung up`;
    this.#callers[caller]?.abort(reason);
    this.model.hangUp(caller, reason);
  }
}

describe('a caller of the decision cache', () => {
  it('gets what the model says: its own answer, as fresh as it must be, and nothing of another', async () => {
    await fc.assert(
      fc.asyncProperty(
        differentQuestions,
        fc.array(event, { maxLength: 40, size: 'max' }),
        async (questions, events) => {
          const trial = new Trial(questions, 100);
          for (const happening of events) {
            trial.play(happening);
            // oxlint-disable-next-line no-await-in-loop -- one event after another
            await turn();
            expect(trial.outcomes).toEqual(trial.model.outcomes);
            expect(trial.timesAsked).toBe(trial.model.calls.length);
            expect(trial.givenUp).toEqual(trial.model.givenUp);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gets an answer to its own question even if entries make room for others', async () => {
    await fc.assert(
      fc.asyncProperty(
        differentQuestions,
        fc.array(fc.tuple(which, noise), { minLength: 10, maxLength: 40 }),
        async (questions, asked) => {
          const pdp = createPdpDouble();
          const port = withDecisionCache(pdp, { maxEntries: 2, maxBytes: 10_000, maxAge: MAX_AGE });
          pdp.always(() =>
            JSON.stringify({ tokenValidity: 300, asked: contentOf(pdp.asked.at(-1)?.question) }),
          );
          for (const [number, requestsOwn] of asked) {
            const chosen = questions[number % questions.length];
            if (chosen === undefined) continue;
            const headers = [...chosen.headers, ...requestsOwn];
            // oxlint-disable-next-line no-await-in-loop -- one question after another
            const decision = await port.decide({ ...chosen, headers });
            const expected = JSON.stringify({ tokenValidity: 300, asked: contentOf(chosen) });
            expect(textOf(decision)).toBe(expected);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** All that is sent, without what tells one request from another. */
function contentOf(asked: Call | undefined): unknown {
  const headers = asked?.headers.filter(([name]) => !isNoise(name));
  const messages = asked?.messages.map(({ url, accept, body }) => [url.href, accept, String(body)]);
  return [asked?.calculationType, headers, messages];
}

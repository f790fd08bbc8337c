/** One question to the PDP that is under way or over. */
export interface ModelCall {
  readonly number: number;
  /** Which of the questions that differ. */
  readonly topic: number;
  readonly askedAt: number;
  readonly waiting: Set<number>;
  state: 'under way' | 'over' | 'given up';
}

interface Kept {
  readonly text: string;
  readonly until: number;
}

/**
 * The decision cache as simply as it can be told: what callers get and what the PDP is asked. It knows which questions are
 * the same because it is told so, not by their content.
 */
export class Model {
  /** What became of each caller. */
  readonly outcomes: unknown[] = [];
  readonly calls: ModelCall[] = [];
  readonly #kept = new Map<number, Kept>();
  readonly #maxAge: number;

  constructor(maxAge: number) {
    this.#maxAge = maxAge;
  }

  get givenUp(): readonly boolean[] {
    return this.calls.map(({ state }) => state === 'given up');
  }

  ask(topic: number, now: number): void {
    const kept = this.#kept.get(topic);
    const isFresh = kept !== undefined && now <= kept.until;
    const caller = this.outcomes.push(isFresh ? kept.text : 'waiting') - 1;
    if (!isFresh) this.#callFor(topic, now).waiting.add(caller);
  }

  /** One of the calls that the PDP has yet to answer, where there is any. */
  pendingCall(chosen: number): ModelCall | undefined {
    const pending = this.calls.filter(({ state }) => state === 'under way');
    return pending[chosen % pending.length];
  }

  answer(call: ModelCall, text: string, validity: number, now: number): void {
    this.#settle(call, text);
    const until = call.askedAt + Math.min(validity * 1000, this.#maxAge);
    if (until > now) this.#kept.set(call.topic, { text, until });
  }

  fail(call: ModelCall, failure: unknown): void {
    this.#settle(call, failure);
  }

  hangUp(caller: number, reason: unknown): void {
    if (this.outcomes[caller] !== 'waiting') return;
    this.outcomes[caller] = reason;
    const call = this.calls.find(({ waiting }) => waiting.has(caller));
    call?.waiting.delete(caller);
    if (call?.waiting.size === 0) call.state = 'given up';
  }

  #callFor(topic: number, now: number): ModelCall {
    const underWay = this.calls.find((call) => call.topic === topic && call.state === 'under way');
    if (underWay !== undefined) return underWay;
    const number = this.calls.length;
    const call: ModelCall = { number, topic, askedAt: now, waiting: new Set(), state: 'under way' };
    this.calls.push(call);
    return call;
  }

  #settle(call: ModelCall, outcome: unknown): void {
    call.state = 'over';
    for (const caller of call.waiting) this.outcomes[caller] = outcome;
    call.waiting.clear();
  }
}

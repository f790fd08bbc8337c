import { abortable } from '../../../abortable.ts';

/** A call that several callers wait for. */
interface SharedCall<T> {
  readonly answer: Promise<T>;
  readonly givenUp: AbortController;
  waiting: number;
}

/** Calls under way, each for all who ask the same at the same time. */
export class SharedCalls<T> {
  readonly #calls = new Map<string, SharedCall<T>>();

  /**
   * Waits for the call of this key that is under way, or starts one.
   *
   * @param key the same for calls whose answers may be shared
   * @param signal ends the wait of this caller, with its reason; others keep waiting
   * @param start makes the call; its signal is aborted once nobody waits any more
   */
  async join(
    key: string,
    signal: AbortSignal | undefined,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = this.#calls.get(key) ?? this.#begin(key, start);
    call.waiting++;
    try {
      return await abortable(call.answer, signal);
    } finally {
      call.waiting--;
      if (call.waiting === 0 && this.#forget(key, call)) call.givenUp.abort();
    }
  }

  #begin(key: string, start: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
    const givenUp = new AbortController();
    const call = { answer: start(givenUp.signal), givenUp, waiting: 0 };
    this.#calls.set(key, call);
    // Who asks from now on is not to get an answer from before.
    const end = (): boolean => this.#forget(key, call);
    call.answer.then(end, end);
    return call;
  }

  /** @returns whether it was under way till now */
  #forget(key: string, call: SharedCall<T>): boolean {
    return this.#calls.get(key) === call && this.#calls.delete(key);
  }
}

import type { Answer } from './http-exchange.ts';
import type { BodyMode, Part } from './protocol/request.ts';
import {
  bodyAnswer,
  bodyPiece,
  headersAnswer,
  type HeaderMutation,
  NO_MUTATION,
  trailersAnswer,
  withoutResponseBody,
} from './protocol/response.ts';
import type { Outlet } from './stream.ts';

/** An answer that goes on as it is. Envoy is asked to keep its body to itself; if it sends it all the same, it gets it back. */
export class PassedAnswer implements Answer {
  readonly #outlet: Outlet;
  readonly #mode: BodyMode;
  isComplete = true;
  hasBegun = false;

  constructor(outlet: Outlet, mode: BodyMode) {
    this.#outlet = outlet;
    this.#mode = mode;
  }

  /** Lets request and answer pass. @param removed fields that upstream must not get */
  async beginWithRequest(removed: readonly string[]): Promise<void> {
    const answer = headersAnswer('request', { set: [], remove: removed });
    const { canSkip } = this;
    await this.#outlet.send(canSkip ? withoutResponseBody(answer, { skipsHeaders: true }) : answer);
  }

  /** Lets the answer pass, now that its headers are known. @param changes of those */
  async begin(changes: HeaderMutation): Promise<void> {
    const answer = headersAnswer('response', changes);
    const { canSkip } = this;
    await this.#outlet.send(canSkip ? withoutResponseBody(answer, { skipsHeaders: false }) : answer);
  }

  async take(part: Part): Promise<void> {
    this.hasBegun = true;
    if (part.kind === 'headers') await this.#outlet.send(headersAnswer('response', NO_MUTATION));
    else if (part.kind === 'trailers') await this.#outlet.send(trailersAnswer('response', NO_MUTATION));
    else if (this.#mode === 'FULL_DUPLEX_STREAMED')
      await this.#outlet.send(bodyPiece('response', [part.body], part.last));
    else await this.#outlet.send(bodyAnswer('response'));
  }

  close(): void {}

  /** In mode FULL_DUPLEX_STREAMED, Envoy allows no other mode. */
  private get canSkip(): boolean {
    return this.#mode !== 'FULL_DUPLEX_STREAMED' && this.#mode !== 'NONE';
  }
}

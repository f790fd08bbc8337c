import type { Answer } from './http-exchange.ts';
import type { BodyMode, Fields, Part } from './protocol/request.ts';
import {
  bodyAnswer,
  bodyPiece,
  headersAnswer,
  type HeaderMutation,
  NO_MUTATION,
  trailersAnswer,
  withoutResponse,
  withoutResponseBody,
} from './protocol/response.ts';
import type { Outlet } from './stream.ts';

/** An answer that goes on as it is. Envoy is asked to keep its body to itself; if it sends it all the same, it gets it back. */
export class PassedAnswer implements Answer {
  readonly #outlet: Outlet;
  readonly #mode: BodyMode;
  /** Whether trailers could tell something of the original body. */
  #dropsTrailers = false;
  isComplete = true;
  hasBegun = false;

  constructor(outlet: Outlet, mode: BodyMode) {
    this.#outlet = outlet;
    this.#mode = mode;
  }

  /** Lets request and answer pass. @param removed fields that upstream must not get */
  async beginWithRequest(removed: readonly string[]): Promise<void> {
    const answer = headersAnswer('request', { set: [], remove: removed });
    await this.#outlet.send(this.#canSkip ? withoutResponse(answer) : answer);
  }

  /** Lets the answer pass without its trailers, now that its headers are known. @param changes of those */
  async begin(changes: HeaderMutation): Promise<void> {
    this.#dropsTrailers = true;
    const answer = headersAnswer('response', changes);
    await this.#outlet.send(this.#canSkip ? withoutResponseBody(answer) : answer);
  }

  async take(part: Part): Promise<void> {
    this.hasBegun = true;
    if (part.kind === 'headers') await this.#outlet.send(headersAnswer('response', NO_MUTATION));
    else if (part.kind === 'trailers') await this.#takeTrailers(part.fields);
    else if (this.#mode === 'FULL_DUPLEX_STREAMED')
      await this.#outlet.send(bodyPiece('response', [part.body], part.last));
    else await this.#outlet.send(bodyAnswer('response'));
  }

  close(): void {}

  async #takeTrailers(fields: Fields): Promise<void> {
    const remove = this.#dropsTrailers ? fields.map(([name]) => name) : [];
    await this.#outlet.send(trailersAnswer('response', { set: [], remove }));
  }

  /** In mode FULL_DUPLEX_STREAMED, Envoy allows no other mode. */
  get #canSkip(): boolean {
    return this.#mode !== 'FULL_DUPLEX_STREAMED' && this.#mode !== 'NONE';
  }
}

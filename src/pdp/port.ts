/** How a decision is calculated: from policies over the payload, or over named assets (specification 2.2). */
export const CALCULATION_TYPES = ['resolution', 'context'] as const;
export type CalculationType = (typeof CALCULATION_TYPES)[number];

/** Header fields in the order and spelling in which they came; a repeated field stands as often as it came. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** One question to the PDP (enforcement §4). */
export interface PdpQuestion {
  /** `resolution` asks the policy resolution endpoint, `context` the user access token endpoint. */
  readonly calculationType: CalculationType;
  /** What of the caller's headers goes on to the PDP, already without what must not. */
  readonly headers: HeaderFields;
  /** The PDP request, JSON in UTF-8. */
  readonly body: Uint8Array;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** Whether the PDP can be asked now, and in words why not. The reason carries no secret. */
export type PdpConnection =
  { readonly connected: true } | { readonly connected: false; readonly reason: string };

/**
 * The one way to a policy decision point. Every adapter passes `tests/pdp/port.contract.ts`.
 */
export interface PdpPort {
  /**
   * Asks for a decision.
   *
   * @returns the bytes of the PDP's successful answer, as they came; parsing is the caller's. Others may be given the
   *   same bytes, so they must not be changed.
   * @throws ServiceError `pdp-unauthorized` or `pdp-forbidden` where the PDP says so, with its reason where that is
   *   short text; `pdp-unreachable`, `pdp-failed`, `pdp-timeout` where there is no answer (enforcement §10).
   */
  decide(question: PdpQuestion): Promise<Uint8Array>;

  /** Whether the PDP was reached within the last seconds, trying it where nothing was asked lately. Never throws. */
  connection(): Promise<PdpConnection>;

  /** Lets go of sockets and timers. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

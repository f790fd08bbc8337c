import type {
  CalculationType,
  Decision,
  HeaderFields,
  PdpConnection,
  Question,
} from '../enforcement/index.ts';

export type { CalculationType, HeaderFields, PdpConnection } from '../enforcement/index.ts';

/** Something that can be asked, and that has a connection. */
export interface Port<Q, A> {
  /**
   * @throws ServiceError `pdp-unauthorized` or `pdp-forbidden` if the PDP says so, with its reason if that is short
   *   text; `pdp-unreachable`, `pdp-failed` or `pdp-timeout` if it gives no answer. If the signal is aborted: the
   *   reason of the signal.
   */
  decide(asked: Q): Promise<A>;

  /** As `decide`; gives the answer itself, or throws at once, if nothing has to be waited for. */
  decideSoon?(asked: Q): A | Promise<A>;

  /** Whether the PDP was reached within the last seconds; tries it if nothing was asked lately. Never throws. */
  connection(): Promise<PdpConnection>;

  /** Closes sockets and timers. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** The one way to a policy decision point. Every protocol passes `tests/pdp/port.contract.ts`. */
export type Pdp = Port<Question, Decision>;

/** What every layer needs to know about what is asked. */
export interface Asked {
  readonly calculationType: CalculationType;
  readonly headers: HeaderFields;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** One message to a PDP over HTTP, without its header fields. */
export interface Message {
  readonly url: URL;
  /** `Accept`; undefined for JSON. */
  readonly accept?: string | undefined;
  /** JSON in UTF-8. */
  readonly body: Uint8Array;
}

/** A message as it is sent. */
export interface Sent extends Message {
  readonly headers: HeaderFields;
}

/**
 * One question as a protocol sends it: one message, or several that make up one question. Cache, breaker, metrics and
 * traces count it once.
 */
export interface Call extends Asked {
  readonly messages: readonly Message[];
  /** How long these answers may be used again, in seconds; 0 if they do not say. */
  readonly validityOf: (answers: Answers) => number;
}

/** The bodies of successful answers, one for each message. Others may get the same bytes, so they must not be changed. */
export type Answers = readonly Uint8Array[];

/** Carries bytes to a PDP and back, whatever the protocol. */
export interface Transport extends Port<Call, Answers> {
  /** Whether it may answer from memory, so that answers are older than their questions. */
  readonly remembers?: boolean;
}

import type { JsonDocument, JsonPart, MaskKeys, Rules, TextFrame } from '../core/index.ts';
import type { DecisionSettings } from './settings.ts';
import type { CalculationType } from './parameters.ts';

/** Header fields in their order and spelling; a field that was repeated is repeated here. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** The assets of the records, in context mode. */
export interface Assets {
  /** Their asset type. */
  readonly type: string;
  /** Each identifier once, in the order of the payload; decoded when they are asked for. */
  readonly ids: readonly string[];
  /** The same as strings of JSON within a frame, separated by commas. Nothing is decoded. */
  idsAsJson(frame: TextFrame): Buffer;
}

/** What enforcement asks about one request, whatever protocol the PDP speaks. */
export interface Question {
  readonly calculationType: CalculationType;
  /** The caller's header fields that may go on to the PDP. */
  readonly headers: HeaderFields;
  /** The caller's PDP request parameters: a JSON object. Nothing else of its document is sent to the PDP. */
  readonly vendor: JsonPart;
  /** The claims of a token that the service itself verified; undefined if it verified none. */
  readonly claims?: JsonDocument | undefined;
  readonly assets: Assets | undefined;
  /** How the answer is read. */
  readonly settings: DecisionSettings;
  /** The keys that hashes in the answer may use. */
  readonly keys: MaskKeys;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** What the PDP decided. */
export interface Decision {
  /**
   * Read when first used, so that a decision whose plan is known is not read again.
   *
   * @throws ServiceError `decision-not-understood`, or `access-denied` if the PDP denies the request as a whole
   */
  readonly rules: Rules;
  /** How long the decision may be used again, in seconds from its question; undefined if that is not known. */
  readonly validForSeconds?: number | undefined;
  /** The same bytes for decisions that have the same rules under the same settings. */
  readonly fingerprint: Uint8Array;
}

/** Decides what a caller may see: the PDP. */
export interface Decider {
  /** @throws ServiceError if the PDP cannot be asked or does not decide */
  decide(question: Question): Promise<Decision>;
  /** As `decide`; gives the decision itself, or throws at once, if nothing has to be waited for. */
  decideSoon?(question: Question): Decision | Promise<Decision>;
}

/** Whether the PDP can be asked now, and if not, why. The reason contains no secret. */
export type PdpConnection =
  { readonly connected: true } | { readonly connected: false; readonly reason: string };

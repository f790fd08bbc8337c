import type { MaskKeys } from '../core/actions/mask-keys.ts';
import type { Located, Node } from '../core/json/located.ts';
import type { Rules } from '../core/rule.ts';
import type { DecisionSettings } from './decision-settings.ts';

/** How a decision is calculated: from policies over the payload, or over named assets. */
export const CALCULATION_TYPES = ['resolution', 'context'] as const;
export type CalculationType = (typeof CALCULATION_TYPES)[number];

/** Header fields in their order and spelling; a field that was repeated is repeated here. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** The assets of the records, in context mode. */
export interface Assets {
  /** Their asset type. */
  readonly type: string;
  /** Each identifier once, in the order of the payload. */
  readonly ids: readonly string[];
}

/** What enforcement asks about one request, whatever protocol the PDP speaks. */
export interface Question {
  readonly calculationType: CalculationType;
  /** The caller's header fields that may go on to the PDP. */
  readonly headers: HeaderFields;
  /** The body of the request. The payload in it is never sent to a PDP. */
  readonly doc: Located;
  /** The caller's PDP request parameters: an object in `doc`. */
  readonly vendor: Node;
  /** The claims of a token that the service itself verified; undefined if it verified none. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
  readonly assets: Assets | undefined;
  /** How the answer is read. */
  readonly settings: DecisionSettings;
  /** The keys that hashes in the answer may use. */
  readonly keys: MaskKeys;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** What the PDP decided. */
export interface Decision {
  /**
   * Read when first used, so that a decision whose plan is known is not read again.
   *
   * @throws ServiceError `decision-not-understood`, or `access-denied` if the PDP denies the request as a whole
   */
  readonly rules: Rules;
  /** How long the decision may be used again, in seconds; undefined if the PDP does not say. */
  readonly validForSeconds?: number | undefined;
  /** The same bytes for decisions that have the same rules under the same settings. */
  readonly fingerprint: Uint8Array;
}

/** Whoever decides what may be seen. */
export interface Decider {
  /** @throws ServiceError if there is no decision */
  decide(question: Question): Promise<Decision>;
}

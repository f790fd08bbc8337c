import type { Policy } from '../../policies/index.ts';

/** A verified rule of a rules document: a policy for the user whom the question named. */
export interface DocumentRule {
  readonly policy: string | undefined;
  readonly rule: Policy;
  readonly priority: bigint | undefined;
  /** As in a policy file; undefined if the document leaves it to the configuration. */
  readonly maskShort: boolean | undefined;
}

/** The metadata of a policy that is only tried. */
export const DRY_RUN = 'DRY_RUN';
/** The name of a policy that has none. */
export const UNNAMED = 'unknown';

import type { JsonDocument } from '../../../core/index.ts';

/** Who asks, as far as it is known and trusted. */
export interface Caller {
  /** The scope that let the question in; undefined if the policy file has no scopes. */
  readonly clientId?: string | undefined;
  readonly entityId?: string | undefined;
  readonly entityTypeId?: string | undefined;
  /** The claims of the token; undefined without an accepted token. */
  readonly claims?: JsonDocument | undefined;
}

import type { Rules } from '../../core/index.ts';
import { ServiceError } from '../../errors.ts';

/** What a permit without any rules means: nothing that is understood, or that the payload is returned unchanged. */
export type BareDecision = 'refuse' | 'allow';

const NO_RULES: Rules = { properties: [], filters: [], filterDefault: undefined };

/**
 * The rules of a permit that has none.
 *
 * @throws ServiceError `decision-not-understood` unless the configuration allows it
 */
export function bareDecision(configured: BareDecision): Rules {
  mustBeAllowedBare(configured);
  return NO_RULES;
}

const SENDS_NONE =
  'The PDP permits the request and sends no rules. Check the path of the policy, or that the PDP is configured to send them';

/**
 * @param problem what there is instead of rules, in words
 * @throws ServiceError `decision-not-understood` unless the configuration allows a permit without rules
 */
export function mustBeAllowedBare(configured: BareDecision, problem = SENDS_NONE): void {
  if (configured === 'allow') return;
  throw new ServiceError(
    'decision-not-understood',
    `${problem}; to return payloads unchanged in this case, configure bareDecision: allow.`,
  );
}

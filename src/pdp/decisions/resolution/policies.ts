import type { DryRun, Policy } from '../../../core/index.ts';
import type { Combinations } from './combinations.ts';
import type { EntryAnswer, PolicyAnswer } from './answer.ts';
import { notUnderstood, type JsonPointer } from '../not-understood.ts';
import { readAttributePath } from '../path.ts';

const DRY_RUN = 'DRY_RUN';
const UNNAMED = 'unknown';

type WithPolicies = Pick<EntryAnswer, 'policies' | 'accessPolicies'>;

/**
 * Reads the policies that a rule comes from: those of its entry and those of its action.
 *
 * @throws ServiceError `decision-not-understood`
 */
export function readPolicies(
  entry: WithPolicies,
  action: WithPolicies,
  combinations: Combinations,
  place: JsonPointer,
): readonly Policy[] {
  const policies = joined(
    joined(entry.policies, entry.accessPolicies),
    joined(action.policies, action.accessPolicies),
  );
  if (policies === undefined) return NO_POLICIES;
  const own = policies.length - (entry.policies?.length ?? 0) - (entry.accessPolicies?.length ?? 0);
  combinations.count(policies.length, own + 1, 'policies of actions', place);
  return policies.map((policy) => policyOf(policy, place));
}

const NO_POLICIES: readonly Policy[] = [];

function joined<T>(some: readonly T[] | undefined, others: readonly T[] | undefined) {
  return some && others ? some.concat(others) : (some ?? others);
}

function policyOf(policy: PolicyAnswer, place: JsonPointer): Policy {
  return { name: policy.name ?? policy.policyName ?? UNNAMED, dryRun: dryRunOf(policy, place) };
}

function dryRunOf({ metadata }: PolicyAnswer, place: JsonPointer): DryRun | undefined {
  if (metadata.length === 0) return undefined;
  // A list of metadata may have the key twice.
  const given = metadata.filter(([key]) => key === DRY_RUN).map(([, value]) => value);
  if (given.length === 0) return undefined;
  const [property, ...others] = given.flat();
  if (typeof property !== 'string' || property === '' || others.length > 0)
    throw notUnderstood('a DRY_RUN that does not name one property', place);
  return { property, path: readAttributePath(property, place) };
}

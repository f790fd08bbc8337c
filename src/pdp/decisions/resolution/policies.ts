import type { DryRun, Policy } from '../../../core/index.ts';
import { attributeValues, type EntryAnswer, type PolicyAnswer } from './answer.ts';
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
  place: JsonPointer,
): readonly Policy[] {
  const policies = [...listOf(entry), ...listOf(action)];
  return policies.map((policy) => ({
    name: policy.name ?? policy.policyName ?? UNNAMED,
    dryRun: dryRunOf(policy, place),
  }));
}

function listOf({ policies = [], accessPolicies = [] }: WithPolicies): readonly PolicyAnswer[] {
  return policies.concat(accessPolicies);
}

function dryRunOf({ metadata }: PolicyAnswer, place: JsonPointer): DryRun | undefined {
  const entry = metadata.find(([key]) => key === DRY_RUN);
  if (!entry) return undefined;
  const [property, ...others] = attributeValues(entry[1], place);
  if (!property || others.length > 0) throw notUnderstood('a DRY_RUN that does not name one property', place);
  return { property, path: readAttributePath(property, place) };
}

import type * as z from 'zod';
import { filtersRecords, isAction, type Policy } from './policy.ts';
import { areRight } from './vocabulary.ts';

type Member = keyof Policy;

/** Something that a policy says which does not go with the rest of it. */
interface Inconsistency {
  /** The members that it is about; the problem is reported at the first. */
  readonly members: readonly [Member, ...Member[]];
  readonly holds: (policy: Policy) => boolean;
  readonly message: string;
}

const INCONSISTENCIES: readonly Inconsistency[] = [
  {
    members: ['properties', 'action'],
    holds: ({ action, properties }) => !filtersRecords(action) && properties === undefined,
    message: 'is missing: list the properties that the action is for, or write all',
  },
  {
    members: ['properties', 'action'],
    holds: ({ action, properties }) => filtersRecords(action) && properties !== undefined,
    message: 'does not go with FILTER, which is about whole records',
  },
  {
    members: ['object', 'properties'],
    holds: ({ object, properties }) => object !== undefined && !Array.isArray(properties),
    message: 'is the prefix of listed properties, and none are listed',
  },
  {
    members: ['priority', 'action'],
    holds: ({ action, priority }) => filtersRecords(action) && priority !== undefined,
    message: 'does not go with FILTER, which is not chosen among other actions',
  },
  {
    members: ['priority', 'effect'],
    holds: ({ effect, priority }) => effect === 'denied' && priority !== undefined,
    message: 'does not go with denied, which comes before every other action',
  },
  {
    members: ['action', 'effect'],
    holds: ({ effect, action }) =>
      effect === 'denied' && !filtersRecords(action) && !isAction(action, 'MASK'),
    message: 'must be MASK or FILTER with the effect denied',
  },
  {
    members: ['when', 'assets'],
    holds: ({ when, assets }) => when !== undefined && assets !== undefined,
    message: 'does not go with assets: what is said of an asset has no condition',
  },
  {
    members: ['effect', 'assets'],
    holds: ({ effect, assets }) => effect === 'denied' && assets !== undefined,
    message: 'cannot be denied for assets',
  },
  {
    members: ['properties', 'assets'],
    holds: ({ properties, assets }) => properties === 'all' && assets !== undefined,
    message: 'must be a list for assets',
  },
];

/** Checks what a policy says as a whole, as far as its members are right by themselves. */
export function checkConsistency(policy: Policy, context: z.RefinementCtx<object>): void {
  for (const { members, holds, message } of INCONSISTENCIES) {
    if (areRight(context, ...members) && holds(policy))
      context.addIssue({ code: 'custom', path: [members[0]], message });
  }
}

/** Whether a policy, all of whose members are right by themselves, is right as a whole. */
export function isConsistent(policy: Policy): boolean {
  return !INCONSISTENCIES.some(({ holds }) => holds(policy));
}

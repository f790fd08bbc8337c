import { filtersRecords, type Action, type Policy } from './policy.ts';

type Member = keyof Policy;

/** Something that a policy says which does not go with the rest of it. */
interface Inconsistency {
  /** The members that it is about; the problem is reported at the first. */
  readonly members: readonly [Member, ...Member[]];
  readonly holds: (policy: Policy) => boolean;
  readonly message: string;
}

/** What is wrong with a policy whose members are right by themselves. */
export const INCONSISTENCIES: readonly Inconsistency[] = [
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
    holds: ({ effect, action }) => effect === 'denied' && !filtersRecords(action) && !isPlainMask(action),
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

/** Whether a policy, all of whose members are right by themselves, is right as a whole. */
export function isConsistent(policy: Policy): boolean {
  return !INCONSISTENCIES.some(({ holds }) => holds(policy));
}

function isPlainMask({ name, value }: Action): boolean {
  return (value ?? name).toUpperCase() === 'MASK';
}

/** A misspelt DRY_RUN would enforce what is only to be tried. */
export function isMisspeltDryRun(key: string): boolean {
  return key !== 'DRY_RUN' && key.replaceAll(/[^a-z]/gi, '').toUpperCase() === 'DRYRUN';
}

import {
  actionOn,
  conditionalMasks,
  filterOfHalf,
  maskOfEveryLeaf,
  masks,
  masksByPolicies,
  masksExceptOwn,
  masksExceptOwnEach,
  masksOfNothing,
} from '../payloads/decision.ts';
import type { PayloadKind } from '../payloads/payload.ts';

export const KB = 1000;
export const MB = 1000 * KB;

/** What the core is measured on. */
export interface CoreCase {
  readonly kind: PayloadKind;
  readonly bytes: number;
  /** What is asked, in words. */
  readonly rules: string;
  /** How many rules that are. */
  readonly count: number;
  readonly decision: string;
  /** Whether each call gets another decision: with another number in each place of {@link FIRST_NUMBER}. */
  readonly isNew?: boolean;
  /** Another decision that the core is measured on as well, to compare with. */
  readonly other?: { readonly name: string; readonly decision: string };
}

type Rules = Pick<CoreCase, 'rules' | 'count' | 'decision' | 'isNew' | 'other'>;

/** Unconditional rules, in these numbers. */
export const PLAIN_RULES: readonly Rules[] = [1, 4, 20, 200].map(plain);

/** The action that may not be slower than the default mask. */
export const REMOVE_RULES = 'remove()';
export const DEFAULT_MASK = 'default mask';

/** What the rows of decisions are called that no call has had before. */
export const NEVER_SEEN = 'a decision never seen before';

/** The number of the first of these decisions; the others have as many digits. */
export const FIRST_NUMBER = 1_000_000_000;

/** What they are compared with. */
export const KNOWN = 'a known decision';

export const NOTHING_RULES = '20 rules that touch nothing';

const NOTHING: Rules = { rules: NOTHING_RULES, count: 20, decision: masksOfNothing(20) };
const CONDITIONAL: Rules = { rules: '20 conditional rules', count: 20, decision: conditionalMasks(20) };
const FILTER: Rules = { rules: '4 rules, a filter drops half', count: 5, decision: filterOfHalf() };
const EVERY_LEAF: Rules = { rules: '1 rule on every leaf', count: 1, decision: maskOfEveryLeaf() };

/** All of them, in the order in which they are reported. */
export const CORE_CASES: readonly CoreCase[] = [
  ...cases('customers', [KB, 20 * KB, 400 * KB, 4 * MB, 40 * MB], PLAIN_RULES),
  ...cases('decimals', [20 * KB, 400 * KB, 4 * MB], [plain(4), plain(20)]),
  ...cases('customers', [20 * KB, 400 * KB, 4 * MB], [NOTHING, CONDITIONAL, FILTER, EVERY_LEAF]),
  ...cases('customers', [20 * KB], [1, 4].map(neverSeen)),
  ...cases('customers', [20 * KB, 400 * KB], [20, 200].map(neverSeen)),
  ...cases('customers', [20 * KB], [20, 200].map(newInOneValue)),
  ...cases('customers', [20 * KB], [1, 4, 20, 200].map(newInAllValues)),
  ...cases('customers', [20 * KB], [1, 4, 20, 200].map(newInEveryPolicy)),
  ...cases('customers', [20 * KB, 400 * KB], [REMOVE_RULES, 'email()', 'hash(pepper)'].map(each)),
  ...cases('pretty-printed', [400 * KB, 4 * MB], [plain(4)]),
  ...cases('deep', [400 * KB, 4 * MB], [plain(4)]),
  ...cases('one string', [400 * KB, 4 * MB], [plain(4)]),
  ...cases('array of numbers', [400 * KB, 4 * MB], [plain(4)]),
];

function cases(kind: PayloadKind, sizes: readonly number[], rules: readonly Rules[]): CoreCase[] {
  return sizes.flatMap((bytes) => rules.map((one) => ({ kind, bytes, ...one })));
}

/** One action on four properties of every record, next to the default mask. */
function each(action: string): Rules {
  const other = { name: DEFAULT_MASK, decision: actionOn(4, 'MASK') };
  return { rules: action, count: 4, decision: actionOn(4, action), other };
}

/** Decisions that differ only in a member that the service ignores: their rules are those of the one before. */
function neverSeen(count: number): Rules {
  const { rules, decision } = plain(count);
  return {
    rules: `${rules}, ${NEVER_SEEN}`,
    count,
    decision: `{"number":${FIRST_NUMBER},${decision.slice(1)}`,
    isNew: true,
    other: { name: KNOWN, decision },
  };
}

/** Decisions that differ in a value of one rule: a user's own number, in most services. */
function newInOneValue(count: number): Rules {
  const decision = masksExceptOwn(count, String(FIRST_NUMBER));
  return {
    rules: `${count} rules, one value new, ${NEVER_SEEN}`,
    count,
    decision,
    isNew: true,
    other: { name: KNOWN, decision },
  };
}

/** Decisions that differ in a value of every rule. */
function newInAllValues(count: number): Rules {
  return entirelyNew(count, 'all values new', masksExceptOwnEach(count, String(FIRST_NUMBER)));
}

/** Decisions whose rules come from other policies each time. */
function newInEveryPolicy(count: number): Rules {
  return entirelyNew(count, 'every policy new', masksByPolicies(count, String(FIRST_NUMBER)));
}

function entirelyNew(count: number, what: string, decision: string): Rules {
  return {
    rules: `${plain(count).rules}, ${what}, ${NEVER_SEEN}`,
    count,
    decision,
    isNew: true,
    other: { name: KNOWN, decision },
  };
}

function plain(count: number): Rules {
  return { rules: count === 1 ? '1 rule' : `${count} rules`, count, decision: masks(count) };
}

import { ACCOUNTS, BRANCH_CUSTOMERS, CUSTOMERS, type Sample } from './samples.ts';

/** One thing that the service does, and the part of a payload that shows it. */
export interface Scenario {
  readonly title: string;
  /** What the policies of examples/policies/demo.yaml say, in one sentence. */
  readonly policy: string;
  /** What to know to read the table. */
  readonly note?: string;
  readonly sample: Sample;
  /** The records that are shown, by identifier. */
  readonly records: readonly string[];
  /** The properties that are shown of each. */
  readonly properties: readonly string[];
  /** What is to be seen: a change in some answer, or a line in the log. */
  readonly shows: 'change' | 'log';
}

export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'Masking',
    policy: 'Credit limits are for managers, and medical notes are for nobody.',
    note: 'A masked string becomes the mask string, any other value null. 12500.0 stays as it is written.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'creditLimit', 'medicalNote'],
    shows: 'change',
  },
  {
    title: 'Partial masks',
    policy: 'Card numbers show their last four digits, and agents see only the ends of phone numbers.',
    note: 'The actions are last(4) and edges(3, x). The path cards.#.number reaches every card.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'phone', 'cards'],
    shows: 'change',
  },
  {
    title: 'Priority',
    policy: 'Social security numbers are confidential, but managers see the last four digits.',
    note: 'Both policies are about Max. The one with the lower number is applied, alone.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'identity'],
    shows: 'change',
  },
  {
    title: 'Conditional masking',
    policy: 'Agents do not see the names of important customers.',
    note: 'The condition vip = true is decided for each record.',
    sample: CUSTOMERS,
    records: ['c1', 'c2'],
    properties: ['id', 'name', 'vip'],
    shows: 'change',
  },
  {
    title: 'Filter',
    policy: 'Agents see customers of their region (US, CA, MX), and nobody sees those under legal hold.',
    note: 'The action is FILTER: whole records go.',
    sample: CUSTOMERS,
    records: ['c1', 'c3', 'c4'],
    properties: ['id', 'country', 'legalHold'],
    shows: 'change',
  },
  {
    title: 'Set a value',
    policy: 'Where the consent to marketing is missing or empty, it becomes "unknown".',
    note: 'What is missing on the way is created. A value that is there would be masked with the same text.',
    sample: CUSTOMERS,
    records: ['c1', 'c2'],
    properties: ['id', 'consent'],
    shows: 'change',
  },
  {
    title: 'Data mapper',
    policy: 'The same policies fit another service, whose JSON has another layout.',
    note: 'The request names the mapper branch-v2, and the PDP answers with the paths of that layout.',
    sample: BRANCH_CUSTOMERS,
    records: ['c2'],
    properties: ['customerId', 'person', 'address', 'credit'],
    shows: 'change',
  },
  {
    title: 'Context',
    policy: 'Jane looks after the accounts a1 and a2, but the balance of a2, a joint account, is hidden.',
    note: 'The accounts do not tell whose they are, so the service sends their ids to the PDP.',
    sample: ACCOUNTS,
    records: ['a1', 'a2', 'a3'],
    properties: ['id', 'balance'],
    shows: 'change',
  },
  {
    title: 'Dry run',
    policy: 'Agents are to see only the beginning of email addresses, but for now this is only tried out.',
    note: 'Nothing changes, and the log tells what would have been masked.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'email'],
    shows: 'log',
  },
];

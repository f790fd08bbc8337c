import { ACCOUNTS, BRANCH_CUSTOMERS, CUSTOMERS, type Sample } from './samples.ts';

/** One thing that the service does, and the part of a payload that shows it. */
export interface Scenario {
  readonly title: string;
  /** What its policies say, in one sentence. */
  readonly policy: string;
  /** The names of its policies in examples/policies/demo.yaml. */
  readonly policies: readonly string[];
  /** The data mapper that it uses. */
  readonly mapper?: string;
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
    policies: ['Credit limits are for managers', 'Medical notes are not shown'],
    note: 'A masked string becomes "***", any other value null. For Max, 12500.0 stays exactly as it was sent.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'creditLimit', 'medicalNote'],
    shows: 'change',
  },
  {
    title: 'Partial masks',
    policy: 'Card numbers show their last four digits, and agents see only the ends of phone numbers.',
    policies: ['Card numbers end in four digits', 'Phone numbers keep their ends'],
    note: 'The actions are last(4) and edges(3, x). The path cards.#.number reaches every card.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'phone', 'cards'],
    shows: 'change',
  },
  {
    title: 'Priority',
    policy: 'Social security numbers are confidential, but managers see the last four digits.',
    policies: ['Social security numbers are confidential', 'Managers verify social security numbers'],
    note: 'Both policies apply to Max. The service uses only the one with the lower priority number.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'identity'],
    shows: 'change',
  },
  {
    title: 'Conditional masking',
    policy: 'Agents do not see the names of important customers.',
    policies: ['Names of important customers are confidential'],
    note: 'The service evaluates the condition for each record.',
    sample: CUSTOMERS,
    records: ['c1', 'c2'],
    properties: ['id', 'name', 'vip'],
    shows: 'change',
  },
  {
    title: 'Filter',
    policy: 'Agents see customers of their region (US, CA, MX), and nobody sees those under legal hold.',
    policies: [
      'Agents see customers of their region',
      'Managers see all customers',
      'Customers under legal hold are not shown',
    ],
    note: 'The action FILTER keeps or removes whole records.',
    sample: CUSTOMERS,
    records: ['c1', 'c3', 'c4'],
    properties: ['id', 'country', 'legalHold'],
    shows: 'change',
  },
  {
    title: 'Set a value',
    policy: 'If the consent to marketing is missing or empty, it becomes "unknown".',
    policies: ['Consent must be asked for'],
    note: 'The service creates missing objects on the way. A customer who has consented gets the same text, as a mask.',
    sample: CUSTOMERS,
    records: ['c1', 'c2'],
    properties: ['id', 'consent'],
    shows: 'change',
  },
  {
    title: 'Data mapper',
    policy: 'The same policies work for another service, which names and nests the properties differently.',
    policies: [],
    mapper: 'branch-v2',
    note: 'The request names the mapper branch-v2, so the PDP answers with the paths of that service.',
    sample: BRANCH_CUSTOMERS,
    records: ['c2'],
    properties: ['customerId', 'person', 'address', 'credit'],
    shows: 'change',
  },
  {
    title: 'Context',
    policy: 'Jane looks after the accounts a1 and a2, but the balance of a2, a joint account, is hidden.',
    policies: [
      'Jane looks after these accounts',
      'The balance of a joint account is confidential',
      'Managers look after all accounts',
    ],
    note: 'The JSON does not say who looks after an account, so the service sends the ids to the PDP.',
    sample: ACCOUNTS,
    records: ['a1', 'a2', 'a3'],
    properties: ['id', 'balance'],
    shows: 'change',
  },
  {
    title: 'Dry run',
    policy: 'Agents will see only the beginning of email addresses. For now, the policy is only tried out.',
    policies: ['Email addresses will be masked'],
    note: 'Nothing changes, and the log says what would have been masked.',
    sample: CUSTOMERS,
    records: ['c1'],
    properties: ['id', 'email'],
    shows: 'log',
  },
];

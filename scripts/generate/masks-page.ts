import type { ActionKind } from '../../src/core/actions/action.ts';
import { ACTIONS } from '../../src/core/actions/registry.ts';

const INTRO = `# Masks

The table is generated from the registry in \`src/core/actions/registry.ts\` by \`npm run docs\`; change it there.

A policy says with an action what becomes of a property. The action is the text in the decision of a PDP or in a
[policy file](policy-file.md#actions). All masks work in both, with [priorities](enforcement.md#one-action-a-property),
conditions and [dry run](enforcement.md#dry-run).

## Choose a mask`;

const CHOOSING = `The row of \`hash\` uses the key \`0123456789abcdef0123456789abcdef\`.

- Nobody needs the value: \`MASK\`, or \`remove()\` if the property itself says too much.
- A client checks a schema: \`null()\` or \`empty()\`.
- A person compares the value with what a customer says: \`last(4)\`, \`email()\`, \`card()\`.
- A report counts or adds up: \`year()\`, \`month()\`, \`round(n)\`, \`bucket(…)\`.
- A report joins tables by the value: \`hash(key)\`. Do not join by a partial mask: different values look the same.

[\`FILTER\`](enforcement.md#filter) removes whole records. Any other text is a [literal](enforcement.md#literals), which is
a mask and a value to set. \`hash\` without brackets is a literal, and so are \`last seen\` and \`email (work)\`.`;

const RESULTS = `## What becomes of each type

| Action                        | string                                     | number            | boolean | array, object | null      | absent  |
| ----------------------------- | ------------------------------------------ | ----------------- | ------- | ------------- | --------- | ------- |
| \`MASK\`                        | the mask string                            | null              | null    | null          | null      | nothing |
| \`first\`, \`middle\`, …          | characters masked                          | digits masked     | null    | null          | null      | nothing |
| \`remove()\`                    | removed                                    | removed           | removed | removed       | removed   | nothing |
| \`null()\`                      | null                                       | null              | null    | null          | null      | nothing |
| \`empty()\`                     | \`""\`                                       | \`0\`               | \`false\` | \`[]\`, \`{}\`    | null      | nothing |
| \`value(<json>)\`               | the value                                  | the value         | the value | the value   | the value | created |
| \`email()\`, \`email(domain)\`    | masked; no address: the mask string        | null              | null    | null          | null      | nothing |
| \`card()\`                      | 12 to 19 digits masked; else the mask string | digits masked; else null | null | null     | null      | nothing |
| \`shape()\`                     | masked                                     | digits to \`9\`     | null    | null          | null      | nothing |
| \`year()\`, \`month()\`           | first day; no date: the mask string        | null              | null    | null          | null      | nothing |
| \`round(n)\`                    | the mask string                            | rounded           | null    | null          | null      | nothing |
| \`bucket(a,b,…)\`               | the mask string                            | bound, or null    | null    | null          | null      | nothing |
| \`hash(key)\`                   | hash                                       | hash of the number as written | hash | null  | null      | nothing |

- **Names** are read without regard to case. The bracket of a new mask follows its name directly.
- **An action that cannot be read** is not a literal: \`last(4\`, \`remove(1)\`, \`round(0)\` and \`x::MASK\` are load errors in a policy
  file, and make a decision [\`decision-not-understood\`](errors.md).
- **\`remove()\`** removes every occurrence of a name that an object repeats. The last property leaves \`{}\`, the last element
  \`[]\`, and a payload that is itself the target \`{}\`.
- **\`value(<json>)\`** sets any JSON value of at most 64 levels, without repeated names. It creates what is missing, as
  [literals](enforcement.md#literals) do.
- **\`email()\`** takes a text with one \`@\` between a local part and a host name for an address. A local part with spaces,
  quotes, brackets, commas or colons, which only quoted addresses have, gets the default mask.
- **\`card()\`** takes a text of digits, spaces and punctuation for a card number. It shows the first six and the last four digits:
  a text with letters, or with another number of digits, gets the default mask.
- **\`shape()\`** and \`email()\` count what a reader sees as one character. An accent goes with its letter.
  For \`shape()\`, letters in circles and squares are letters.
- **\`year()\`** and **\`month()\`** read dates as [conditions](enforcement.md#conditions) do, and convert to UTC first.
- **\`round(n)\`** rounds half to even, with the decimals of \`n\`, on the digits as they are written: no number loses any. Numbers that
  are multiples already are written in this form, too. A result of more than 1,000 digits becomes null.
- **\`bucket(…)\`** gives the greatest bound that is not above the value, and null below the first.

## Keys for hashes

Without a key, anyone can hash every possible telephone number and look a hash up. With a key, only the service can.

\`\`\`yaml
port: 5002
pdpUrl: pdp.example.com:8080
maskKeys:
  customers: { file: keys/customers }
\`\`\`

- \`hash(customers)\` uses the key in that file. All bytes of the file are the key, a line break at its end too; it needs at
  least 32. \`mkdir -p keys && openssl rand -out keys/customers 32\` makes one.
- The result is the HMAC-SHA-256 of the text in UTF-8, in base64url, cut to 22 characters (132 bits).
- The service reads the file once nobody has written to it for 100 ms, and again after a change, once nobody has for 250 ms.
  A file that cannot be used changes nothing, and is logged. With a new key, hashes no longer match those made with the old one.
  All hashes in a payload use the same key; in a stream, all hashes in a record do.
- Use another key for each group of readers who must not join their data.
- \`authz-jsonmasking pdp\` has no keys: it takes any name, and the service that enforces its decisions checks the name.
- A key appears in no log, error, metric or plan. On Kubernetes, mount a Secret with the chart's \`maskKeysSecret\`.

## Short values

\`last(4)\` of \`123\` shows all of it, as specified. With [\`maskShort: true\`](configuration.md), a value that a partial mask
would show in full gets the default mask: \`***\`. A policy file of the embedded PDP does so unless it says \`maskShort: false\`.

## What the service does not offer

- **k-anonymity** makes each person look like at least k others. That needs the whole data set. The service sees one payload at a
  time, and a person who is hidden among the records of one answer is alone in the next.
- **Noise** has to differ from answer to answer, or it is no noise. Who asks often enough takes the average and has the value.
- **Shuffling** gives one record the value of another. It needs the whole data set too, and the values of a small payload still
  belong to the people in it.

Use a database or a privacy tool that sees all of the data for these. Here, \`round(n)\`, \`bucket(…)\`, \`year()\` and \`month()\` always
give the same answer for the same value, so asking again reveals nothing more.`;

const HEADINGS = ['Mask', 'Example', 'Before', 'After', 'Suits', 'Still reveals'];

function code(text: string): string {
  return `\`${text}\``;
}

function rowOf({ row: { forms, example, suits, reveals } }: ActionKind): readonly string[] {
  const after = example.after === undefined ? 'removed' : code(example.after);
  return [forms.map(code).join(', '), code(example.action), code(example.before), after, suits, reveals];
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The page about masks, in Markdown. */
export function masksPage(): string {
  const table = [HEADINGS, HEADINGS.map(() => '---'), ...ACTIONS.map(rowOf)].map(tableLine).join('\n');
  return [INTRO, table, CHOOSING, RESULTS].join('\n\n');
}

import { fencesIn, type Fence } from './markdown.ts';

/** What the blocks of an example are for, by the word behind their language. */
const ROLES = [
  'configuration',
  'payload',
  'parameters',
  'vendor',
  'decision',
  'question',
  'result',
  'problem',
  'log',
] as const;
type Role = (typeof ROLES)[number];

/** An example of a page: a payload, what is said of it, and what comes of it. */
export interface Example extends Readonly<Partial<Record<Role, string>>> {
  readonly payload: string;
  readonly heading: string;
  readonly line: number;
}

interface ExamplePage {
  /** The configuration that holds for all examples of the page. */
  readonly configuration: string;
  readonly examples: readonly Example[];
}

/** Reads the examples of a page: each begins with a payload, and ends where the next begins. */
export function examplesIn(page: string): ExamplePage {
  const blocks = fencesIn(page).flatMap((fence) => {
    const role = roleOf(fence);
    return role === undefined ? [] : [{ role, fence }];
  });
  const starts = blocks.flatMap(({ role }, i) => (role === 'payload' ? [i] : []));
  const examples = starts.map((start, i) => exampleFrom(blocks.slice(start, starts[i + 1])));
  const first = blocks.slice(0, starts[0]).find(({ role }) => role === 'configuration');
  return { configuration: first?.fence.text ?? '', examples };
}

function roleOf({ info }: Fence): Role | undefined {
  return ROLES.find((role) => role === info.split(' ')[1]);
}

function exampleFrom(blocks: readonly { readonly role: Role; readonly fence: Fence }[]): Example {
  const texts: Partial<Record<Role, string>> = {};
  for (const { role, fence } of blocks) texts[role] = fence.text;
  const [first] = blocks;
  return {
    ...texts,
    payload: texts.payload ?? '',
    heading: first?.fence.heading ?? '',
    line: first?.fence.line ?? 0,
  };
}

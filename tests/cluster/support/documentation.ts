import { readFileSync } from 'node:fs';

/** A fenced block of a page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** A block, its language and its text. */
const FENCED = /^ *```(\w+)\n([^]*?)^ *```$/gm;

/** The blocks of a page below a heading, down to the next heading of the same rank or a higher one. */
export function blocksBelow(page: string, heading: string): readonly Block[] {
  const rank = /^#+/.exec(heading)?.[0].length ?? 1;
  const [, below] = readFileSync(page, 'utf8').split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`${page} has no heading "${heading}"`);
  // Comments in a block are no headings.
  const prose = below.replaceAll(FENCED, (block) => ' '.repeat(block.length));
  const end = new RegExp(`^#{1,${rank}} `, 'm').exec(prose)?.index;
  const found = [...below.slice(0, end).matchAll(FENCED)];
  return found.map(([, language = '', text = '']) => ({ language, text }));
}

/** The text of a block that begins with a certain line. */
export function valuesFile(page: string, name: string): string {
  const found = [...readFileSync(page, 'utf8').matchAll(FENCED)];
  const text = found.map(([, , one = '']) => one).find((one) => one.trimStart().startsWith(`# ${name},`));
  if (text === undefined) throw new Error(`${page} has no ${name}`);
  return text;
}

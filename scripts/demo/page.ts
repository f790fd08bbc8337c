import process from 'node:process';
import { styleText } from 'node:util';
import type { Mark, Row } from './comparison.ts';

/** What every line fits into, in characters. */
const PAGE_WIDTH = 100;
const MARK_WIDTH = 3;
const COLUMNS = 3;
const COLUMN_WIDTH = Math.floor((PAGE_WIDTH - (COLUMNS - 1) * MARK_WIDTH) / COLUMNS);

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Mark, Style>> = { '~': 'yellow', '+': 'green', '-': 'red', ' ': 'reset' };

/** Colours a text where standard output is a terminal and nobody asked for none (`NO_COLOR`). */
function styled(style: Style, text: string): string {
  return style === 'reset' ? text : styleText(style, text, { stream: process.stdout });
}

export function heading(text: string): string {
  return styled('bold', text);
}

/** A quiet line, such as the head of a table. */
export function aside(text: string): string {
  return styled('dim', text);
}

/** A table: the payload on the left, the answers on its right, each line of them behind a mark. */
export function table(titles: readonly string[], rows: readonly Row[]): readonly string[] {
  const gap = ' '.repeat(MARK_WIDTH);
  const head = titles.map((title) => title.padEnd(COLUMN_WIDTH)).join(gap);
  return [aside(head.trimEnd()), ...rows.map(tableLine)];
}

function tableLine({ before, after }: Row): string {
  const last = after.length - 1;
  const cells = after.map(({ text, mark }, i) => {
    const padded = i === last ? text : text.padEnd(COLUMN_WIDTH);
    return ` ${styled(STYLES[mark], `${mark} ${padded}`)}`;
  });
  return `${before.padEnd(COLUMN_WIDTH)}${cells.join('')}`.trimEnd();
}

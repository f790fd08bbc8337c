import process from 'node:process';
import { styleText } from 'node:util';
import type { Mark, Row } from './comparison.ts';

/** The width of a page that is not printed on a terminal, in characters. */
const DEFAULT_WIDTH = 80;
const GAP = '   ';

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Mark, Style>> = { '~': 'yellow', '+': 'green', '-': 'red', ' ': 'reset' };

/** How many characters fit on a line: those of the terminal, else `COLUMNS`, else 80. */
function pageWidth(): number {
  const { isTTY, columns } = process.stdout;
  const width = isTTY ? columns : Number(process.env['COLUMNS']);
  return width > 0 ? width : DEFAULT_WIDTH;
}

/** Colors a text if standard output is a terminal and `NO_COLOR` is not set. */
function styled(style: Style, text: string): string {
  return style === 'reset' ? text : styleText(style, text, { stream: process.stdout });
}

export function heading(text: string): string {
  return styled('bold', text);
}

/** A line in a faint color, such as the title of a column. */
export function faint(text: string): string {
  return styled('dim', text);
}

/** Breaks a text between words, so that each line fits the page. */
export function wrapped(text: string, width = pageWidth()): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/**
 * Shows a payload and the answers made of it: side by side if the page is wide enough, else one below the other. A mark
 * precedes each line of an answer.
 *
 * @param titles of the payload and of each answer
 */
export function table(titles: readonly string[], rows: readonly Row[]): readonly string[] {
  const columns = titles.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => textAt(row, i).length)),
  );
  const width = columns.reduce((sum, column) => sum + column + GAP.length, -GAP.length);
  return width <= pageWidth() ? sideBySide(titles, rows, columns) : stacked(titles, rows);
}

function textAt({ before, after }: Row, column: number): string {
  return column === 0 ? before : (after[column - 1]?.text ?? '');
}

function sideBySide(titles: readonly string[], rows: readonly Row[], columns: readonly number[]): string[] {
  const padded = (text: string, column: number): string => text.padEnd(columns[column] ?? 0);
  const lines = rows.map(({ before, after }) => {
    const cells = after.map(
      ({ text, mark }, i) => ` ${styled(STYLES[mark], `${mark} ${padded(text, i + 1)}`)}`,
    );
    return `${padded(before, 0)}${cells.join('')}`.trimEnd();
  });
  return [faint(titles.map(padded).join(GAP).trimEnd()), ...lines];
}

function stacked([title = '', ...titles]: readonly string[], rows: readonly Row[]): string[] {
  const payload = rows.filter(({ before }) => before !== '').map(({ before }) => `  ${before}`);
  const answers = titles.flatMap((answer, i) => ['', faint(`${answer}:`), ...answerLines(rows, i)]);
  return [faint(`${title}:`), ...payload, ...answers];
}

/** An answer as a list of changes: a removed line shows what it was. */
function answerLines(rows: readonly Row[], answer: number): string[] {
  return rows.flatMap(({ before, after }) => {
    const { text, mark } = after[answer] ?? { text: '', mark: ' ' };
    const shown = mark === '-' ? before : text;
    return shown === '' ? [] : [styled(STYLES[mark], `${mark} ${shown}`)];
  });
}

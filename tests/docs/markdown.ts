/** A fenced block of a page. */
export interface Fence {
  /** What stands behind the fence: a language, and a word that tells what the block is for. */
  readonly info: string;
  readonly text: string;
  /** Of the fence, counted from 1. */
  readonly line: number;
  /** The heading that it stands below. */
  readonly heading: string;
}

/** A row of a table, with the texts of its cells. */
interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

const FENCE = /^```(.*)$/u;
const HEADING = /^#+ +(.+)$/u;

/** The fenced blocks of a page, in order. */
export function fencesIn(page: string): readonly Fence[] {
  const fences: Fence[] = [];
  let heading = '';
  let open: { info: string; line: number; lines: string[] } | undefined;
  for (const [i, line] of page.split('\n').entries()) {
    const info = FENCE.exec(line)?.[1];
    if (open && info === '') {
      fences.push({ ...open, text: open.lines.join('\n'), heading });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (info !== undefined) open = { info, line: i + 1, lines: [] };
    else heading = HEADING.exec(line)?.[1] ?? heading;
  }
  return fences;
}

/** A page without its fenced blocks, line by line. */
export function proseOf(page: string): readonly string[] {
  let isOpen = false;
  return page.split('\n').filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isOpen = !isOpen;
    return !isFence && !isOpen;
  });
}

/**
 * The rows of every table of a page whose head has these titles.
 *
 * @throws Error if the page has no such table: a test of its rows would check nothing
 */
export function rowsUnder(page: string, ...titles: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  let isInTable = false;
  for (const [i, line] of page.split('\n').entries()) {
    if (!line.startsWith('|')) isInTable = false;
    else if (isInTable && !/^[|\s:-]+$/u.test(line)) rows.push({ cells: cellsOf(line), line: i + 1 });
    else isInTable ||= cellsOf(line).join('|') === titles.join('|');
  }
  if (rows.length === 0) throw new Error(`The page has no table with the head ${titles.join(' | ')}`);
  return rows;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The text of a code span. */
export function codeIn(cell: string): string {
  return /^(`+) ?(?<code>.*?) ?\1$/u.exec(cell)?.groups?.['code'] ?? cell;
}

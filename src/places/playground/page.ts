import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getAsset, isSea } from 'node:sea';

/** The files of the page, by path, with their media types. */
const FILES = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
  '/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
} as const;
const EXAMPLES = 'examples.json';

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

/** The page as it was built, in memory. */
export interface Page {
  readonly files: ReadonlyMap<string, PageFile>;
  /** The gallery: JSON. */
  readonly examples: string;
}

/** The folder of the built page, next to the parts of the program. */
const FOLDER = '../playground';

/**
 * Reads the page: from inside the executable, else from a folder.
 *
 * @returns undefined if the page was not built
 */
export function readPage(folder?: string): Page | undefined {
  const read = isSea() ? (file: string) => Buffer.from(getAsset(`playground/${file}`)) : readerOf(folder);
  if (read === undefined) return undefined;
  const files = Object.entries(FILES).map(
    ([url, { file, type }]) => [url, { type, content: read(file) }] as const,
  );
  return { files: new Map(files), examples: read(EXAMPLES).toString() };
}

function readerOf(
  folder = path.resolve(import.meta.dirname, FOLDER),
): ((file: string) => Buffer) | undefined {
  if (!existsSync(path.join(folder, EXAMPLES))) return undefined;
  return (file) => readFileSync(path.join(folder, file));
}

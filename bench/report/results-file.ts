import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { results, type Results } from './results.ts';

/** Where the numbers are that a report in a folder is made of. */
export function resultsFile(folder: string): string {
  return path.join(folder, 'performance/results.json');
}

/** What a report in a folder was made of; nothing where there is none. */
export function readResults(folder: string): Results {
  const file = resultsFile(folder);
  return existsSync(file) ? results.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

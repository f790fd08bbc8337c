import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';

/** What may take the place of a file: its name, what makes it, and why it cannot be read. */
export const NO_FILES: readonly (readonly [string, (file: string) => void, string])[] = [
  ['a pipe', (file) => void execFileSync('mkfifo', [file]), 'it is not a regular file'],
  ['a folder', (file) => mkdirSync(file), 'it is a folder'],
  ['a link to itself', (file) => symlinkSync(file, file), 'its symbolic links lead in a circle'],
  ['nothing', () => undefined, 'it does not exist'],
];

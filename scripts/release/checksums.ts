import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checksumLine } from '../standalone/checksum.ts';
import { CHECKSUMS } from './paths.ts';

/** The files of a release, without the list of their checksums, sorted. */
export function filesOf(folder: string): readonly string[] {
  const files = globSync('**/*', { cwd: folder }).filter((file) =>
    statSync(path.join(folder, file)).isFile(),
  );
  return files.filter((file) => file !== CHECKSUMS).toSorted();
}

/** The lines of `SHA256SUMS` that the files of a release ask for. */
export function checksumsOf(folder: string): string {
  return filesOf(folder)
    .map((file) => checksumLine(folder, file))
    .join('');
}

export function writeChecksums(folder: string): void {
  writeFileSync(path.join(folder, CHECKSUMS), checksumsOf(folder));
}

/** What `SHA256SUMS` says. */
export function readChecksums(folder: string): string {
  return readFileSync(path.join(folder, CHECKSUMS), 'utf8');
}

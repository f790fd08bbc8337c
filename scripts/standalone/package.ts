import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import { pack } from './archive.ts';
import { checksumLine } from './checksum.ts';
import { addContents, EXECUTABLE } from './contents.ts';
import { buildExecutable } from './executable.ts';
import type { Architecture } from './node-binary.ts';

/**
 * Builds the package for a processor, and a file with its checksum.
 *
 * @param work a folder that holds the bundle, for this build alone
 * @param output the folder that gets the two files
 * @returns the path of the archive
 */
export function buildPackage(
  architecture: Architecture,
  work: string,
  thirdPartyLicenses: string,
  output = 'build',
): string {
  const name = `authz-jsonmasking-${VERSION}-linux-${architecture}`;
  const folder = path.join(work, name);
  mkdirSync(folder);
  buildExecutable(work, path.join(folder, EXECUTABLE), architecture);
  addContents(folder, thirdPartyLicenses);
  const archive = `${name}.tar.gz`;
  pack(folder, path.join(work, archive));
  writeFileSync(path.join(work, `${archive}.sha256`), checksumLine(work, archive));
  // Whole or not at all, because others may build or read it at the same time.
  for (const file of [archive, `${archive}.sha256`])
    renameSync(path.join(work, file), path.join(output, file));
  return path.join(output, archive);
}

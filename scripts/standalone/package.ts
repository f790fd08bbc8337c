import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { VERSION } from '../../src/version.ts';
import { PARTS } from '../program/bundle.ts';
import { compileAhead } from '../program/compile-ahead.ts';
import { pack } from './archive.ts';
import { checksumLine } from './checksum.ts';
import { addContents, EXECUTABLE } from './contents.ts';
import { buildExecutable } from './executable.ts';
import { OWN_NODE, type Architecture } from './node-binary.ts';

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
  if (architecture === process.arch) compileAhead(path.join(work, PARTS), OWN_NODE, 'commands');
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

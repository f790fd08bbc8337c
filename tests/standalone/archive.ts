import { execFile } from 'node:child_process';
import { globSync, statSync, utimesSync } from 'node:fs';
import { promisify } from 'node:util';
import { VERSION } from '../../src/version.ts';

const run = promisify(execFile);

/** What the package is built from. */
const SOURCES = [
  'src/**/*.ts',
  'scripts/standalone.ts',
  'scripts/standalone/*.ts',
  'packaging/standalone/*',
  'examples/policies/demo.yaml',
  'package-lock.json',
];

/** The name of the package for this processor, which is also that of the folder in it. */
export const PACKAGE = `authz-jsonmasking-${VERSION}-linux-${process.arch}`;

const ARCHIVE = `build/${PACKAGE}.tar.gz`;

/** Builds the archive for this processor. */
export async function buildArchive(): Promise<string> {
  const begun = new Date();
  await run(process.execPath, ['scripts/standalone.ts', process.arch]);
  // Sources that change while it is built are newer than it.
  utimesSync(ARCHIVE, begun, begun);
  return ARCHIVE;
}

/** The archive for this processor, built from the sources as they are. */
export async function currentArchive(): Promise<string> {
  const newest = Math.max(...globSync(SOURCES).map(changed));
  return changed(ARCHIVE) > newest ? ARCHIVE : buildArchive();
}

/** Milliseconds since 1970; 0 where there is no such file. */
function changed(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

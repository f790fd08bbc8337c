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
  'scripts/licenses/*.ts',
  'scripts/program/*.ts',
  'packaging/program/*.ts',
  'packaging/standalone/*',
  'examples/policies/demo.yaml',
  'examples/payloads/customers.json',
  'package-lock.json',
];

/** The name of the package for a processor, which is also that of the folder in it. */
export function packageFor(architecture: string): string {
  return `authz-jsonmasking-${VERSION}-linux-${architecture}`;
}

/** The name of the package for this processor. */
export const PACKAGE = packageFor(process.arch);

/** Builds the archive for a processor, by default this one. */
export async function buildArchive(architecture: string = process.arch): Promise<string> {
  const archive = archiveFor(architecture);
  const begun = new Date();
  await run(process.execPath, ['scripts/standalone.ts', architecture]);
  // Sources that change while it is built are newer than it.
  utimesSync(archive, begun, begun);
  return archive;
}

/** The archive for a processor, by default this one, built from the sources as they are. Suites that run at once build it once. */
export async function currentArchive(architecture: string = process.arch): Promise<string> {
  if (!isCurrent(architecture))
    await run('flock', ['build', process.execPath, 'tests/standalone/build-current.ts', architecture]);
  return archiveFor(architecture);
}

export function isCurrent(architecture: string): boolean {
  return changed(archiveFor(architecture)) > Math.max(...globSync(SOURCES).map(changed));
}

function archiveFor(architecture: string): string {
  return `build/${packageFor(architecture)}.tar.gz`;
}

/** Milliseconds since 1970; 0 if the file does not exist. */
function changed(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checksumLine } from './checksum.ts';
import { NODE_LICENSE } from './node-binary.ts';

const SOURCES = 'packaging/standalone';
const SCRIPTS = ['start.sh', 'stop.sh', 'reopen-log.sh'];
const TEXTS = [
  'process.sh',
  'sample-config.yaml',
  'authz-jsonmasking.service',
  'authz-jsonmasking.logrotate',
  'README.md',
];

export const EXECUTABLE = 'authz-jsonmasking';

/** What goes in as it is: from where, to where. */
const COPIES: readonly (readonly [from: string, to: string])[] = [
  ...[...SCRIPTS, ...TEXTS].map((file) => [path.join(SOURCES, file), file] as const),
  ['examples/policies/demo.yaml', 'sample-policies.yaml'],
  ['LICENSE', 'licenses/authz-jsonmasking.txt'],
  [NODE_LICENSE, 'licenses/node.txt'],
];

/** Adds everything to a folder that has the executable already, checksums last. */
export function addContents(folder: string, thirdPartyLicenses: string): void {
  mkdirSync(path.join(folder, 'licenses'));
  for (const [from, to] of COPIES) copyFileSync(from, path.join(folder, to));
  writeFileSync(path.join(folder, 'licenses/third-party.txt'), thirdPartyLicenses);
  const files = [EXECUTABLE, 'licenses/third-party.txt', ...COPIES.map(([, to]) => to)].toSorted();
  writeFileSync(path.join(folder, 'SHA256SUMS'), files.map((file) => checksumLine(folder, file)).join(''));
  setModes(folder, [...files, 'SHA256SUMS']);
}

/** Whoever builds may have any umask. */
function setModes(folder: string, files: readonly string[]): void {
  for (const file of files) {
    const isProgram = file === EXECUTABLE || SCRIPTS.includes(file);
    chmodSync(path.join(folder, file), isProgram ? 0o755 : 0o644);
  }
  for (const directory of ['.', 'licenses']) chmodSync(path.join(folder, directory), 0o755);
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { link, TOOLS } from './folder.ts';

/** Packages of Debian that are unpacked into a folder, for which nobody has to be root. */
export interface DebianSource {
  readonly debian: readonly string[];
  /** The program in that folder. */
  readonly program: string;
}

function succeeds(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: 'ignore' }).status === 0;
}

/** @returns whether the tool is installed; not if this is no Debian, or its package lists are missing */
export function installFromDebian(name: string, { debian, program }: DebianSource): boolean {
  const folder = debianFolder(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`Unpacking ${debian.join(', ')} of Debian.\n`);
  if (!succeeds('apt-get', ['download', ...debian], folder)) return false;
  const archives = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  if (!archives.every((archive) => succeeds('dpkg-deb', ['--extract', archive, '.'], folder))) return false;
  for (const archive of archives) rmSync(path.join(folder, archive));
  link(name, path.join(folder, program));
  return true;
}

/** Where the packages of a tool are unpacked. */
export function debianFolder(name: string): string {
  return path.join(TOOLS, 'debian', name);
}

import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** A package of Debian with so many dependencies that only apt can install it, which only root can do. */
export interface AptSource {
  readonly apt: string;
}

/** @returns whether the tool is installed; not if this is no Debian, or somebody else than root asks */
export function installFromApt({ apt }: AptSource): boolean {
  if (process.getuid?.() !== 0) return false;
  process.stderr.write(`Installing ${apt} of Debian.\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const succeeds = (...args: readonly string[]): boolean =>
    spawnSync('apt-get', ['-qq', ...args], { stdio: 'ignore', env }).status === 0;
  return succeeds('update') && succeeds('install', '--yes', '--no-install-recommends', apt);
}

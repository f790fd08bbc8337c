import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { link, TOOLS } from './folder.ts';

/** A package of npm that has the program. */
export interface NpmSource {
  readonly npm: string;
  /** The program in the package's folder. */
  readonly program: string;
  /** Node's names of the only system that the program runs on. */
  readonly runsOn: string;
}

/** @returns whether the tool is installed, into a folder that nothing that ships depends on */
export function installFromNpm(name: string, { npm, program, runsOn }: NpmSource): boolean {
  if (runsOn !== `${process.platform} ${process.arch}`) return false;
  const folder = path.join(TOOLS, 'npm');
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...options, npm], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) return false;
  link(name, path.join(folder, program));
  return true;
}

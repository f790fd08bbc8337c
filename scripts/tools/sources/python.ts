import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { link, TOOLS } from './folder.ts';

/** A package of PyPI, with its version, that has a program of the tool's name. */
export interface PythonSource {
  readonly package: string;
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

/** @returns whether the tool is installed, into a virtual environment that no other tool shares */
export function installFromPython(name: string, source: PythonSource): boolean {
  const environment = path.join(TOOLS, 'python', name);
  const pip = path.join(environment, 'bin/pip');
  process.stderr.write(`Installing ${source.package} with Python.\n`);
  const isInstalled =
    succeeds('python3', ['-m', 'venv', '--clear', environment]) &&
    succeeds(pip, ['install', '--quiet', '--no-input', '--disable-pip-version-check', source.package]);
  if (isInstalled) link(name, path.join(environment, 'bin', name));
  return isInstalled;
}

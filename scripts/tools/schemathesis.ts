import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const REQUIREMENTS = path.resolve('tests/places/openapi/requirements.txt');
const ENVIRONMENT = path.resolve('.tools/venv');
/** What is installed: a copy of the requirements, which is there once all of them are. */
const INSTALLED = path.join(ENVIRONMENT, 'installed.txt');
const PROGRAM = path.join(ENVIRONMENT, 'bin/schemathesis');

/**
 * Schemathesis, installed into the project with the machine's Python where it is not yet, or no longer what is required.
 *
 * @returns the path of the program; undefined where there is no Python 3 with pip, or installing failed
 */
export function ensureSchemathesis(): string | undefined {
  return isInstalled() || install() ? PROGRAM : undefined;
}

function isInstalled(): boolean {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === readFileSync(REQUIREMENTS, 'utf8');
}

function install(): boolean {
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  const python = path.join(ENVIRONMENT, 'bin/python3');
  const succeeded =
    succeeds('python3', '-m', 'venv', ENVIRONMENT) &&
    succeeds(python, '-m', 'pip', 'install', '--quiet', '--no-input', '--requirement', REQUIREMENTS);
  if (succeeded) copyFileSync(REQUIREMENTS, INSTALLED);
  return succeeded;
}

function succeeds(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

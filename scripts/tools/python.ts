import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A program from PyPI. */
export interface PythonProgram {
  /** The folder of its virtual environment. */
  readonly folder: string;
  /** Exact versions of what is installed. */
  readonly requirements: string;
  readonly name: string;
}

/** @returns the path of a program; undefined if it is not installed, or no longer what is required */
export function findPythonProgram({ folder, requirements, name }: PythonProgram): string | undefined {
  const environment = path.resolve(folder);
  return isInstalled(environment, path.resolve(requirements))
    ? path.join(environment, 'bin', name)
    : undefined;
}

/**
 * A program, installed into the project with the machine's Python if it is not there yet, or no longer what is required.
 * Two processes must not do that at once.
 *
 * @returns its path; undefined if there is no Python 3 with pip, or installing failed
 */
export function ensurePythonProgram(program: PythonProgram): string | undefined {
  const found = findPythonProgram(program);
  if (found !== undefined) return found;
  process.stderr.write(`Installing ${program.name} with Python.\n`);
  install(path.resolve(program.folder), path.resolve(program.requirements));
  return findPythonProgram(program);
}

/** A copy of the requirements, which is there once all of them are. */
function markOf(environment: string): string {
  return path.join(environment, 'installed.txt');
}

function isInstalled(environment: string, required: string): boolean {
  const mark = markOf(environment);
  return existsSync(mark) && readFileSync(mark, 'utf8') === readFileSync(required, 'utf8');
}

/** What fails leaves no mark. */
function install(environment: string, required: string): void {
  rmSync(environment, { recursive: true, force: true });
  const python = path.join(environment, 'bin/python3');
  const succeeded =
    succeeds('python3', '-m', 'venv', environment) &&
    succeeds(python, '-m', 'pip', 'install', '--quiet', '--no-input', '--requirement', required);
  if (succeeded) copyFileSync(required, markOf(environment));
}

function succeeds(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}

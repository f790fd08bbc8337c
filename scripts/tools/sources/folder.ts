import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** The folder of everything that is installed for checks and tests; nothing that ships depends on it. */
export const TOOLS = path.resolve('.tools');

/** The folder of the programs. */
export const FOLDER = path.join(TOOLS, 'bin');

/** Makes a program that is installed elsewhere one of the tools. */
export function link(name: string, program: string): void {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, name);
  rmSync(file, { force: true });
  symlinkSync(program, file);
}

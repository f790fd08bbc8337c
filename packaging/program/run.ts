/** What `main.ts` runs once it is bundled: the program in parts, beside this file or inside the executable. */
import { COMPILED, Loader, type ReadFile } from './loader.ts';

// An `import` would have Node load what any export of the module may need.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { getRawAsset, isSea } = process.getBuiltinModule('node:sea');
const path = process.getBuiltinModule('node:path');

const FOLDER = 'program/';

const fromExecutable: ReadFile = (name) => {
  try {
    return Buffer.from(getRawAsset(FOLDER + name));
  } catch (error) {
    return absent(name, error);
  }
};

const fromFolder: ReadFile = (name) => {
  try {
    return readFileSync(path.join(import.meta.dirname, FOLDER, name));
  } catch (error) {
    return absent(name, error);
  }
};

/** A program works without what was compiled ahead, only slower. */
function absent(name: string, error: unknown): undefined {
  if (!name.endsWith(COMPILED)) throw error;
}

/** Runs the command line. */
export async function run(): Promise<void> {
  const loader = isSea()
    ? new Loader(fromExecutable, FOLDER)
    : new Loader(fromFolder, path.join(import.meta.dirname, FOLDER));
  const start = loader.require('./start.cjs');
  if (!isProgram(start)) throw new Error('start.cjs runs nothing');
  return start.run();
}

function isProgram(start: unknown): start is { run(): Promise<void> } {
  return typeof start === 'object' && start !== null && 'run' in start;
}

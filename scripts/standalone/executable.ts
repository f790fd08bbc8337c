import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { COMPILED } from '../../packaging/program/loader.ts';
import { PAGE_FILES } from '../playground/build.ts';
import { PARTS } from '../program/bundle.ts';
import { nodeBinary, OWN_NODE, type Architecture } from './node-binary.ts';
import { run } from './run.ts';

/**
 * Builds a single executable application: Node for the processor, with the program inside.
 *
 * @param folder where `main.js`, the parts of the program and the page of the playground are, and where the executable comes to be
 */
export function buildExecutable(folder: string, output: string, architecture: Architecture): void {
  const configuration = {
    // Relative, because the path becomes a part of the executable, which is to be the same wherever it is built.
    main: 'main.js',
    assets: Object.fromEntries(assetsIn(folder, architecture).map((file) => [file, file])),
    mainFormat: 'module',
    executable: nodeBinary(architecture),
    output: path.resolve(output),
    disableExperimentalSEAWarning: true,
    // They would be of the main script alone, which only loads the parts.
    useSnapshot: false,
    useCodeCache: false,
  };
  writeFileSync(path.join(folder, 'sea.json'), JSON.stringify(configuration));
  run(OWN_NODE, ['--build-sea', 'sea.json'], folder);
}

/**
 * Sorted: their order becomes a part of the executable. What V8 compiled ahead is for one processor, so the executable for another
 * one has nothing of it.
 */
function assetsIn(folder: string, architecture: Architecture): readonly string[] {
  const parts = readdirSync(path.join(folder, PARTS))
    .filter((name) => architecture === process.arch || !name.endsWith(COMPILED))
    .toSorted();
  return [...PAGE_FILES.map((file) => `playground/${file}`), ...parts.map((file) => `${PARTS}/${file}`)];
}

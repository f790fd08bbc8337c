import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
    assets: Object.fromEntries(assetsIn(folder).map((file) => [file, file])),
    mainFormat: 'module',
    executable: nodeBinary(architecture),
    output: path.resolve(output),
    disableExperimentalSEAWarning: true,
    // Neither works for another processor than the builder's.
    useSnapshot: false,
    useCodeCache: false,
  };
  writeFileSync(path.join(folder, 'sea.json'), JSON.stringify(configuration));
  run(OWN_NODE, ['--build-sea', 'sea.json'], folder);
}

/** Sorted: their order becomes a part of the executable. */
function assetsIn(folder: string): readonly string[] {
  const parts = readdirSync(path.join(folder, PARTS)).toSorted();
  return [...PAGE_FILES.map((file) => `playground/${file}`), ...parts.map((file) => `${PARTS}/${file}`)];
}

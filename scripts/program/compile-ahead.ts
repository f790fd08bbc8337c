import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMPILED } from '../../packaging/program/loader.ts';

const COMPILE_PARTS = path.join(import.meta.dirname, 'compile-parts.ts');

/**
 * Flags with which V8 compiles the same bytes each time: no other threads, no random numbers, and room enough to collect no garbage.
 * What a comparison has met is noted in the code, and a collection can change which kind of text that is.
 */
const SAME_EACH_TIME = [
  '--predictable',
  '--hash-seed=1',
  '--random-seed=1',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
];

/**
 * Where a hash of V8's flags is in what it compiled. V8 refuses what was made with other flags, as some change the code; those
 * above do not. Texts are hashed anew when they are read, as each process has another seed.
 * Source: `SerializedCodeData` in V8's `src/snapshot/code-serializer.h`.
 */
const HASH_OF_FLAGS = 12;
const PRINT_HASH_OF_FLAGS = `console.log(new vm.Script('').createCachedData().readUInt32LE(${HASH_OF_FLAGS}))`;

/** What is run. With the service, the order of what arrives from elsewhere can change a few bytes. */
export type Uses = 'commands' | 'service';

/**
 * Has V8 compile the bundled program ahead, for this processor and a version of Node.js. A process that finds it beside the parts of the
 * program starts in two thirds of the time, or less. For `commands`, the same parts give the same bytes.
 *
 * @param folder with the parts of the program
 * @param node the executable of that version
 * @param uses what it runs, so that V8 compiles what that needs
 */
export function compileAhead(folder: string, node: string, uses: Uses): void {
  // Variables such as NODE_OPTIONS have flags, too.
  const options = { encoding: 'utf8', env: {} } as const;
  execFileSync(node, [...SAME_EACH_TIME, COMPILE_PARTS, folder, uses], options);
  const hash = Number(execFileSync(node, ['--eval', PRINT_HASH_OF_FLAGS], options));
  for (const name of globSync(`*${COMPILED}`, { cwd: folder })) {
    const file = path.join(folder, name);
    const compiled = readFileSync(file);
    compiled.writeUInt32LE(hash, HASH_OF_FLAGS);
    writeFileSync(file, compiled);
  }
}

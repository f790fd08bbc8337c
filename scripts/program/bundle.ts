import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, transform, type BuildOptions, type Metafile } from 'esbuild';
import { doors } from './doors.ts';
import { lean } from './lean.ts';
import { joinParts } from './packs.ts';

/** The folder of the parts, beside `main.js`. */
export const PARTS = 'program';

const COMMON: BuildOptions & { metafile: true } = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: `node${process.versions.node}`,
  // Every licence goes into the packages as a whole.
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
};

/**
 * Bundles the program into a folder: `main.js`, and in `program/` the parts that it loads. A part is what one `import()` loads,
 * or what several of them share. The same sources give the same bytes.
 *
 * @returns what it is made of
 */
export async function bundleProgram(folder: string): Promise<readonly Metafile[]> {
  const parts = path.join(folder, PARTS);
  rmSync(parts, { recursive: true, force: true });
  return [await bundleMain(folder), await bundleParts(parts)];
}

async function bundleMain(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: ['src/main.ts'],
    outfile: path.join(folder, 'main.js'),
    plugins: [
      {
        name: 'parts',
        setup(hooks) {
          const run = path.resolve('packaging/program/run.ts');
          hooks.onResolve({ filter: /^\.\/process\/index\.ts$/ }, () => ({ path: run }));
        },
      },
    ],
  });
  return metafile;
}

async function bundleParts(folder: string): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: { start: 'src/process/index.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    splitting: true,
    chunkNames: '[name]-[hash]',
    define: { 'import.meta.dirname': '__dirname' },
    plugins: [doors, lean],
    write: false,
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]),
  );
  const parts = outputFiles.flatMap(({ path: file, text }) => {
    const name = path.basename(file);
    const output = outputs.get(name);
    return output === undefined ? [] : [[name, { name, text, output }] as const];
  });
  const joined = await joinParts(new Map(parts));
  mkdirSync(folder, { recursive: true });
  await Promise.all(joined.map(async ({ name, text }) => writeScript(path.join(folder, name), text)));
  return { ...metafile, outputs: Object.fromEntries(joined.map(({ name, output }) => [name, output])) };
}

/** Only modules can be split; only scripts can be compiled ahead. */
async function writeScript(file: string, module: string): Promise<void> {
  const { code } = await transform(module, {
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    charset: 'ascii',
    legalComments: 'none',
    supported: { 'dynamic-import': false },
  });
  writeFileSync(`${file}.partial`, `(function (exports, require, module, __dirname) {${code}})`);
  renameSync(`${file}.partial`, file);
}

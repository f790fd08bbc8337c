import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { buildPage } from '../playground/build.ts';

/** Packages ask for modules of Node in the CommonJS way, which a module has to be given first. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(process.execPath);`;

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Puts `src/main.ts` and every package that it needs into one module. The same sources give the same bytes.
 *
 * @returns what it is made of
 */
export async function bundle(file: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: ['src/main.ts'],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    banner: { js: REQUIRE },
    // Every licence goes into the package as a whole.
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

/** What ships in one file each: the program, and the page of the playground. */
export interface Bundle {
  /** The folders of the packages that code was taken from, each once. */
  readonly packages: readonly string[];
}

/** Bundles the program, as `main.mjs`, and the page of the playground into a folder. */
export async function bundleAll(folder: string): Promise<Bundle> {
  const program = await bundle(path.join(folder, 'main.mjs'));
  const page = await buildPage(path.join(folder, 'playground'));
  return { packages: packagesOf([program, page]) };
}

function packagesOf(bundles: readonly Metafile[]): readonly string[] {
  const output = bundles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs));
  const used = output.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => packageOf(input));
  return [...new Set(used)].filter((folder) => folder !== undefined).toSorted();
}

function packageOf(input: string): string | undefined {
  return PACKAGE.exec(path.posix.normalize(input))?.[0];
}

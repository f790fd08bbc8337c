import path from 'node:path';
import { build } from 'esbuild';

/** The whole program in one file, and what it is made of. */
export interface Bundle {
  /** The folders of the packages that code was taken from, each once. */
  readonly packages: readonly string[];
}

/** Packages ask for modules of Node in the CommonJS way, which a module has to be given first. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(process.execPath);`;

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Puts `src/main.ts` and every package that it needs into one module. The same sources give the same bytes. */
export async function bundle(file: string): Promise<Bundle> {
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
  const output = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = output.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => packageOf(input));
  return { packages: [...new Set(used)].filter((folder) => folder !== undefined).toSorted() };
}

function packageOf(input: string): string | undefined {
  return PACKAGE.exec(path.posix.normalize(input))?.[0];
}

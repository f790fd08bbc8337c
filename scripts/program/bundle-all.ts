import path from 'node:path';
import type { Metafile } from 'esbuild';
import { buildPage } from '../playground/build.ts';
import { bundleProgram } from './bundle.ts';

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** What ships bundled: the program, and the page of the playground. */
export interface Bundle {
  /** The folders of the packages that code was taken from, each once. */
  readonly packages: readonly string[];
}

/** Bundles the program and the page of the playground into a folder. */
export async function bundleAll(folder: string): Promise<Bundle> {
  const program = await bundleProgram(folder);
  const page = await buildPage(path.join(folder, 'playground'));
  return { packages: packagesOf([...program, page]) };
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

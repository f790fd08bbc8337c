import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { examples } from './examples.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../playground/src');

/** The files that make up the page. */
export const PAGE_FILES = ['index.html', 'page.js', 'page.css', 'examples.json'] as const;

/** Builds the page into a folder. The same sources give the same bytes. @returns what its script is made of */
export async function buildPage(folder: string): Promise<Metafile> {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: { page: path.join(SOURCES, 'main.tsx') },
    outdir: folder,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  await build({
    entryPoints: [path.join(SOURCES, 'page.css')],
    outdir: folder,
    minify: true,
    logLevel: 'error',
  });
  copyFileSync(path.join(SOURCES, 'index.html'), path.join(folder, 'index.html'));
  writeFileSync(path.join(folder, 'examples.json'), JSON.stringify(examples()));
  return metafile;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { page } from './page.ts';
import { sizingPage } from './sizing.ts';
import { plotsOf } from './plots/plots.ts';
import { readResults, resultsFile } from './results-file.ts';
import type { Results } from './results.ts';

/** Writes the numbers, and the page and the plots that are made of them. */
export async function writeReport(measured: Results, folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'performance'), { recursive: true });
  writeFileSync(resultsFile(folder), await formatted(JSON.stringify(measured, rounded), 'json'));
  const written = readResults(folder);
  writeFileSync(path.join(folder, 'performance.md'), await formatted(page(written), 'markdown'));
  writeFileSync(path.join(folder, 'sizing.md'), await formatted(sizingPage(written), 'markdown'));
  for (const [name, svg] of plotsOf(written)) writeFileSync(path.join(folder, 'performance', name), svg);
}

async function formatted(content: string, parser: 'json' | 'markdown'): Promise<string> {
  return format(content, { ...(await resolveConfig(import.meta.filename)), parser });
}

/** Five digits: what more there is would only make changes longer. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

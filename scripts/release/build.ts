import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureTool } from '../tools/tool.ts';
import { writeImageBom, writeNpmBom } from './bills.ts';
import { packageCharts } from './chart-packages.ts';
import { writeChecksums } from './checksums.ts';
import { addImage } from './image.ts';
import { packForNpm } from './npm-package.ts';
import { addStandalone } from './standalone.ts';

/** What a release is without, and why. */
export type Missing = Readonly<Record<string, string>>;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Builds everything that a release consists of into a folder, which is emptied first.
 *
 * @returns what cannot be built here
 */
export async function buildRelease(output: string): Promise<Missing> {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const work = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-release-'));
  try {
    return await buildInto(output, work);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function buildInto(output: string, work: string): Promise<Missing> {
  const missing: Record<string, string> = {};
  const nodeVersion = process.versions.node;
  say('Packing the npm package.');
  writeNpmBom(output, await packForNpm(work, output));
  say('Packaging the charts.');
  const helm = ensureTool('helm');
  if (helm === undefined) missing['charts'] = 'Helm cannot be had here';
  else packageCharts(helm, work, output);
  say('Building the standalone packages.');
  const packages = await addStandalone(work, output, nodeVersion);
  say('Building the image.');
  const reason = addImage(output);
  if (reason !== undefined) missing['image'] = reason;
  writeImageBom(output, packages, nodeVersion);
  writeChecksums(output);
  return missing;
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NO_OWNER, REPOSITORY } from '../project.ts';
import { pack } from '../standalone/archive.ts';
import { run } from '../standalone/run.ts';
import { chartPackage, PUBLISHED_CHARTS, type PublishedChart } from './paths.ts';

/** Charts that an earlier `helm dependency build` left are not copied. */
const DEPENDENCIES = /\/charts\/[^/]+\/charts(?:\/|$)/;

/**
 * Packages the charts with their dependencies.
 *
 * @param helm the path of Helm
 * @param work a folder for this build alone
 * @param output the folder of the release
 */
export function packageCharts(helm: string, work: string, output: string): void {
  const sources = path.join(work, 'charts');
  cpSync('charts', sources, { recursive: true, filter: (file) => !DEPENDENCIES.test(`/${file}`) });
  mkdirSync(path.join(output, 'charts'), { recursive: true });
  for (const chart of PUBLISHED_CHARTS) nameRegistry(path.join(sources, chart, 'values.yaml'));
  for (const chart of PUBLISHED_CHARTS) packageChart(helm, chart, { sources, work, output });
}

/** A released chart takes the released image by default; that of a checkout takes one that is built here. */
function nameRegistry(file: string): void {
  const [owner = NO_OWNER] = REPOSITORY.split('/');
  if (owner === NO_OWNER) return;
  const registry = `registry: ghcr.io/${owner.toLowerCase()}`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/(?<=\bimage:\n(?: +#.*\n)? +)registry: ''/u, registry),
  );
}

function packageChart(
  helm: string,
  chart: PublishedChart,
  { sources, work, output }: { readonly sources: string; readonly work: string; readonly output: string },
): void {
  const packaged = path.join(work, 'packaged');
  run(helm, ['package', '--dependency-update', path.join(sources, chart), '--destination', packaged]);
  const unpacked = path.join(work, 'unpacked');
  mkdirSync(unpacked, { recursive: true });
  run('tar', ['-xzf', path.join(packaged, path.basename(chartPackage(chart))), '-C', unpacked]);
  // Helm writes the time of packaging into its archive.
  pack(path.join(unpacked, chart), path.join(output, chartPackage(chart)));
}

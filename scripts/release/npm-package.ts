import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { thirdPartyLicenses } from '../licenses/third-party.ts';
import { bundleAll } from '../program/bundle-all.ts';
import { run } from '../standalone/run.ts';
import { NPM_PACKAGE } from './paths.ts';

const manifest = z.object({ files: z.array(z.string()) });

/**
 * Packs what npm publishes. It compiles into a folder of its own, so that nothing that an earlier build left is inside.
 *
 * @param work a folder for this build alone
 * @param output the folder of the release
 * @returns the folders of the packages that code was taken from
 */
export async function packForNpm(work: string, output: string): Promise<readonly string[]> {
  const folder = path.join(work, 'npm');
  mkdirSync(folder);
  const { files } = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  for (const file of ['package.json', 'README.md', ...files.filter((one) => !/^!|^dist$/u.test(one))]) {
    if (existsSync(file)) cpSync(file, path.join(folder, file), { recursive: true });
  }
  const dist = path.join(folder, 'dist');
  const info = path.join(work, 'tsbuildinfo');
  const options = ['-p', 'tsconfig.build.json', '--outDir', dist, '--tsBuildInfoFile', info];
  run('node', ['node_modules/typescript/bin/tsc', ...options]);
  const { packages } = await bundleAll(dist);
  writeFileSync(path.join(dist, 'third-party.txt'), thirdPartyLicenses(packages));
  const target = path.join(output, NPM_PACKAGE);
  mkdirSync(path.dirname(target), { recursive: true });
  const [packed = ''] = run('npm', [
    'pack',
    '--loglevel=error',
    '--ignore-scripts',
    `--pack-destination=${work}`,
    folder,
  ])
    .toString()
    .trim()
    .split('\n')
    .slice(-1);
  renameSync(path.join(work, packed), target);
  return packages;
}

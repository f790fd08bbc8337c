import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { bundleAll } from '../program/bundle-all.ts';
import { thirdPartyLicenses } from '../licenses/third-party.ts';
import { ARCHITECTURES } from '../standalone/node-binary.ts';
import { buildPackage } from '../standalone/package.ts';
import { writeStandaloneBom } from './bills.ts';

/**
 * Writes the standalone packages of every processor into the folder of a release, with their bills of materials.
 *
 * @returns the folders of the packages that code was taken from
 */
export async function addStandalone(
  work: string,
  output: string,
  nodeVersion: string,
): Promise<readonly string[]> {
  const folder = path.join(work, 'standalone');
  const target = path.join(output, 'standalone');
  for (const made of [folder, target]) mkdirSync(made, { recursive: true });
  const { packages } = await bundleAll(folder);
  const licenses = thirdPartyLicenses(packages);
  for (const architecture of ARCHITECTURES) {
    buildPackage(architecture, folder, licenses, target);
    writeStandaloneBom(output, architecture, packages, nodeVersion);
  }
  return packages;
}

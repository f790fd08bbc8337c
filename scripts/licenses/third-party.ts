import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { isAllowed } from './allowed.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/**
 * The licences of the packages whose code is inside, each with its text: what all of them ask for.
 *
 * @throws Error if a package has a licence that may not ship
 */
export function thirdPartyLicenses(packages: readonly string[]): string {
  return packages.map(licenseOf).join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(folder: string): string {
  const { name, version, license } = manifest.parse(
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
  );
  if (!isAllowed(license))
    throw new Error(`${name} ${version} has the licence ${license}, which may not ship.`);
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.toSorted().map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n');
}

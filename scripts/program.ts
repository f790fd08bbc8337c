/** Bundles what ships besides the library into dist/: the program, the page of the playground, and the licences of both. */
import { writeFileSync } from 'node:fs';
import { thirdPartyLicenses } from './licenses/third-party.ts';
import { bundleAll } from './program/bundle-all.ts';

const { packages } = await bundleAll('dist');
writeFileSync('dist/third-party.txt', thirdPartyLicenses(packages));

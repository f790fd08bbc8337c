/**
 * Prints the licences of the packages that ship, each with its text: `node scripts/licenses.ts`. The image and the standalone package have those of what is bundled.
 * It fails if a package has a licence that may not ship, or none.
 */
import { isAllowed } from './licenses/allowed.ts';
import { productionPackages } from './licenses/locked-packages.ts';
import { thirdPartyLicenses } from './licenses/third-party.ts';

const packages = productionPackages();
const refused = packages.filter(({ license }) => license === undefined || !isAllowed(license));
for (const { name, version, license } of refused) {
  process.stderr.write(`${name} ${version} has the licence ${license ?? '(none)'}, which may not ship.\n`);
}
process.stdout.write(thirdPartyLicenses(packages.map(({ folder }) => folder)));
process.exitCode = refused.length === 0 ? 0 : 1;

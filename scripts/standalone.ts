/**
 * Builds the standalone packages, one a processor: `node scripts/standalone.ts [x64] [arm64]`; both unless told. Each is
 * `build/authz-jsonmasking-<version>-linux-<arch>.tar.gz`, with its checksum beside it. See docs/standalone.md.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { bundleAll } from './program/bundle-all.ts';
import { thirdPartyLicenses } from './licenses/third-party.ts';
import { ARCHITECTURES, type Architecture } from './standalone/node-binary.ts';
import { buildPackage } from './standalone/package.ts';

function architecturesFrom(args: readonly string[]): readonly Architecture[] {
  const unknown = args.find((arg) => !ARCHITECTURES.some((known) => known === arg));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${ARCHITECTURES.join(', ')}`);
  return args.length === 0 ? ARCHITECTURES : ARCHITECTURES.filter((known) => args.includes(known));
}

async function build(architectures: readonly Architecture[], work: string): Promise<void> {
  const { packages } = await bundleAll(work);
  const licenses = thirdPartyLicenses(packages);
  for (const architecture of architectures) {
    process.stdout.write(`${buildPackage(architecture, work, licenses)}\n`);
  }
}

const architectures = architecturesFrom(process.argv.slice(2));
mkdirSync('build', { recursive: true });
const work = mkdtempSync('build/standalone-');
try {
  await build(architectures, work);
} finally {
  rmSync(work, { recursive: true });
}

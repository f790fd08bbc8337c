/**
 * Builds what a release consists of into `build/release`: `node scripts/release.ts`. With `--dry-run` it builds everything
 * twice, compares the bytes and verifies each part. It publishes nothing.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildRelease, type Missing } from './release/build.ts';
import { filesOf, readChecksums } from './release/checksums.ts';
import { differences } from './release/compare.ts';
import { sourceDate } from './standalone/archive.ts';
import { verifyRelease } from './release/verify.ts';

const OUTPUT = 'build/release';
const AGAIN = 'build/release-again';

/** What cannot be the same twice, and why. */
const MAY_DIFFER: Readonly<Record<string, string>> = {
  image: 'docker writes the time of the build into layers; podman and buildah do not',
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report(passed: boolean, claim: string): boolean {
  say(`${passed ? 'ok    ' : 'FAILED'} ${claim}`);
  return passed;
}

function reportDifference(file: string): boolean {
  const reason = MAY_DIFFER[file.split('/')[0] ?? ''];
  return report(reason !== undefined, `${file} differs between two builds${reason ? `: ${reason}` : ''}`);
}

function reportMissing(missing: Missing): void {
  for (const [part, reason] of Object.entries(missing)) say(`SKIPPED ${part}: ${reason}`);
}

async function dryRun(): Promise<boolean> {
  // Also if somebody commits in between.
  process.env['SOURCE_DATE_EPOCH'] ??= sourceDate();
  const missing = await buildRelease(OUTPUT);
  say('Building everything again, to compare.');
  await buildRelease(AGAIN);
  const different = differences(OUTPUT, AGAIN);
  rmSync(AGAIN, { recursive: true });
  say('');
  const same = filesOf(OUTPUT).length - different.length;
  const results = [
    report(same > 0, `${same} of ${filesOf(OUTPUT).length} files are the same in two builds`),
    ...different.map(reportDifference),
    ...(await verifyRelease(OUTPUT)).map(([claim, holds]) => report(holds, claim)),
  ];
  reportMissing(missing);
  say(`\n${OUTPUT}:\n${readChecksums(OUTPUT)}`);
  return results.every(Boolean);
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
if (values['dry-run']) {
  process.exitCode = (await dryRun()) ? 0 : 1;
} else {
  reportMissing(await buildRelease(OUTPUT));
  say(readChecksums(OUTPUT));
}

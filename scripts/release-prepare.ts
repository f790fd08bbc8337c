/**
 * Prepares a release: `node scripts/release-prepare.ts 0.2.0`. It writes the version into package.json and package-lock.json,
 * dates the changes of the changelog, and generates every file that names the version. It commits nothing.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { datedChangelog, withVersion } from './release/prepared.ts';

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/u.test(version)) throw new Error('Give a version, such as VERSION=0.2.0.');
const today = new Date().toISOString().slice(0, 10);
rewrite('package.json', (text) => withVersion(text, version));
rewrite('package-lock.json', (text) => withVersion(text, version));
rewrite('CHANGELOG.md', (text) => datedChangelog(text, version, today));
const { status } = spawnSync('npm', ['run', '--silent', 'docs'], { stdio: 'inherit' });
process.stdout.write(`Prepared ${version}. docs/releasing.md says what is next.\n`);
process.exitCode = status === 0 ? 0 : 1;

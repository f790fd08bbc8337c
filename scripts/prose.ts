/**
 * Checks the words of the documentation with Vale: `node scripts/prose.ts`. The rules are in `.vale/Plain`. Without Vale,
 * which `make tools` builds, it says so and counts as skipped.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { ensureTool } from './tools/tool.ts';

/** The exit status that `scripts/check.ts` counts as skipped. */
const SKIPPED = 77;
const PAGES = ['*.md', 'docs/**/*.md'];

const vale = ensureTool('vale');
if (vale === undefined) {
  process.stderr.write('Vale cannot be built without Go: the prose is not checked.\n');
  process.exitCode = SKIPPED;
} else {
  const pages = globSync(PAGES);
  const { status } = spawnSync(vale, ['--no-global', '--output=line', ...pages], { stdio: 'inherit' });
  process.exitCode = status === 0 ? 0 : 1;
}

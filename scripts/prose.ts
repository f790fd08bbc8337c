/**
 * Checks the words of the documentation with Vale: `node scripts/prose.ts`. The rules are in `.vale/Plain`. Without Vale,
 * which `make tools` builds, it says so and does not fail.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { ensureTool } from './tools/tool.ts';

const PAGES = ['*.md', 'docs/**/*.md'];
/** Not rewritten yet: most of their text is in the schema of the configuration and in the chart. */
const EXCEPT = ['docs/configuration.md', 'docs/kubernetes.md'];

const vale = ensureTool('vale');
if (vale === undefined) {
  process.stderr.write('Vale cannot be built; Go is needed for it. The prose is not checked.\n');
} else {
  const pages = globSync(PAGES, { exclude: EXCEPT });
  const { status } = spawnSync(vale, ['--no-global', '--output=line', ...pages], { stdio: 'inherit' });
  process.exitCode = status === 0 ? 0 : 1;
}

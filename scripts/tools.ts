/**
 * Gets the tools of the checks and tests: `node scripts/tools.ts`. What is not on the path is built into `.tools/bin` with
 * the Go toolchain. Without Go, it says what is skipped and does not fail.
 */
import { ensureTool } from './tools/tool.ts';

const USES = {
  helm: 'the tests of the charts',
  kubeconform: 'the validation of the manifests',
  vale: 'the check of the prose',
} as const;

for (const name of ['helm', 'kubeconform', 'vale'] as const) {
  if (ensureTool(name) === undefined) {
    process.stderr.write(`${name} cannot be built; Go is needed for it. SKIPPED: ${USES[name]}.\n`);
  }
}

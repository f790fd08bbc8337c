/**
 * Sees to it that the tools of the chart's tests are there: `node scripts/tools.ts`. What is not on the path is built into
 * `.tools/bin` with the Go toolchain. Without Go, it says so and does not fail: the tests that need a tool are skipped.
 */
import { ensureTool } from './tools/tool.ts';

const missing = (['helm', 'kubeconform'] as const).filter((name) => ensureTool(name) === undefined);
if (missing.length > 0) {
  process.stderr.write(
    `${missing.join(' and ')} cannot be had without Go: the tests of the charts are SKIPPED.\n`,
  );
}

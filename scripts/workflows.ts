/**
 * Checks the workflows of GitHub with actionlint and zizmor: `node scripts/workflows.ts`. It names a tool that cannot be
 * installed here, and does not fail because of it. zizmor works offline.
 */
import { spawnSync } from 'node:child_process';
import { ensureTool, type ToolName } from './tools/tool.ts';

interface Check {
  readonly tool: ToolName;
  readonly arguments: readonly string[];
}

const CHECKS: readonly Check[] = [
  // The lines of shell are single commands; shellcheck and pyflakes may differ from machine to machine.
  { tool: 'actionlint', arguments: ['-shellcheck=', '-pyflakes='] },
  { tool: 'zizmor', arguments: ['--offline', '--quiet', '--persona=pedantic', '--no-progress', '.github'] },
];

function passes({ tool, arguments: options }: Check): boolean {
  const program = ensureTool(tool);
  if (program === undefined) {
    process.stderr.write(`${tool} cannot be installed here. The workflows are not checked with it.\n`);
    return true;
  }
  return spawnSync(program, options, { stdio: 'inherit' }).status === 0;
}

const isRight = CHECKS.map(passes).every(Boolean);
process.exitCode = isRight ? 0 : 1;

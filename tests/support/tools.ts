import { describe } from '@jest/globals';
import { findTool, type ToolName } from '../../scripts/tools/tool.ts';

/** A program of another project. */
export interface Needed {
  /** Describes tests that need it. If it is not installed, they count as skipped. */
  readonly describe: typeof describe.skip;
  /** Its path; empty if it is not installed, which only skipped tests get to see. */
  readonly program: string;
}

/** @param found its path; undefined if it is not installed, which a line then says */
export function needed(name: string, found: string | undefined): Needed {
  if (found !== undefined) return { describe, program: found };
  process.stderr.write(`${name} is not installed (make tools): the tests with it are SKIPPED.\n`);
  return { describe: describe.skip, program: '' };
}

/** A tool that `make tools` gets. */
export function neededTool(name: ToolName): Needed {
  return needed(name, findTool(name));
}

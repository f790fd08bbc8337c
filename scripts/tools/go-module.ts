import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import * as z from 'zod';

const download = z.object({ Dir: z.string() });

/**
 * The folder that the Go toolchain downloads a module into.
 *
 * @param module with its version, such as `sigs.k8s.io/gateway-api@v1.6.2`
 */
export function moduleFolder(module: string): string {
  // Outside the project, whose folder may lie in a Go module of its own.
  const options = { cwd: tmpdir(), encoding: 'utf8' } as const;
  return download.parse(JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], options))).Dir;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A line as `sha256sum` writes and checks it. */
export function checksumLine(folder: string, file: string): string {
  const digest = createHash('sha256')
    .update(readFileSync(path.join(folder, file)))
    .digest('hex');
  return `${digest}  ${file}\n`;
}

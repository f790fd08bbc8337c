import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** `src/version.ts`: the version, known also where no package.json is beside the program. */
export function versionModule(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  return `/** The version in \`package.json\`. */\nexport const VERSION = '${version}';\n`;
}

/**
 * Lets everyone read what is in folders, and execute what its owner may: `node scripts/readable.ts FOLDER…`. The image may
 * be built with any umask, and the service runs as another user.
 */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const READ = 0o444;
const EXECUTE = 0o111;

for (const folder of process.argv.slice(2)) {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of [folder, ...inside.map((name) => path.join(folder, name))]) {
    const { mode } = statSync(file);
    chmodSync(file, mode | READ | (mode & EXECUTE ? EXECUTE : 0));
  }
}

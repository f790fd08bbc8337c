import { globSync, statSync } from 'node:fs';
import path from 'node:path';

/** The program as it is shipped. `make test` builds it before the tests run. */
export const PROGRAM = path.resolve('dist/main.js');

const built = statSync(PROGRAM, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (globSync('src/**/*.ts').some((file) => statSync(file).mtimeMs > built)) {
  throw new Error('dist/ is older than src/, and this test starts what is in it. Run `npm run emit` first.');
}

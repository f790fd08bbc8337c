import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import lodash from 'lodash';

const root = lodash.once((): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-chart-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
});

/** A new folder, which is removed with the process. */
export function temporaryFolder(): string {
  const folder = path.join(root(), lodash.uniqueId('folder-'));
  mkdirSync(folder);
  return folder;
}

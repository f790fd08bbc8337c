import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import lodash from 'lodash';

const root = mkdtempSync(path.join(tmpdir(), 'authz-jsonmasking-chart-'));

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A new folder, which is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = path.join(root, lodash.uniqueId('folder-'));
  mkdirSync(folder);
  return folder;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(path.join(tmpdir(), 'readable-'));

afterAll(() => rmSync(folder, { recursive: true }));

function modeOf(name: string): string {
  return (statSync(path.join(folder, name)).mode % 0o1000).toString(8);
}

test('what a strict umask left can be read by everyone, and written by nobody else', () => {
  const inner = path.join(folder, 'inner');
  mkdirSync(inner);
  for (const [name, mode] of [
    ['text', 0o600],
    ['program', 0o700],
  ] as const) {
    writeFileSync(path.join(inner, name), '');
    chmodSync(path.join(inner, name), mode);
  }
  chmodSync(inner, 0o700);
  execFileSync(process.execPath, ['scripts/readable.ts', folder]);
  const names = ['.', 'inner', 'inner/text', 'inner/program'];
  expect(names.map(modeOf)).toEqual(['755', '755', '644', '755']);
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildPage, PAGE_FILES } from '../../../scripts/playground/build.ts';
import { readPage } from '../../../src/places/playground/index.ts';

const MAX_BYTES = 150 * 1024;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'playground-'));
  await buildPage(folder);
});

afterAll(() => rm(folder, { recursive: true }));

describe('the page of the playground', () => {
  test('has at most 150 KB when compressed, the examples included', async () => {
    const files = await Promise.all(PAGE_FILES.map((file) => readFile(path.join(folder, file))));
    const sizes = files.map((content) => gzipSync(content, { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('has neither script nor style inline', async () => {
    const html = await readFile(path.join(folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/iu);
    expect(html).not.toMatch(/https?:/u);
  });

  test('is read into memory as it was built', async () => {
    const page = readPage(folder);
    expect([...(page?.files.keys() ?? [])]).toEqual(['/', '/page.js', '/page.css']);
    expect(page?.examples).toBe(await readFile(path.join(folder, 'examples.json'), 'utf8'));
  });

  test('is not there before it is built', () => {
    expect(readPage(path.join(folder, 'nothing'))).toBeUndefined();
  });
});

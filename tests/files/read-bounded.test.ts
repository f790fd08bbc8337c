import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readBounded, readRegular } from '../../src/files/read-bounded.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const DESCRIPTORS = '/proc/self/fd';

/** What the descriptors of this process lead to. */
function openFiles(): readonly string[] {
  return readdirSync(DESCRIPTORS).map(targetOf);
}

/** Empty for that of the folder itself, which is closed again. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(path.join(DESCRIPTORS, descriptor));
  } catch {
    return '';
  }
}

/** The buffers that the calls of a mocked function gave. */
function buffersOf({ results }: { readonly results: readonly { readonly value: unknown }[] }) {
  return results.map(({ value }) => value).filter((value) => Buffer.isBuffer(value));
}

describe.each([
  ['readBounded', readBounded],
  ['readRegular', readRegular],
])('%s', (_, read) => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'read-'));
    file = path.join(folder, 'file');
    await writeFile(file, 'a secret');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  test('reads as many bytes as it may, and no more', async () => {
    await truncate(file, MAX_BYTES);
    expect(read(file)).toHaveLength(MAX_BYTES);
    await truncate(file, MAX_BYTES + 1);
    expect(() => read(file)).toThrow('More than 64 MB');
  });

  test('leaves no file open, not even one that it refuses', async () => {
    expect(String(read(file))).toBe('a secret');
    await truncate(file, MAX_BYTES + 1);
    expect(() => read(file)).toThrow('More than 64 MB');
    expect(openFiles()).not.toContain(file);
  });

  test('leaves nothing in memory apart from what it gives', () => {
    const chunks = jest.spyOn(Buffer, 'allocUnsafeSlow');
    const bytes = read(file);
    const texts = buffersOf(chunks.mock).map((chunk) => String(chunk.subarray(0, bytes.length)));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts).not.toContain('a secret');
    expect(String(bytes)).toBe('a secret');
  });
});

import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { inputsFrom, readWhole } from '../../../src/places/command-line/inputs.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { fileWith } from '../../support/folder.ts';

afterEach(closeAll);

const TEXT = '{"id":1}'.repeat(20_000);

/** What comes of reading a file as a whole. */
async function reading(file: string, limit: number): Promise<string> {
  const [input] = inputsFrom([file], () => Readable.from([]));
  return input === undefined ? '' : (await readWhole(input, limit)).toString();
}

function openFiles(): number {
  return readdirSync('/dev/fd').length;
}

test('a file is closed once it is read, and once it is too long to be', async () => {
  const file = await fileWith(TEXT);
  const before = openFiles();
  expect(await reading(file, TEXT.length)).toBe(TEXT);
  await expect(reading(file, TEXT.length - 1)).rejects.toThrow('(maxBody)');
  expect(openFiles()).toBe(before);
});

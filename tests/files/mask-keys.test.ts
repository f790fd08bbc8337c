import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MaskKeysError, openMaskKeys, type MaskKeyFiles } from '../../src/files/mask-keys.ts';
import { eventually } from '../support/eventually.ts';
import { NO_FILES } from '../support/no-files.ts';

const FIRST = Buffer.alloc(32, 1);
const SECOND = Buffer.alloc(33, 2);

describe('the keys of hashes', () => {
  let folder: string;
  let keys: MaskKeyFiles | undefined;
  let changes: string[];

  const at = (name: string): string => path.join(folder, name);
  const open = async (...names: readonly string[]): Promise<MaskKeyFiles> => {
    const paths = Object.fromEntries(names.map((name) => [name, { file: at(name) }]));
    keys = await openMaskKeys(
      paths,
      (name, problem) => changes.push(`${name}: ${problem ?? 'reloaded'}`),
      10,
    );
    return keys;
  };
  const problemsOf = (...names: readonly string[]): Promise<unknown> =>
    open(...names).catch((error: unknown) => (error instanceof MaskKeysError ? error.problems : error));
  const current = (name: string): Buffer | undefined => keys?.get(name)?.current.export();

  beforeEach(async () => {
    changes = [];
    folder = await mkdtemp(path.join(tmpdir(), 'keys-'));
    await writeFile(at('good'), FIRST);
    await writeFile(at('short'), FIRST.subarray(1));
  });
  afterEach(async () => {
    keys?.close();
    keys = undefined;
    await rm(folder, { recursive: true });
  });

  it('are all bytes of their files', async () => {
    await open('good');
    expect(current('good')).toEqual(FIRST);
    expect(keys?.get('other')).toBeUndefined();
  });

  it('are refused if one has fewer than 32 bytes or cannot be read, all of them at once', async () => {
    expect(await problemsOf('good', 'short', 'missing')).toEqual([
      { name: 'short', message: `names ${at('short')}, which has 31 bytes: a key has at least 32` },
      { name: 'missing', message: `names ${at('missing')}, which cannot be read: it does not exist` },
    ]);
  });

  it('are read again when their files change, for those that hold them already', async () => {
    const held = (await open('good')).get('good');
    await writeFile(at('good'), SECOND);
    await eventually(() => changes.length > 0);
    expect(held?.current.export()).toEqual(SECOND);
    expect([current('good'), changes]).toEqual([SECOND, ['good: reloaded']]);
  });

  it('are not read at first while their files are being written', async () => {
    await writeFile(at('good'), FIRST);
    const opening = open('good');
    await writeFile(at('good'), SECOND);
    await opening;
    expect(current('good')).toEqual(SECOND);
  });

  it('are let go of, without those who hold them too', async () => {
    const closed = await open('good');
    closed.close();
    let seen = 0;
    keys = await openMaskKeys({ good: { file: at('good') } }, () => void seen++, 10);
    await writeFile(at('good'), SECOND);
    await eventually(() => seen > 0);
    await writeFile(at('good'), FIRST);
    await eventually(() => seen > 1);
    expect([closed.get('good')?.current.export(), changes]).toEqual([FIRST, []]);
  });

  it('have no copy in memory that nobody needs', async () => {
    const read = jest.spyOn(Buffer, 'concat');
    await open('good');
    const copies = read.mock.results.map(({ value }) => value);
    read.mockRestore();
    expect(copies).toContainEqual(Buffer.alloc(FIRST.length));
    expect(copies).not.toContainEqual(FIRST);
  });

  it('stay as they are if the new file cannot be used', async () => {
    await open('good');
    await writeFile(at('good'), 'short');
    await eventually(() => changes.some((change) => change.includes('a key has at least 32')));
    expect(current('good')).toEqual(FIRST);
  });

  it.each(NO_FILES)('stay as they are if %s takes the place of the file', async (_, replace, reason) => {
    await open('good');
    await rm(at('good'));
    replace(at('good'));
    await eventually(() => changes.some((change) => change.includes(reason)));
    expect(current('good')).toEqual(FIRST);
  });
});

import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MaskKeysError, openMaskKeys, type MaskKeyFiles } from '../../src/files/mask-keys.ts';
import { eventually } from '../support/eventually.ts';

const FIRST = Buffer.alloc(32, 1);
const SECOND = Buffer.alloc(33, 2);

describe('the keys of hashes', () => {
  let folder: string;
  let keys: MaskKeyFiles | undefined;
  let changes: string[];

  const at = (name: string): string => path.join(folder, name);
  const open = (...names: readonly string[]): MaskKeyFiles => {
    const paths = Object.fromEntries(names.map((name) => [name, { file: at(name) }]));
    keys = openMaskKeys(paths, (name, problem) => changes.push(`${name}: ${problem ?? 'reloaded'}`), 10);
    return keys;
  };
  const problemsOf = (...names: readonly string[]): unknown => {
    try {
      return open(...names);
    } catch (error) {
      return error instanceof MaskKeysError ? error.problems : error;
    }
  };
  /** Writes a file that nobody has touched for a while, at another time than before. */
  const replace = async (name: string, content: Buffer | string): Promise<void> => {
    await writeFile(at(name), content);
    written -= 1;
    await utimes(at(name), written, written);
  };
  let written = Date.now() / 1000 - 1000;
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

  it('are all bytes of their files', () => {
    open('good');
    expect(current('good')).toEqual(FIRST);
    expect(keys?.get('other')).toBeUndefined();
  });

  it('are refused if one has fewer than 32 bytes or cannot be read, all of them at once', () => {
    expect(problemsOf('good', 'short', 'missing')).toEqual([
      { name: 'short', message: `names ${at('short')}, which has 31 bytes: a key has at least 32` },
      { name: 'missing', message: `names ${at('missing')}, which cannot be read: it does not exist` },
    ]);
  });

  it('are read again when their files change, for those that hold them already', async () => {
    const held = open('good').get('good');
    await eventually(async () => {
      await replace('good', SECOND);
      return held?.current.equals(held.current) === true && current('good')?.equals(SECOND) === true;
    });
    expect(held?.current.export()).toEqual(SECOND);
    expect(changes).toContain('good: reloaded');
  });

  it('are not read while their files are being written', async () => {
    const now = Date.now();
    open('good');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    await writeFile(at('good'), SECOND.subarray(0, 32));
    await utimes(at('good'), now / 1000, now / 1000);
    await wait(500);
    expect([current('good'), changes]).toEqual([FIRST, []]);
    clock.mockRestore();
    await eventually(async () => {
      await replace('good', SECOND);
      return current('good')?.equals(SECOND) === true;
    });
    expect(changes).toContain('good: reloaded');
  });

  it('stay as they are if the new file cannot be used', async () => {
    open('good');
    await eventually(async () => {
      await replace('good', `short ${changes.length}`);
      return changes.some((change) => change.includes('a key has at least 32'));
    });
    expect(current('good')).toEqual(FIRST);
  });
});

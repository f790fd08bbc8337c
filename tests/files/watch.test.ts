import { utimesSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { watchFiles, watchSettledFiles, type FileWatch } from '../../src/files/watch.ts';
import { eventually } from '../support/eventually.ts';

describe('watched files', () => {
  let folder: string;
  let watch: FileWatch;
  let changes: number;

  const at = (name: string): string => path.join(folder, name);
  const watchPaths = (...names: readonly string[]): void => {
    watch = watchFiles(names.map(at), () => changes++, 10);
  };

  beforeEach(async () => {
    changes = 0;
    folder = await mkdtemp(path.join(tmpdir(), 'watch-'));
    await Promise.all([writeFile(at('one'), 'first'), writeFile(at('other'), 'first')]);
  });
  afterEach(async () => {
    watch.close();
    await rm(folder, { recursive: true });
  });

  /** Does something until it is seen, and counts: the first look at a file may come after it. */
  const seenAfter = async (change: (attempt: number) => Promise<void>): Promise<number> => {
    const before = changes;
    let attempt = 0;
    await eventually(async () => {
      await change(attempt++);
      return changes > before;
    });
    return changes - before;
  };
  const write = (name: string) => (attempt: number) => writeFile(at(name), `text ${attempt}`);

  it('are seen to change when one of them is written', async () => {
    watchPaths('one', 'other');
    expect(await seenAfter(write('other'))).toBeGreaterThan(0);
  });

  it('are seen to change when another file takes the place of one', async () => {
    watchPaths('one');
    const seen = await seenAfter(async () => {
      await writeFile(at('new'), 'first');
      await rename(at('new'), at('one'));
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('are seen to change when a symbolic link on the way leads elsewhere, as secrets of Kubernetes do', async () => {
    await symlink('one', at('link'));
    watchPaths('link');
    const seen = await seenAfter(async (attempt) => {
      await symlink(attempt % 2 === 0 ? 'other' : 'one', at('next'));
      await rename(at('next'), at('link'));
    });
    expect(seen).toBeGreaterThan(0);
  });

  it('are seen to change again and again', async () => {
    watchPaths('one');
    expect(await seenAfter(write('one'))).toBeGreaterThan(0);
    expect(await seenAfter(write('one'))).toBeGreaterThan(0);
  });

  it('are let go of, without those who watch them too', async () => {
    watchPaths('one');
    watch.close();
    let seen = 0;
    watch = watchFiles([at('one')], () => seen++, 10);
    await eventually(async () => {
      await writeFile(at('one'), `text ${seen} ${Date.now()}`);
      return seen > 0;
    });
    expect(changes).toBe(0);
  });

  it('are not read while they are being written, even if their time is ahead a little', async () => {
    const settled = watchSettledFiles([at('one')], () => changes++, 10_000);
    watch = settled;
    const ahead = (Date.now() + 100) / 1000;
    utimesSync(at('one'), ahead, ahead);
    settled.look();
    expect(changes).toBe(0);
    await eventually(() => changes === 1);
  });

  it('are not read however long they are being written', () => {
    jest.useFakeTimers();
    const settled = watchSettledFiles([at('one')], () => changes++, 10_000);
    watch = settled;
    for (let times = 0; times < 100; times++) {
      utimesSync(at('one'), Date.now() / 1000, Date.now() / 1000);
      if (times === 0) settled.look();
      jest.advanceTimersByTime(200);
    }
    const whileWritten = changes;
    jest.advanceTimersByTime(1000);
    jest.useRealTimers();
    expect([whileWritten, changes]).toEqual([0, 1]);
  });
});

import { execFile } from 'node:child_process';
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { lookAt, untilQuiet, whenQuiet, type Sight } from '../../src/files/quiet.ts';
import { watchFiles, type FileWatch } from '../../src/files/watch.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { fileWith } from '../support/folder.ts';
import { NO_FILES } from '../support/no-files.ts';

describe('watched files', () => {
  let folder: string;
  let watch: FileWatch;
  let changes: number;

  const at = (name: string): string => path.join(folder, name);
  const watchPaths = async (...names: readonly string[]): Promise<void> => {
    const paths = names.map(at);
    watch = watchFiles(paths, () => void changes++, { interval: 10, seen: await lookAt(paths) });
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

  it('are seen to change when one of them is written, again and again', async () => {
    await watchPaths('one', 'other');
    await writeFile(at('other'), 'second');
    await eventually(() => changes > 0);
    await writeFile(at('one'), 'second');
    await eventually(() => changes > 1);
    expect(changes).toBe(2);
  });

  it('are seen to change when another file takes the place of one', async () => {
    await watchPaths('one');
    await writeFile(at('new'), 'first');
    await rename(at('new'), at('one'));
    await eventually(() => changes > 0);
    expect(changes).toBe(1);
  });

  it('are seen to change when a symbolic link on the way leads elsewhere, as secrets of Kubernetes do', async () => {
    await symlink('one', at('link'));
    await watchPaths('link');
    await symlink('other', at('next'));
    await rename(at('next'), at('link'));
    await eventually(() => changes > 0);
    expect(changes).toBe(1);
  });

  it('are let go of, without those who watch them too', async () => {
    await watchPaths('one');
    watch.close();
    let seen = 0;
    watch = watchFiles([at('one')], () => void seen++, { interval: 10, seen: await lookAt([at('one')]) });
    await writeFile(at('one'), 'second');
    await eventually(() => seen > 0);
    expect(changes).toBe(0);
  });

  it('are read once no more is written, and not before', async () => {
    const texts: string[] = [];
    const seen = await lookAt([at('one')]);
    const read = async (): Promise<void> => void texts.push(await readFile(at('one'), 'utf8'));
    watch = watchFiles([at('one')], read, { interval: 10, seen });
    // Another process, because this one looks at the file in the meantime.
    await promisify(execFile)(process.execPath, ['-e', WRITER, at('one'), String(60_000)]);
    await eventually(() => texts.length > 0);
    expect(texts).toEqual(['piece '.repeat(PIECES)]);
  });

  it.each(NO_FILES)('do not end the process when %s takes their place', async (_, replace) => {
    await watchPaths('one');
    rmSync(at('one'));
    replace(at('one'));
    await eventually(() => changes === 1);
    rmSync(at('one'), { recursive: true, force: true });
    writeFileSync(at('one'), 'second');
    await eventually(() => changes > 1);
    expect(changes).toBe(2);
  });
});

test('a file is seen to change whose text is as long as before, and that is given its old time', async () => {
  const file = await fileWith('first');
  utimesSync(file, 1, 1);
  const before = await lookAt([file]);
  const { ctimeMs } = statSync(file);
  // The clock of a file system may be slower than this test.
  await eventually(() => {
    writeFileSync(file, 'other');
    utimesSync(file, 1, 1);
    return statSync(file).ctimeMs !== ctimeMs;
  });
  const after = await lookAt([file]);
  expect(after.state).not.toBe(before.state);
});

test('a file is as new as its content or its place, whichever is newer', async () => {
  const file = await fileWith('text');
  utimesSync(file, 0, 0);
  const { changedAt: whenMoved } = await lookAt([file]);
  const ahead = Math.ceil(Date.now() / 1000) + 3600;
  utimesSync(file, ahead, ahead);
  const { changedAt: whenWritten } = await lookAt([file, '/nowhere']);
  expect(whenMoved).toBeGreaterThan(0);
  expect(whenWritten).toBe(ahead * 1000);
});

test('an error on a change is not lost', async () => {
  const source = pathToFileURL(path.resolve('src/files/watch.ts')).href;
  const program = `
    import { watchFiles } from '${source}';
    watchFiles(['/nowhere'], () => { throw new Error('a fault'); }, { seen: 'changed', keepsRunning: true });
  `;
  const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  await expect(ended).rejects.toThrow('a fault');
});

test('nothing is called back that is let go of during the last look', async () => {
  let looks = 0;
  let changes = 0;
  const { stat } = process.getBuiltinModule('node:fs/promises');
  const spy = jest.spyOn(process.getBuiltinModule('node:fs/promises'), 'stat');
  spy.mockImplementation((...args) => {
    if (++looks === 2) watch.close();
    return stat(...args);
  });
  const watch = watchFiles(['/nowhere'], () => void changes++, { seen: 'changed' });
  await eventually(() => looks === 2);
  await Promise.allSettled(spy.mock.results.map(({ value }) => value));
  await setImmediate();
  spy.mockRestore();
  expect(changes).toBe(0);
});

test.each(NO_FILES)('%s is not being written, whenever it was made', async (_, make) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'watch-'));
  const place = path.join(folder, 'place');
  make(place);
  const { changedAt } = await lookAt([place]);
  await rm(folder, { recursive: true });
  expect(changedAt).toBe(0);
});

test.each([
  [false, 0],
  [true, 1],
])('files that are watched keep the process running if asked: %s', (keepsRunning, timers) => {
  const before = waitedFor();
  const watch = watchFiles(['/nowhere'], () => undefined, { seen: NOTHING, keepsRunning });
  const after = waitedFor();
  watch.close();
  expect(after - before).toBe(timers);
});

const NOTHING = { state: 'unseen', changedAt: 0 };

/** How many timers keep this process running. */
function waitedFor(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

const PIECES = 100;

/** Writes pieces for longer than a file has to be left alone, with the time of a clock that is so many seconds ahead. */
const WRITER = `
  const { openSync, writeSync, futimesSync } = require('node:fs');
  const [, file, ahead] = process.argv;
  const descriptor = openSync(file, 'w');
  let pieces = 0;
  const timer = setInterval(() => {
    writeSync(descriptor, 'piece ');
    const time = Date.now() / 1000 + Number(ahead);
    futimesSync(descriptor, time, time);
    if (++pieces === ${PIECES}) clearInterval(timer);
  }, 5);
`;

/** When parts of a text are written, with pauses that are shorter than the rest that a file needs; of another machine's clock. */
const course = fc.record({
  start: fc.nat(1000),
  pauses: fc.array(fc.nat(249), { maxLength: 30 }),
  offset: fc.integer({ min: -100_000, max: 100_000 }),
  /** Timers are late as they please, and never early. */
  delays: fc.infiniteStream(fc.nat(20)),
});

test('the wait for a file ends when its last part is written, whatever its times say', async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ start, pauses, offset, delays }) => {
      const times = [start];
      for (const length of pauses) times.push((times.at(-1) ?? 0) + length);
      let now = start;
      const look = (): Promise<Sight> => {
        const written = times.filter((time) => time <= now);
        const changedAt = (written.at(-1) ?? 0) + offset;
        return Promise.resolve({ state: `${written.length} ${changedAt}`, changedAt });
      };
      const pause = (milliseconds: number): Promise<void> => {
        now += milliseconds + (delays.next().value ?? 0);
        return Promise.resolve();
      };
      const last = await untilQuiet(await look(), { paths: [], look, pause });
      expect(last.state.split(' ')[0]).toBe(String(times.length));
    }),
  );
});

test.each([
  [9_700, 0],
  [10_000, 1],
  [40_000, 1],
])('who waits for a file for %i ms is warned %i time(s)', async (length, times) => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let now = 0;
  const look = (): Promise<Sight> => {
    const state = String(Math.min(now, length));
    return Promise.resolve({ state, changedAt: 0 });
  };
  const pause = (milliseconds: number): Promise<void> => {
    now += milliseconds;
    return Promise.resolve();
  };
  await untilQuiet(await look(), { paths: ['/etc/p.yaml', '/etc/keys.json'], look, pause });
  expect(warn.mock.calls).toEqual(Array.from({ length: times }, () => LONG_WAIT));
  warn.mockRestore();
});

const LONG_WAIT = [
  'Something has been writing to /etc/p.yaml, /etc/keys.json for 10 seconds. It is read once nothing has for 250 ms.',
  'FileWarning',
];

/** How the clock of a file system may differ from that of this machine, in milliseconds. */
const CLOCKS = [0, 60_000, 3_600_000];

afterEach(closeAll);

test.each(CLOCKS)(
  'at the start, a file is waited for that is written now, by a clock that is %i ms ahead',
  async (ahead) => {
    const file = await fileWith('');
    const start = Date.now();
    const write = (text: string): void => {
      writeFileSync(file, text);
      const time = (start + ahead) / 1000;
      utimesSync(file, time, time);
    };
    // However slow this machine is, the first look comes at once, and the writer right after it.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
    const { stat } = process.getBuiltinModule('node:fs/promises');
    const looks = jest.spyOn(process.getBuiltinModule('node:fs/promises'), 'stat');
    looks.mockImplementationOnce(async (...args) => {
      const half = await stat(...args);
      write('the whole');
      return half;
    });
    write('half');
    const seen = await whenQuiet([file]);
    looks.mockRestore();
    clock.mockRestore();
    expect(seen).toEqual(await lookAt([file]));
  },
);

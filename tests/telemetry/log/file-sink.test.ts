import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openFileSink } from '../../../src/telemetry/log/file-sink.ts';
import { MAX_PENDING_BYTES } from '../../../src/telemetry/log/sink.ts';

const SINK_MODULE = pathToFileURL(path.resolve('src', 'telemetry', 'log', 'file-sink.ts')).href;

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'log-'));
  file = path.join(folder, 'service.log');
});

afterEach(() => rm(folder, { recursive: true }));

/** A file on a disk with so much space left; more comes free by `free`. */
function fileOnFullDisk(space: number) {
  const disk = { space, content: '' };
  const append = async (batch: Buffer, offset: number) => {
    const bytesWritten = Math.min(disk.space, batch.length - offset);
    if (bytesWritten === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    disk.space -= bytesWritten;
    disk.content += batch.toString('utf8', offset, offset + bytesWritten);
    return { bytesWritten };
  };
  return { disk, file: { fd: -1, write: append, close: async () => undefined } };
}

/** Resolves when everything that began before is over. */
async function settled(): Promise<void> {
  await new Promise(setImmediate);
}

describe('openFileSink', () => {
  test('appends to what is there', async () => {
    const first = await openFileSink(file);
    first.write('one');
    first.write('two');
    await first.close();
    const second = await openFileSink(file);
    second.write('three');
    await second.close();
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('creates a file that the world cannot read', async () => {
    const before = process.umask(0);
    const sink = await openFileSink(file).finally(() => process.umask(before));
    await sink.close();
    const { mode } = await stat(file);
    expect(mode & 0o777).toBe(0o640);
  });

  test('throws if the file cannot be created', async () => {
    await expect(openFileSink(path.join(folder, 'nowhere', 'service.log'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  test('writes all that was taken before it is closed, and loses what comes later', async () => {
    const sink = await openFileSink(file);
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`);
    for (const line of lines) sink.write(line);
    await sink.close();
    sink.write('too late');
    expect((await readFile(file, 'utf8')).split('\n')).toEqual([...lines, '']);
    expect(sink.lost).toBe(1);
  });

  test('continues in a new file without losing a line', async () => {
    const sink = await openFileSink(file);
    sink.write('one');
    sink.write('two');
    await rename(file, `${file}.1`);
    const reopened = sink.reopen();
    sink.write('three');
    await reopened;
    sink.write('four');
    await sink.close();
    const logs = await Promise.all([`${file}.1`, file].map((name) => readFile(name, 'utf8')));
    expect(logs.join('')).toBe('one\ntwo\nthree\nfour\n');
    expect(logs[1]).toContain('four');
  });

  test('keeps the old file if a new one cannot be created', async () => {
    const sink = await openFileSink(file);
    await rename(folder, `${folder}.moved`);
    await expect(sink.reopen()).rejects.toMatchObject({ code: 'ENOENT' });
    sink.write('one');
    await sink.close();
    await rename(`${folder}.moved`, folder);
    expect(await readFile(file, 'utf8')).toBe('one\n');
  });

  test('counts what a full disk loses, and continues when space is free again', async () => {
    const { disk, file: opened } = fileOnFullDisk(0);
    const sink = await openFileSink(file, async () => opened);
    sink.write('one');
    await settled();
    sink.write('two');
    await settled();
    expect(sink.lost).toBe(2);
    disk.space = 100;
    sink.write('three');
    await sink.close();
    expect(disk.content).toBe('three\n');
    expect(sink.lost).toBe(2);
  });

  test('begins on a new line after a line that a full disk cut off', async () => {
    const { disk, file: opened } = fileOnFullDisk(6);
    const sink = await openFileSink(file, async () => opened);
    sink.write('one');
    sink.write('two');
    sink.write('three');
    await settled();
    expect([disk.content, sink.lost]).toEqual(['one\ntw', 2]);
    sink.write('four');
    await settled();
    expect([disk.content, sink.lost]).toEqual(['one\ntw', 3]);
    disk.space = 100;
    sink.write('five');
    await sink.close();
    expect([disk.content, sink.lost]).toEqual(['one\ntw\nfive\n', 3]);
  });
});

/** A file that takes what is written when it is let, as long as there is space. */
function slowFile(space = Infinity) {
  const events: string[] = [];
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  let left = space;
  const write = async (batch: Buffer, offset: number) => {
    await allowed;
    await settled();
    const bytesWritten = Math.min(left, batch.length - offset);
    left -= bytesWritten;
    if (bytesWritten > 0) events.push(`written: ${batch.toString('utf8', offset, offset + bytesWritten)}`);
    return { bytesWritten };
  };
  return { events, allow, file: { fd: -1, write, close: async () => void events.push('closed') } };
}

/** Hands out files one after the other. */
function opening<T>(...files: readonly T[]): () => Promise<T> {
  const left = files.values();
  return async () => {
    const { value, done } = left.next();
    if (done === true) throw new Error('no more files');
    return value;
  };
}

describe('a log file that is opened again', () => {
  test('takes what was being written before it is closed', async () => {
    const [old, renewed] = [slowFile(), slowFile()];
    renewed.allow();
    const sink = await openFileSink(file, opening(old.file, renewed.file));
    sink.write('one');
    await settled();
    const reopened = sink.reopen();
    sink.write('two');
    await settled();
    expect(old.events).toEqual([]);
    old.allow();
    await reopened;
    expect(old.events).toEqual(['written: one\n', 'closed']);
    await sink.close();
    expect(renewed.events).toEqual(['written: two\n', 'closed']);
  });

  test('begins with a line, though the one before ends within one later', async () => {
    const [old, renewed] = [slowFile(2), fileOnFullDisk(100)];
    const sink = await openFileSink(
      file,
      opening<typeof old.file | typeof renewed.file>(old.file, renewed.file),
    );
    sink.write('one');
    await settled();
    const reopened = sink.reopen();
    sink.write('two');
    await settled();
    old.allow();
    await reopened;
    await sink.close();
    expect(old.events).toEqual(['written: on', 'closed']);
    expect(renewed.disk.content).toBe('two\n');
    expect(sink.lost).toBe(1);
  });

  test('is closed at once if the log is', async () => {
    const [old, renewed] = [slowFile(), slowFile()];
    const sink = await openFileSink(file, opening(old.file, renewed.file));
    await sink.close();
    await sink.reopen();
    expect([old.events, renewed.events]).toEqual([['closed'], ['closed']]);
  });

  test('begins with a line, though the one before ended within one', async () => {
    const [old, renewed] = [fileOnFullDisk(2), fileOnFullDisk(100)];
    const sink = await openFileSink(file, opening(old.file, renewed.file));
    sink.write('one');
    await settled();
    await sink.reopen();
    sink.write('two');
    await sink.close();
    expect([old.disk.content, renewed.disk.content]).toEqual(['on', 'two\n']);
  });
});

test('a log file takes more in all than may wait for it at once', async () => {
  const { disk, file: opened } = fileOnFullDisk(MAX_PENDING_BYTES * 2);
  const sink = await openFileSink(file, async () => opened);
  const line = 'x'.repeat(MAX_PENDING_BYTES / 2 + 1);
  sink.write(line);
  await settled();
  sink.write(line);
  await settled();
  sink.write(line);
  await sink.close();
  expect([sink.lost, disk.content.length]).toEqual([0, 3 * (line.length + 1)]);
});

test('a log file that takes nothing loses what is more than may wait for it', async () => {
  const { events, allow, file: opened } = slowFile();
  const sink = await openFileSink(file, async () => opened);
  sink.write('one');
  await settled();
  const line = 'x'.repeat(MAX_PENDING_BYTES / 2 + 1);
  for (const next of [line, line, 'too much']) sink.write(next);
  expect(sink.lost).toBe(1);
  allow();
  await sink.close();
  expect(events.map(({ length }) => length)).toEqual([13, 9 + 2 * (line.length + 1), 6]);
});

test('a log file that cannot be closed is done with', async () => {
  const { file: opened } = fileOnFullDisk(100);
  const broken = { ...opened, close: () => Promise.reject(new Error('the disk is gone')) };
  const sink = await openFileSink(file, async () => broken);
  await expect(sink.close()).resolves.toBeUndefined();
});

test('a log file is closed when all that waited for a write is written', async () => {
  const { events, allow, file: opened } = slowFile();
  const sink = await openFileSink(file, async () => opened);
  sink.write('one');
  await settled();
  sink.write('two');
  const closed = sink.close();
  allow();
  await closed;
  expect(events).toEqual(['written: one\n', 'written: two\n', 'closed']);
});

test('a log file has the lines of a turn in their order if the process ends in it', async () => {
  const program = `
    import { pbkdf2 } from 'node:crypto';
    import { openFileSink } from ${JSON.stringify(SINK_MODULE)};
    const sink = await openFileSink(${JSON.stringify(file)});
    pbkdf2('password', 'salt', 200_000, 64, 'sha512', () => undefined);
    for (const line of ['one', 'two', 'three']) sink.write(line);
    process.exit(3);`;
  // The only thread that writes files has something else to do.
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: 'inherit',
    env,
  });
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(await readFile(file, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('a log file that is closed does not wait for the end of the process', async () => {
  const before = process.listenerCount('exit');
  const sink = await openFileSink(file);
  expect(process.listenerCount('exit')).toBe(before + 1);
  await sink.close();
  expect(process.listenerCount('exit')).toBe(before);
});

/** Fills the pipe. @returns what is in it */
async function filled(): Promise<Buffer> {
  const { O_NONBLOCK, O_WRONLY } = constants;
  const writer = await open(file, O_NONBLOCK | O_WRONLY);
  const { bytesWritten } = await writer.write(Buffer.alloc(2 ** 21));
  await writer.close();
  return Buffer.alloc(bytesWritten);
}

describe('a pipe in the place of the log file', () => {
  const LINE = 'x'.repeat(999);

  beforeEach(() => void execFileSync('mkfifo', [file]));

  test('is refused if nobody reads it', async () => {
    await expect(openFileSink(file)).rejects.toMatchObject({ code: 'ENXIO' });
  });

  test('gets every line once its reader goes on', async () => {
    const reader = await open(file, 'r+');
    const before = await filled();
    const sink = await openFileSink(file);
    const lines = Array.from({ length: 1000 }, (_, at) => `${at} ${LINE}`);
    for (const line of lines) sink.write(line);
    const wanted = Buffer.concat([before, Buffer.from(`${lines.join('\n')}\n`)]);
    await settled();
    const got = Buffer.alloc(wanted.length);
    let length = 0;
    while (length < got.length) {
      // oxlint-disable-next-line no-await-in-loop -- as a pipe is read
      length += (await reader.read(got, length)).bytesRead;
    }
    await sink.close();
    expect(got.equals(wanted)).toBe(true);
    expect(sink.lost).toBe(0);
    await reader.close();
  });

  test('does not keep a process from ending if its reader has stopped', async () => {
    const reader = await open(file, 'r+');
    const program = `
      import { openFileSink } from ${JSON.stringify(SINK_MODULE)};
      const sink = await openFileSink(${JSON.stringify(file)});
      for (let line = 0; line < 1000; line++) sink.write(${JSON.stringify(LINE)});
      await sink.close();
      process.exit(3);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([3, null]);
    await reader.close();
  });
});

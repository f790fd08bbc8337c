import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { streamSink } from '../../../src/telemetry/log/sink.ts';

const SINK_MODULE = pathToFileURL(path.resolve('src', 'telemetry', 'log', 'sink.ts')).href;

type Done = (error?: Error) => void;

function stream(write: (chunk: string, done: Done) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => write(chunk, done),
  });
}

function fullDisk(): Error {
  return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

describe('streamSink', () => {
  test('writes a line with one line feed', async () => {
    const written: string[] = [];
    const sink = streamSink(
      stream((chunk, done) => {
        written.push(chunk);
        done();
      }),
    );
    sink.write('one');
    sink.write('two');
    await sink.close();
    expect(written.join('')).toBe('one\ntwo\n');
    expect(sink.lost).toBe(0);
  });

  test('closes when what it took is written, and leaves the stream open', async () => {
    const written: string[] = [];
    const target = stream((chunk, done) =>
      setImmediate(() => {
        written.push(chunk);
        done();
      }),
    );
    const sink = streamSink(target);
    sink.write('one');
    sink.write('two');
    await sink.close();
    expect(written.join('')).toBe('one\ntwo\n');
    expect(target.writableEnded).toBe(false);
  });

  test('closes though nobody reads what it took', async () => {
    const sink = streamSink(stream(() => undefined));
    sink.write('one');
    await expect(sink.close()).resolves.toBeUndefined();
  });

  test('loses lines rather than let those of many turns wait for a stream that takes none', async () => {
    const target = stream(() => undefined);
    const sink = streamSink(target, 100);
    for (let turn = 0; turn < 20; turn++) {
      sink.write('x'.repeat(9));
      // oxlint-disable-next-line no-await-in-loop -- a line a turn
      await nextTurn();
    }
    expect(sink.lost).toBe(9);
    expect(target.writableLength).toBe(110);
  });

  test('writes the lines of one turn at once, in their order', async () => {
    const written: string[] = [];
    const sink = streamSink(
      stream((chunk, done) => {
        written.push(chunk);
        done();
      }),
    );
    sink.write('one');
    sink.write('two');
    await nextTurn();
    sink.write('three');
    await nextTurn();
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  test('writes the last lines when the process exits at once', async () => {
    const body = `
      const { streamSink } = await import(${JSON.stringify(SINK_MODULE)});
      streamSink(process.stdout).write('last');
      process.exit(1);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', body]);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toBe('last\n');
  });

  test('counts what a full disk loses, and continues', async () => {
    const sink = streamSink(stream((_, done) => done(fullDisk())));
    sink.write('one');
    sink.write('two');
    await sink.close();
    sink.write('three');
    await sink.close();
    expect(sink.lost).toBe(3);
  });

  test('loses lines rather than let them pile up when nothing is read', () => {
    const sink = streamSink(
      stream(() => undefined),
      10,
    );
    for (let line = 0; line < 5; line += 1) sink.write('12345');
    expect(sink.lost).toBe(3);
  });

  test('takes more in all than may wait at once', async () => {
    const sink = streamSink(new PassThrough().resume(), 10);
    for (let line = 0; line < 5; line += 1) {
      sink.write('12345');
      // oxlint-disable-next-line no-await-in-loop -- each line in a turn of its own
      await nextTurn();
    }
    expect(sink.lost).toBe(0);
  });

  test('waits for nothing more once everything is written', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const sink = streamSink(new PassThrough().resume());
    await sink.close();
    const timers = set.mock.results.map(({ value }) => value);
    const over = cleared.mock.calls.map(([timer]) => timer);
    jest.restoreAllMocks();
    expect(timers).toHaveLength(1);
    expect(over).toEqual(timers);
  });

  test('may be used twice on one stream', () => {
    const target = new PassThrough();
    for (let sink = 0; sink < 20; sink += 1) streamSink(target);
    expect(target.listenerCount('error')).toBe(1);
  });
});

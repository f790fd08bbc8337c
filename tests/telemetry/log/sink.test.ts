import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { streamSink } from '../../../src/telemetry/log/sink.ts';

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
    expect(written.filter(Boolean)).toEqual(['one\n', 'two\n']);
    expect(target.writableEnded).toBe(false);
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

  test('may be used twice on one stream', () => {
    const target = new PassThrough();
    for (let sink = 0; sink < 20; sink += 1) streamSink(target);
    expect(target.listenerCount('error')).toBe(1);
  });
});

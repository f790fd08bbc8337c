import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { Output, OutputClosed } from '../../../src/places/command-line/output.ts';

/** An output that takes nothing at once, and whose stream fails for this reason. */
function failingFor(code: string) {
  const written: string[] = [];
  const write: Writable['_write'] = (chunk, _encoding, done) => {
    written.push(String(chunk));
    done(Object.assign(new Error('the stream failed'), { code }));
  };
  const output = new Output({
    writeNow: () => 0,
    open: () => new Writable({ write }),
    failure: ({ message }) => new Error(`The output cannot be written: ${message}.`),
  });
  return { output, written };
}

/** What comes of writing this text, at once. */
async function writing(output: Output, text: string): Promise<void> {
  await output.write([Buffer.from(text)]);
  await output.flush();
}

test.each([
  ['EPIPE', new OutputClosed()],
  ['ENOSPC', new Error('The output cannot be written: the stream failed.')],
])('what fails in the stream of an output ends it: %s', async (code, expected) => {
  const { output, written } = failingFor(code);
  await expect(writing(output, 'first')).rejects.toEqual(expected);
  await expect(writing(output, 'second')).rejects.toEqual(expected);
  expect(written).toEqual(['first']);
});

/** An output that takes so many bytes of each block at once. */
function taking(atOnce: number) {
  const taken: string[] = [];
  let streams = 0;
  const write: Writable['_write'] = (chunk, _encoding, done) => {
    taken.push(`by stream: ${String(chunk)}`);
    done();
  };
  const output = new Output({
    writeNow: (bytes) => {
      taken.push(`at once: ${bytes.toString('utf8', 0, atOnce)}`);
      return Math.min(atOnce, bytes.length);
    },
    open: () => {
      streams += 1;
      return new Writable({ write });
    },
    failure: (error) => error,
  });
  return { output, taken, streams: () => streams };
}

test('what an output does not take at once goes to its stream, and all that follows goes there too', async () => {
  const { output, taken, streams } = taking(2);
  await writing(output, 'first');
  await writing(output, 'second');
  expect(taken).toEqual(['at once: fi', 'by stream: rst', 'by stream: second']);
  expect(streams()).toBe(1);
});

test('an output that takes everything at once has no stream', async () => {
  const { output, taken, streams } = taking(Infinity);
  await writing(output, 'first');
  await writing(output, 'second');
  expect(taken).toEqual(['at once: first', 'at once: second']);
  expect(streams()).toBe(0);
});

test('a stream that is not read has what is written wait for it', async () => {
  const waiting: (() => void)[] = [];
  const write: Writable['_write'] = (_chunk, _encoding, done) => void waiting.push(done);
  const output = new Output({
    writeNow: () => 0,
    open: () => new Writable({ write }),
    failure: (error) => error,
  });
  let isWritten = false;
  const written = output.write([Buffer.alloc(64 * 1024)]).then(() => (isWritten = true));
  await new Promise(setImmediate);
  expect(isWritten).toBe(false);
  waiting.forEach((read) => read());
  expect(await written).toBe(true);
});

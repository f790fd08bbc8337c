import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createLineLogger } from '../../../src/telemetry/log/line-logger.ts';

/** A destination that takes so many bytes of a line at once, and the rest by its stream, later. */
class Reluctant {
  taken = '';
  readonly #atOnce: number;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  readonly writeNow = (bytes: Uint8Array): number => {
    const part = bytes.subarray(0, this.#atOnce);
    this.taken += Buffer.from(part).toString();
    return part.length;
  };

  readonly open = (): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        setImmediate(() => {
          this.taken += String(chunk);
          done();
        });
      },
    });

  /** The lines that arrived, without their times. */
  get lines(): readonly string[] {
    return this.taken.split('\n').map((line) => line.replace(/^\S+ /u, ''));
  }
}

test.each([0, 1, 30, 45, 1000])(
  'the lines of a command reach a destination that takes %i bytes at once, in their order',
  async (atOnce) => {
    const destination = new Reluctant(atOnce);
    const log = createLineLogger('info', destination);
    for (const text of ['first', 'second', 'third']) log.info(text);
    await log.close();
    expect(destination.lines).toEqual(['INFO first', 'INFO second', 'INFO third', '']);
  },
);

test('nothing is logged any more once the log is closed', async () => {
  const destination = new Reluctant(1000);
  const log = createLineLogger('info', destination);
  await log.close();
  log.error('late');
  expect(destination.taken).toBe('');
});

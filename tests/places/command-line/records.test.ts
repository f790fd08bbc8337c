import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { progressOn } from '../../../src/places/command-line/progress.ts';
import { LineTooLongError, linesOf } from '../../../src/places/command-line/records.ts';

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function* endless(): AsyncGenerator<Buffer> {
  yield Buffer.from('{}\n');
  for (;;) yield Buffer.alloc(10, 'x');
}

async function read(text: string, sizes: readonly number[], limit = 1000) {
  const found: { number: number; text: string }[] = [];
  for await (const { number, text: line } of linesOf(inPieces(text, sizes), limit))
    found.push({ number, text: line.toString() });
  return found;
}

describe('lines of NDJSON', () => {
  test('are the same whatever pieces they arrive in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'é', '{', ' ', '\r') }), {
          maxLength: 8,
        }),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (lines, isEnded, sizes) => {
          const text = lines.join('\n') + (isEnded ? '\n' : '');
          const expected = text.split('\n').map((line, i) => ({ number: i + 1, text: line }));
          if (expected.at(-1)?.text === '') expected.pop();
          expect(await read(text, sizes)).toEqual(expected);
        },
      ),
    );
  });

  test('say whether what was read last ends with them, so that the next one has to be waited for', async () => {
    const isLast: boolean[] = [];
    for await (const { isLastRead } of linesOf(inPieces('a\nb\nc\nd', [4]), 1000)) isLast.push(isLastRead);
    expect(isLast).toEqual([false, true, true, true]);
  });

  test('are refused as soon as one is too long, before its end is there', async () => {
    const lines = linesOf(endless(), 100);
    expect((await lines.next()).value).toMatchObject({ number: 1 });
    await expect(lines.next()).rejects.toMatchObject({ number: 2, name: LineTooLongError.name });
  });
});

test('a line may be as long as the limit, in all its pieces', async () => {
  const line = 'x'.repeat(9);
  await expect(read(`${line}\n`, [6], 9)).resolves.toEqual([{ number: 1, text: line }]);
  await expect(read(`${line}x\n`, [6], 9)).rejects.toMatchObject({ name: LineTooLongError.name });
});

function written(isTTY: boolean, seconds: number): string {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
  let now = 0;
  const progress = progressOn(terminal, () => now);
  for (; now < seconds * 1000; now += 100) progress.add(100_000);
  progress.end();
  return String(terminal.read() ?? '');
}

describe('progress', () => {
  test('is shown on a terminal when a run takes long, and cleared at its end', () => {
    expect(written(true, 3)).toBe('\r\u001B[K21 records, 2 MB\r\u001B[K26 records, 2 MB\r\u001B[K');
  });

  test.each([
    ['a short run', true, 1],
    ['what is no terminal', false, 60],
  ])('is not shown of %s', (_, isTTY, seconds) => {
    expect(written(isTTY, seconds)).toBe('');
  });
});

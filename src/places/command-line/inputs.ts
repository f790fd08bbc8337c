import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { whyUnreadable } from '../../files/index.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';
import { CommandFailure } from './command-failure.ts';

/** Something to read: a file, or standard input. */
export interface Input {
  /** For messages: the path, or `standard input`. */
  readonly name: string;
  /** @throws CommandFailure while reading, if it cannot be read */
  read(): AsyncIterable<Buffer>;
}

/**
 * The inputs that a command line names: files, `-` for standard input, and standard input if it names none.
 *
 * @param standardInput opens it: to load its stream takes a tenth of a command's time
 * @throws CommandFailure if it is named twice
 */
export function inputsFrom(files: readonly string[], standardInput: () => Readable): readonly Input[] {
  if (files.indexOf('-') !== files.lastIndexOf('-'))
    throw new CommandFailure('- is given more than once, and standard input can be read once only');
  return (files.length === 0 ? ['-'] : files).map((file) => {
    const name = file === '-' ? 'standard input' : escapeUnprintable(file);
    const open = (): Chunks => (file === '-' ? standardInput() : chunksIn(file));
    return { name, read: () => chunksOf(open, name) };
  });
}

type Chunks = AsyncIterable<Buffer | string> | Iterable<Buffer>;

/** Only what may have to be waited for needs a stream, which takes longer to load than a short command runs. */
function chunksIn(file: string): Chunks {
  return statSync(file).isFile() ? chunksInFile(file) : createReadStream(file);
}

/** How much of a file is read at a time, in bytes. */
const CHUNK = 64 * 1024;

function* chunksInFile(file: string): Generator<Buffer> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

async function* chunksOf(open: () => Chunks, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of open()) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
  } catch (error) {
    throw new CommandFailure(`${name} cannot be read: ${whyUnreadable(error)}`);
  }
}

/**
 * Reads an input as a whole.
 *
 * @param limit the most that is read, in bytes
 * @throws CommandFailure if it cannot be read, or is longer
 */
export async function readWhole(input: Input, limit: number): Promise<Buffer> {
  const { name } = input;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input.read()) {
    length += chunk.length;
    if (length > limit)
      throw new CommandFailure(
        `${name}: The payload has more than ${limit} bytes (maxBody). For a long list of payloads, use --ndjson. (body-too-large)`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

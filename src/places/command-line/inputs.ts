import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { whyUnreadable } from '../../files/index.ts';
import { CommandFailure } from './command-failure.ts';

/** Something to read: a file, or standard input. */
export interface Input {
  /** For messages: the path, or `standard input`. */
  readonly name: string;
  /** @throws CommandFailure while reading, if it cannot be read */
  read(): AsyncIterable<Buffer>;
}

/** The inputs that a command line names: files, `-` for standard input, and standard input if it names none. */
export function inputsFrom(files: readonly string[], standardInput: Readable): readonly Input[] {
  return (files.length === 0 ? ['-'] : files).map((file) => {
    const name = file === '-' ? 'standard input' : file;
    const open = (): Readable => (file === '-' ? standardInput : createReadStream(file));
    return { name, read: () => chunksOf(open(), name) };
  });
}

async function* chunksOf(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
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
        `${name} has more than ${limit} bytes (maxBody). For a long list of payloads, use --ndjson.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

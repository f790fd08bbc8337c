import { resolve } from 'node:path';
import { TOP, scan, valueAt } from '../../../../core/index.ts';
import { readBounded, whyUnreadable, type FileReader } from '../../../../files/index.ts';

/** Far more than a key set has. */
const MAX_DEPTH = 100;

/** Reads the file of a key set and parses its JSON; undefined if it opens none. */
export type KeySetReader = (path: string) => unknown;

/** Why a key set cannot be read. The message quotes nothing of the file. */
export class KeySetFileError extends Error {
  override readonly name = 'KeySetFileError';
}

/**
 * @param directory that paths are relative to
 * @param read how the files are read
 */
export function keySetReader(directory: string, read: FileReader = readBounded): KeySetReader {
  return (path) => parsed(textOf(resolve(directory, path), read));
}

function textOf(file: string, read: FileReader): string {
  try {
    return read(file).toString();
  } catch (error) {
    throw new KeySetFileError(`names the file ${file}, which cannot be read: ${whyUnreadable(error)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return valueAt(scan(Buffer.from(text), MAX_DEPTH), TOP);
  } catch {
    throw new KeySetFileError('names a file that is not valid JSON');
  }
}

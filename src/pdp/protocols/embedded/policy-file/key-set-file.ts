import { resolve } from 'node:path';
import { DuplicateNameError, TOP, scan, strictValueAt } from '../../../../core/index.ts';
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
  return (path) => parsed(bytesOf(resolve(directory, path), read));
}

function bytesOf(file: string, read: FileReader): Buffer {
  try {
    return read(file);
  } catch (error) {
    throw new KeySetFileError(`names the file ${file}, which cannot be read: ${whyUnreadable(error)}`);
  }
}

/** Of a name that occurs twice, only one would count: the keys of the other would be lost. */
function parsed(bytes: Buffer): unknown {
  try {
    return strictValueAt(scan(bytes, MAX_DEPTH), TOP);
  } catch (error) {
    if (error instanceof DuplicateNameError)
      throw new KeySetFileError('names a file that has a name twice in one object');
    throw new KeySetFileError('names a file that is not valid JSON');
  }
}

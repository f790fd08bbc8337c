import { resolve } from 'node:path';
import { TOP, scan, valueAt } from '../../../../core/index.ts';
import { readBounded, whyUnreadable } from '../../../../files/index.ts';

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
 * @param onRead called with the text of each file
 */
export function keySetReader(
  directory: string,
  onRead: (path: string, text: string) => void = () => undefined,
): KeySetReader {
  return (path) => {
    const text = textOf(resolve(directory, path));
    onRead(path, text);
    return parsed(text);
  };
}

function textOf(file: string): string {
  try {
    return readBounded(file).toString();
  } catch (error) {
    throw new KeySetFileError(`names a file that cannot be read: ${whyUnreadable(error)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return valueAt(scan(Buffer.from(text), MAX_DEPTH), TOP);
  } catch {
    throw new KeySetFileError('names a file that is not valid JSON');
  }
}

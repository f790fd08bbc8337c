import process from 'node:process';
import { readBounded, whyUnreadable } from '../files/index.ts';
import { UnreadableError, unreadableError } from '../yaml/index.ts';

/** What a configuration file contains. */
interface Content {
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * The content of a configuration file.
 *
 * @param sha256 of the file, in hexadecimal, if no other file is to be read
 * @throws ConfigurationError if it cannot be read, or is another file
 */
export function readContent(file: string, sha256?: string): Content {
  const bytes = readFrom(file, () => readBounded(file));
  if (sha256 !== undefined && sha256Of(bytes) !== sha256) throw new UnreadableError(file, OTHER_FILE);
  return { bytes, text: readFrom(file, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
}

const OTHER_FILE =
  'is not the file that the service is to start with (--config-sha256): it has changed since, or has not arrived yet';

/** In hexadecimal. The module takes time to load, and most files may be any. */
export function sha256Of(bytes: Buffer): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', bytes);
}

/** @throws ConfigurationError with the reason if it cannot be read */
function readFrom<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadableError(file, whyUnreadable(error));
  }
}

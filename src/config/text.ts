import { readBounded, whyUnreadable } from '../files/index.ts';
import { unreadableError } from '../yaml/index.ts';

/**
 * The text of a configuration file.
 *
 * @throws ConfigurationError if it cannot be read
 */
export function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBounded(file));
  } catch (error) {
    throw unreadableError(file, whyUnreadable(error));
  }
}

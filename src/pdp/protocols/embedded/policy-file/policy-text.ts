import { readFileSync } from 'node:fs';
import { whyUnreadable } from '../../../../files/index.ts';
import { unreadableError } from '../../../../yaml/index.ts';

/**
 * Reads the text of a policy file, without checking it.
 *
 * @throws ConfigurationError if it cannot be read
 */
export function readPolicyText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw unreadableError(file, whyUnreadable(error));
  }
}

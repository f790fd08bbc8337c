import { ConfigurationError } from '../yaml/index.ts';
import { CommandFailure } from '../places/command-line/index.ts';

/** A failure at start that the operator can fix: only its message is printed. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** Failures whose message is enough to fix them. */
function isExplained(error: unknown): error is Error {
  return (
    error instanceof StartFailure || error instanceof ConfigurationError || error instanceof CommandFailure
  );
}

/** What is printed of an error that stops the process. */
export function describeFailure(error: unknown): string {
  if (isExplained(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

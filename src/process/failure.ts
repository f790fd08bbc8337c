import { ConfigurationError } from '../yaml/index.ts';

/** A failure at start that the operator can mend: its message is all that is printed. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** What is printed of an error that stops the process. */
export function describeFailure(error: unknown): string {
  if (error instanceof StartFailure || error instanceof ConfigurationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

import { ExplainedError } from '../errors.ts';

/** A failure at start that the operator can fix. */
export class StartFailure extends ExplainedError {
  override readonly name = 'StartFailure';
}

/** What is printed of an error that stops the process. */
export function describeFailure(error: unknown): string {
  if (error instanceof ExplainedError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

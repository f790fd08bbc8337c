import { ExplainedError } from '../errors.ts';

/** A failure at start that the operator can fix. */
export class StartFailure extends ExplainedError {
  override readonly name = 'StartFailure';
}

const NO_WORKING_DIRECTORY = 'The working directory does not exist any more. Change to one that does.';

/** What is printed of an error that stops the process. */
export function describeFailure(error: unknown): string {
  if (error instanceof ExplainedError) return error.message;
  if (Error.isError(error) && 'syscall' in error && error.syscall === 'uv_cwd') return NO_WORKING_DIRECTORY;
  return Error.isError(error) ? (error.stack ?? error.message) : String(error);
}

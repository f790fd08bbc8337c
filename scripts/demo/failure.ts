/** Something of the demonstration is not as it should be: the message is all that is printed. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** What is printed of an error: the stack only where nobody foresaw it. */
export function describeFailure(error: unknown): string {
  if (error instanceof DemoFailure) return error.message;
  return Error.isError(error) ? (error.stack ?? error.message) : String(error);
}

/** What a failed call of the system threw. */
export function toErrno(error: unknown): NodeJS.ErrnoException {
  return Error.isError(error) ? error : new Error(String(error));
}

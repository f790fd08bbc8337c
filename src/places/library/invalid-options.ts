import { ServiceError, type FieldProblem } from '../../errors.ts';

/** The error for options that cannot be used. */
export function invalidOptions(errors: readonly FieldProblem[]): ServiceError {
  return new ServiceError('request-invalid', 'The options have parts that cannot be used.', { errors });
}

/** The error for one option. @param pointer a JSON pointer into the options */
export function invalidOption(pointer: string, detail: string): ServiceError {
  return invalidOptions([{ pointer, detail }]);
}

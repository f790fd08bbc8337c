import { jsonPointer } from '../../core/index.ts';
import { unknownDetail } from '../../enforcement/index.ts';
import type { FieldProblem } from '../../errors.ts';
import type { EnforceOptions } from './api.ts';
import { invalidOption, invalidOptions } from './invalid-options.ts';

const MEMBERS: Readonly<Record<keyof EnforceOptions, true>> = {
  json: true,
  vendor: true,
  parameters: true,
  headers: true,
  signal: true,
};
const KNOWN = Object.keys(MEMBERS);

/**
 * Refuses what the types of TypeScript would: a misspelt `parameters` must not mean that there are none.
 *
 * @throws ServiceError `request-invalid` with every problem at once
 */
export function requireOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('', 'The options have to be an object.');
  const signal = wrongSignal(options);
  if (signal.length === 0 && areKnown(options)) return;
  const problems = [...unknownMembers(options), ...signal];
  if (problems.length > 0) throw invalidOptions(problems);
}

/** A quick check that the options of most calls pass. It takes inherited names for own ones, which makes it only stricter. */
function areKnown(options: object): boolean {
  for (const name in options) if (!Object.hasOwn(MEMBERS, name)) return false;
  return true;
}

function unknownMembers(options: object): readonly FieldProblem[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(MEMBERS, name))
    .map((name) => ({ pointer: jsonPointer([name]), detail: unknownDetail(name, KNOWN) }));
}

function wrongSignal({ signal }: { readonly signal?: unknown }): readonly FieldProblem[] {
  if (signal === undefined || signal instanceof AbortSignal) return [];
  return [{ pointer: '/signal', detail: 'It has to be an AbortSignal.' }];
}

import { ExplainedError, type ServiceError } from '../../errors.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';

/** A command cannot do what it is asked to. */
export class CommandFailure extends ExplainedError {
  override readonly name = 'CommandFailure';
}

/** The failure for a payload that cannot be enforced. @param name the file, or the line of it */
export function notEnforced(name: string, { code, callerDetail, errors }: ServiceError): CommandFailure {
  const places = errors.map(({ pointer, detail }) => `  ${pointer}: ${detail}`);
  const lines = [`${name}: ${callerDetail} (${code})`, ...places];
  return new CommandFailure(lines.map(escapeUnprintable).join('\n'));
}

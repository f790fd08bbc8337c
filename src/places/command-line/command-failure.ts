import { ExplainedError, type ErrorCode, type ServiceError } from '../../errors.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';

/** A command cannot do what it is asked to. */
export class CommandFailure extends ExplainedError {
  override readonly name = 'CommandFailure';
}

/** What to do on the command line. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  'pdp-unauthorized':
    '  Say who asks: --as names the user, such as --as Agent/jane, and --vendor what else the PDP needs.',
};

/** The failure for a payload that cannot be enforced. @param name the file, or the line of it */
export function notEnforced(name: string, { code, callerDetail, errors }: ServiceError): CommandFailure {
  const places = errors.map(
    ({ pointer, detail }) => `  ${detail === callerDetail ? pointer : `${pointer}: ${detail}`}`,
  );
  const { [code]: hint } = HINTS;
  const lines = [`${name}: ${callerDetail} (${code})`, ...places, ...(hint === undefined ? [] : [hint])];
  return new CommandFailure(lines.map(escapeUnprintable).join('\n'));
}

/** The failure for options of which an intent cannot be made: a line for each problem. */
export function optionsRefused({ code, callerDetail, errors }: ServiceError): CommandFailure {
  const problems = errors.map(({ pointer, detail }) => `${optionAt(pointer)}: ${detail}`);
  const lines = problems.length > 0 ? problems : [`${callerDetail} (${code})`];
  return new CommandFailure(lines.map(escapeUnprintable).join('\n'));
}

/** The option that a part of a request is given by, and the place in it. */
function optionAt(pointer: string): string {
  const [, part = '', ...inPart] = pointer.split('/');
  return inPart.length === 0 ? `--${part}` : `--${part} /${inPart.join('/')}`;
}

import { isBlank } from '../../core/index.ts';
import { CommandFailure } from './command-failure.ts';
import { CommandEnforcer, type Enforcing } from './enforcing.ts';
import type { Input } from './inputs.ts';
import type { Output } from './output.ts';
import type { Progress } from './progress.ts';
import { LineTooLongError, linesOf } from './records.ts';

const LINE_BREAK = Buffer.from('\n');

/**
 * Enforces each line of the inputs as one payload and writes it before it reads on, so that the memory it needs does not
 * depend on how much there is. Blank lines are dropped.
 *
 * @throws CommandFailure at the first line that cannot be read or enforced; the lines before it are written, each as a whole
 */
export async function enforceRecords(
  inputs: readonly Input[],
  enforcing: Enforcing,
  output: Output,
  progress: Progress,
): Promise<void> {
  const enforcer = new CommandEnforcer(enforcing);
  enforcer.askOnce();
  try {
    for (const input of inputs) {
      // oxlint-disable-next-line no-await-in-loop -- the output has the order of the inputs
      await enforceLines(input, { enforcer, enforcing, output, progress });
    }
  } finally {
    progress.end();
    await output.flush();
  }
}

interface Stage {
  readonly enforcer: CommandEnforcer;
  readonly enforcing: Enforcing;
  readonly output: Output;
  readonly progress: Progress;
}

async function enforceLines(input: Input, { enforcer, enforcing, output, progress }: Stage): Promise<void> {
  const { payload: limit } = enforcing.limits;
  try {
    for await (const { number, text, isLastRead } of linesOf(input.read(), limit)) {
      if (!isBlank(text)) {
        const enforced = await enforcer.enforce(text, `${input.name}, line ${number}`);
        await output.write([...enforced, LINE_BREAK]);
        progress.add(text.length);
      }
      if (isLastRead) await output.flush();
    }
  } catch (error) {
    if (!(error instanceof LineTooLongError)) throw error;
    throw new CommandFailure(
      `${input.name}, line ${error.number}: The line has more than ${limit} bytes (maxBody). (body-too-large)`,
    );
  }
}

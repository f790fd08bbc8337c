import { scan } from '../../core/index.ts';
import { escapeUnprintable } from '../../telemetry/log/index.ts';
import { CommandFailure } from './command-failure.ts';
import { CommandEnforcer, type Enforcing } from './enforcing.ts';
import { readWhole, type Input } from './inputs.ts';
import type { Output } from './output.ts';
import { hasPlace } from './place.ts';
import { explanationLines, isChangedIn } from './show-explanation.ts';

/** What is explained. */
export interface Explaining extends Enforcing {
  /** How many changes, and how many records, are explained at most. */
  readonly maxExplained: number;
  /** The place that is asked about; undefined for the whole payload. */
  readonly pointer: string | undefined;
}

/**
 * Enforces an input as one payload, and prints why each place became what it is.
 *
 * @throws CommandFailure if it cannot be read or enforced, if the pointer is none, or if nothing is there and no rule creates it
 */
export async function explainPayload(input: Input, explaining: Explaining, output: Output): Promise<void> {
  const { pointer, maxExplained, limits, ports } = explaining;
  if (pointer !== undefined && !/^(?:\/(?:[^~]|~[01])*)?$/u.test(pointer))
    throw new CommandFailure('The place has to be a JSON pointer, such as /0/customer/ssn.');
  const payload = await readWhole(input, limits.payload);
  const explain = { maxExplained, maxBytes: limits.answer };
  const explanation = await new CommandEnforcer(explaining).explain(payload, input.name, explain);
  const isThere = (place: string): boolean =>
    hasPlace(scan(payload, ports.settings.maxDepth), place) || isChangedIn(explanation, place);
  if (pointer !== undefined && !isThere(pointer))
    throw new CommandFailure(`${escapeUnprintable(pointer)}: the payload has no such place`);
  // Names in a payload must not write to the terminal.
  for (const line of explanationLines(explanation, pointer))
    // oxlint-disable-next-line no-await-in-loop -- as fast as the output takes them
    await output.write([Buffer.from(`${escapeUnprintable(line)}\n`)]);
  await output.flush();
}

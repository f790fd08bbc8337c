/** What the suite found so far. */
const counts = { passed: 0, failed: 0, skipped: 0 };

const started = Date.now();

function say(line: string): void {
  const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(4);
  process.stdout.write(`${seconds}s ${line}\n`);
}

/** Says which part begins. */
export function heading(text: string): void {
  say(`--- ${text}`);
}

/**
 * Checks one thing and counts it.
 *
 * @param behaviour a whole sentence
 * @param run throws if it does not hold
 * @returns whether it holds
 */
export async function check(behaviour: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
  } catch (error) {
    counts.failed += 1;
    say(`FAILED ${behaviour}\n       ${Error.isError(error) ? error.message : String(error)}`);
    return false;
  }
  counts.passed += 1;
  say(`ok     ${behaviour}`);
  return true;
}

/** Says what can't be checked on this cluster, and why. */
export function skip(behaviour: string, reason: string): void {
  counts.skipped += 1;
  say(`skip   ${behaviour}: ${reason}`);
}

/** Prints the totals on the last line. */
export function summarize(): void {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

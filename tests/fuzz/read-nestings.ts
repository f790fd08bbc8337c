/**
 * Reads all that nests in what others send, and prints how much came of what, as JSON: the length of what is right counts as `read`.
 * A program of its own, because what never ends would also stop the test that waits for it.
 */
import { nestings } from '../../bench/hostile/nestings.ts';
import { outcomeOf, READERS } from '../../bench/hostile/readers.ts';

const counts: Record<string, Record<string, number>> = {};
for (const reader of READERS) {
  const outcomes: Record<string, number> = {};
  for (const nesting of nestings(reader.sample)) {
    // oxlint-disable-next-line no-await-in-loop -- one of many thousands at a time
    const outcome = await outcomeOf(reader, Buffer.from(JSON.stringify(nesting)));
    const name = typeof outcome === 'number' ? 'read' : outcome;
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  }
  counts[reader.name] = outcomes;
}
process.stdout.write(JSON.stringify(counts));

import { setTimeout as wait } from 'node:timers/promises';

/** Waits until something holds; the test's own time limit ends the wait. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  if (await holds()) return;
  await wait(5);
  await eventually(holds);
}

import { setTimeout as wait } from 'node:timers/promises';

/** How often a condition is checked before the test fails. It only ends tests that hang: with pauses of 5 ms, at least 40 s. */
const LOOKS = 8000;

/** Waits until something holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, looks = LOOKS): Promise<void> {
  if (await holds()) return;
  if (looks === 0) throw new Error(`it never came to hold: ${holds.toString()}`);
  await wait(5);
  await eventually(holds, looks - 1);
}

import { setTimeout as wait } from 'node:timers/promises';

/** How often something is looked at before it is given up: for longer than anything here takes. */
const LOOKS = 2000;

/** Waits until something holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, looks = LOOKS): Promise<void> {
  if (await holds()) return;
  if (looks === 0) throw new Error(`it never came to hold: ${holds.toString()}`);
  await wait(5);
  await eventually(holds, looks - 1);
}

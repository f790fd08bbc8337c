import process from 'node:process';
import type { Decision } from '../../src/enforcement/index.ts';

/**
 * A decision that takes processor time: its rules are read only after so much of it, however fast the machine is.
 *
 * @param milliseconds of processor time
 */
export function costly(decision: Decision, milliseconds: number): Decision {
  const { rules, fingerprint } = decision;
  return {
    fingerprint,
    get rules() {
      spend(milliseconds);
      return rules;
    },
  };
}

/** Takes processor time, in milliseconds. */
export function spend(milliseconds: number): void {
  const begun = process.threadCpuUsage();
  for (let spent = 0; spent < milliseconds;) {
    const { user, system } = process.threadCpuUsage(begun);
    spent = (user + system) / 1000;
  }
}

import { createEnforcer, type Enforcer } from '../../src/library.ts';
import { KB } from '../core/cases.ts';
import { enforceCore, SETTINGS } from '../core/core.ts';
import { inProcess, type Contestant } from '../measure/contestant.ts';
import { inTurn, measurePaired, type Effort } from '../measure/paired.ts';
import { maskOnly } from '../payloads/decision.ts';
import { PAYLOADS } from '../payloads/payload.ts';
import type { PlacesResult } from '../report/results.ts';
import { MASKED } from './policies.ts';

export interface LibraryOptions {
  readonly effort: Effort;
  readonly kilobytes: readonly number[];
  readonly policyFile: string;
  readonly say: (line: string) => void;
}

/** Measures the library with the embedded PDP, against the core with the same decision. */
export async function measureLibrary(options: LibraryOptions): Promise<PlacesResult['library']> {
  const { effort, kilobytes, policyFile, say } = options;
  const { attrName } = SETTINGS;
  const enforcer = await createEnforcer({ policyFile, attrName, log: { level: 'warn' } });
  try {
    return await inTurn(kilobytes, async (size) => {
      const payload = Buffer.from(PAYLOADS.customers(size * KB));
      const contestants = [library(enforcer, payload), core(payload)];
      await requireSameAnswers(contestants);
      const timings = await measurePaired(contestants, effort);
      say(`library, ${size} KB: ${timings[1]?.ratio.toFixed(2)}`);
      return { kilobytes: size, timings };
    });
  } finally {
    await enforcer.close();
  }
}

function core(payload: Buffer): Contestant {
  const decision = Buffer.from(maskOnly(MASKED));
  return inProcess('core', () => enforceCore(payload, decision));
}

function library(enforcer: Enforcer, json: Buffer): Contestant {
  const vendor = { entityTypeId: 'User', entityId: 'ann' };
  const enforce = (): Promise<Buffer> => enforcer.enforce({ json, vendor });
  return {
    name: 'library',
    answer: enforce,
    async time(times) {
      const start = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let i = 0; i < times; i++) await enforce();
      return performance.now() - start;
    },
  };
}

async function requireSameAnswers(contestants: readonly Contestant[]): Promise<void> {
  const [first, ...others] = await inTurn(contestants, async (one) => (await one.answer()).toString());
  if (!others.every((other) => other === first))
    throw new Error('the library answers otherwise than the core');
}

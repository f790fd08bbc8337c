import { statusOf } from '../../src/places/listener/index.ts';
import { call, enforcing } from '../support/caller.ts';
import { startAgainAndAgain } from './again.ts';
import { play } from './faulty-call.ts';
import { CALLER_FAULTS, PAYLOAD } from './unruly-callers.ts';
import { PDP_FAULTS } from './unruly-pdp.ts';

/** A fault, and whether what came of it is as documented and shows nothing of the payload. */
interface TriedFault {
  readonly name: string;
  readonly play: (port: number) => Promise<boolean>;
}

/** Every fault of callers and PDPs, for a service whose PDP is an unruly one. */
const FAULTS: readonly TriedFault[] = [
  ...CALLER_FAULTS.map((fault) => ({
    name: `a caller ${fault.name}`,
    play: async (port: number) => !(await play(port, fault)).includes('planted-ssn'),
  })),
  ...PDP_FAULTS.map(({ name, codes }) => ({
    name: `the PDP ${name}`,
    play: async (port: number) => {
      const { status, text } = await call(port, { body: enforcing(PAYLOAD, { vendor: { fault: name } }) });
      const documented = codes.map(statusOf);
      return !text.includes('planted-ssn') && documented.some((one) => one === status);
    },
  })),
];

interface FaultLoad {
  /** How many faults there were so far, and the names of those that did not end as documented. */
  readonly seen: { count: number; readonly wrong: string[] };
  readonly stop: () => Promise<void>;
}

/**
 * Plays one fault after the other, again and again, until it is stopped. `closeAll` stops it too.
 *
 * @param atOnce how many of them there are at any time
 */
export function startFaults(port: number, atOnce: number): FaultLoad {
  const seen = { count: 0, wrong: [] as string[] };
  const stop = startAgainAndAgain(atOnce, (isOver) => playUntil(isOver, port, seen));
  return { seen, stop };
}

async function playUntil(isOver: () => boolean, port: number, seen: FaultLoad['seen']): Promise<void> {
  while (!isOver()) {
    const fault = FAULTS[seen.count++ % FAULTS.length];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const isAsDocumented = await fault?.play(port).catch(() => false);
    if (isAsDocumented === false && fault) seen.wrong.push(fault.name);
  }
}

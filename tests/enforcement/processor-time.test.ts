import { afterEach, expect, jest, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import { EventLoopScheduler, type Ports, type Rest } from '../../src/enforcement/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { costly, spend } from '../support/costly-decision.ts';
import { decision, maskRule } from '../support/decision.ts';
import { passTime } from '../support/steps.ts';
import { enforcedText, portsOn, SETTINGS } from './ports.ts';

afterEach(() => void jest.restoreAllMocks());

const RECORDS = 50_000;
const PAYLOAD = JSON.stringify(Array.from({ length: RECORDS }, () => ({ ssn: '1' })));

/** Ports of which the first decision takes so much processor time, in milliseconds, and the others none. */
function portsOf(milliseconds: number): Ports {
  const masks = decisionFrom(Buffer.from(decision({ access: [maskRule('ssn')] })), SETTINGS, NO_MASK_KEYS);
  const decisions = [costly(masks, milliseconds)];
  return portsOn({ decide: () => Promise.resolve(decisions.pop() ?? masks) });
}

function masked(ports: Ports): Promise<string> {
  return enforcedText(PAYLOAD, ports);
}

test('an enforcement that takes too much processor time is refused, and the next one is not', async () => {
  const ports = portsOf(2000);
  const [first, next] = await Promise.allSettled([masked(ports), masked(ports)]);
  expect(first).toMatchObject({
    status: 'rejected',
    reason: { code: 'enforcement-too-costly', message: expect.stringContaining('more than 1.3 s') },
  });
  expect(next).toMatchObject({ status: 'fulfilled', value: expect.stringContaining('{"ssn":"***"}') });
});

test('an enforcement may take much more processor time than an ordinary one', async () => {
  await expect(masked(portsOf(500))).resolves.toContain('{"ssn":"***"}');
});

/** After each beginning, others have their turn for longer than an enforcement may take. */
class BusyScheduler extends EventLoopScheduler {
  override runSoon<T>(size: number, task: () => T | Rest<T>): T | Promise<T> {
    return super.runSoon(size, () => {
      const begun = task();
      spend(1500);
      return begun;
    });
  }
}

test.each(['that was known', 'that came later'])(
  'what others take between two steps of a small payload does not count, for a decision %s',
  async (kind) => {
    passTime();
    const masks = decisionFrom(Buffer.from(decision({ access: [maskRule('ssn')] })), SETTINGS, NO_MASK_KEYS);
    const later = { decide: () => Promise.resolve(masks) };
    const ports = portsOn(kind === 'that was known' ? { ...later, decideSoon: () => masks } : later);
    const payload = JSON.stringify(Array.from({ length: 2000 }, () => ({ ssn: '1' })));
    const text = await enforcedText(payload, { ...ports, scheduler: new BusyScheduler() });
    expect(text).toBe(payload.replaceAll('"1"', '"***"'));
  },
);

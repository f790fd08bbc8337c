import { expect, test } from '@jest/globals';
import { NO_MASK_KEYS } from '../../src/core/actions/mask-keys.ts';
import type { Ports } from '../../src/enforcement/index.ts';
import { decisionFrom } from '../../src/pdp/protocols/resolution/index.ts';
import { costly } from '../support/costly-decision.ts';
import { decision, maskRule } from '../support/decision.ts';
import { enforcedText, portsOn, SETTINGS } from './ports.ts';

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

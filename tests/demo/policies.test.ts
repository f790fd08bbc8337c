import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { startService, type Service } from '../support/service.ts';

afterEach(closeAll);

const CUSTOMERS = readFileSync('examples/payloads/customers.json', 'utf8');
const NO_RECORDS = /^\[\s*\]\s*$/u;
const TYPES = ['Agent', 'Manager'];

function started(): Promise<Service> {
  return startService({ policyFile: 'examples/policies/demo.yaml', filter: true, filterDefault: 'deny' });
}

async function seenBy(service: Service, entityTypeId: string, filter: boolean): Promise<string> {
  const vendor = { entityTypeId, entityId: 'somebody' };
  const { status, text } = await call(service.port, {
    body: enforcing(CUSTOMERS, { vendor, parameters: { filter } }),
  });
  expect(status).toBe(200);
  return text;
}

describe('the policies of the demonstration', () => {
  test('show no records to a type of user that they do not name', async () => {
    const service = await started();
    expect(await seenBy(service, 'Intern', true)).toMatch(NO_RECORDS);
    for (const type of TYPES) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await seenBy(service, type, true)).not.toMatch(NO_RECORDS);
    }
  });

  test('mask for such a type whatever they mask for anybody', async () => {
    const service = await started();
    const [unknown = [], ...known] = await Promise.all(
      ['Intern', ...TYPES].map(async (type) => (await seenBy(service, type, false)).split(/(?<=[,[\]{}])/u)),
    );
    const original = CUSTOMERS.split(/(?<=[,[\]{}])/u);
    const shown = original.filter((part) => unknown.includes(part));
    for (const seen of known) expect(shown.filter((part) => !seen.includes(part))).toEqual([]);
    expect(unknown.length).toBeGreaterThan(20);
  });
});

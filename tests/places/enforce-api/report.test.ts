import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, type Answer } from '../../support/caller.ts';
import { decision, literalRule, maskRule } from '../../support/decision.ts';
import { answering, startBoth } from '../proxy/setup.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const HEADER = 'enforcement-result';
const DENIED = { attribute: 'id', type: 'INTEGER', operator: 'EQUALS', values: ['2'] };
const DECISION = decision({
  access: [
    maskRule('ssn'),
    literalRule('note', 'none'),
    { ...maskRule('iban'), actions: [{ action: 'remove()' }] },
  ],
  denied: [{ resourceType: 'columns', actions: [{ action: 'FILTER', 'asset-attributes-filter': DENIED }] }],
});
const PAYLOAD = JSON.stringify([
  { id: 1, ssn: 'x', iban: 'DE1' },
  { id: 2, ssn: 'x' },
  { id: 3, ssn: 'x', note: '' },
]);

async function answerTo(payload: string, config: object): Promise<Answer> {
  const settings = { attrName: 'column', filter: true, filterDefault: 'allow', ...config };
  const { port } = await startEnforcement({ body: DECISION }, settings);
  return call(port, { body: enforcing(payload) });
}

/** What the proxy makes of an answer of an application that says a result itself. */
async function proxied(body: string, type: string, result: string): Promise<Answer> {
  const application = answering(body, { 'content-type': type, [HEADER]: result });
  const { proxyPort } = await startBoth(application, { report: true });
  return call(proxyPort, { method: 'GET', path: '/' });
}

describe('the header Enforcement-Result', () => {
  test('counts what was masked, set and removed, and the records, if report is configured', async () => {
    const { headers } = await answerTo(PAYLOAD, { report: true });
    // Set: one that was empty and one that was absent. Removed: one property and one record.
    expect(headers[HEADER]).toBe('masked=2, set=2, removed=2, records=3');
  });

  test('says so if nothing was changed', async () => {
    const { headers } = await answerTo('[]', { report: true });
    expect(headers[HEADER]).toBe('masked=0, set=0, removed=0, records=0');
  });

  test('is not there unless report is configured', async () => {
    expect((await answerTo(PAYLOAD, {})).headers).not.toHaveProperty(HEADER);
  });

  test('is on answers through the proxy, in the place of what the application says', async () => {
    const { headers, text } = await proxied('[{"ssn":"x"},{}]', 'application/json', 'masked=7');
    expect([headers[HEADER], text]).toEqual(['masked=1, set=0, removed=0, records=2', '[{"ssn":"***"},{}]']);
  });

  test('is not on streams, whatever the application says', async () => {
    const { headers, text } = await proxied('{"ssn":"x"}\n', 'application/x-ndjson', 'masked=0');
    expect([HEADER in headers, text]).toEqual([false, '{"ssn":"***"}\n']);
  });

  test('is not on errors', async () => {
    const { status, headers } = await answerTo('7', { report: true });
    expect({ status, hasHeader: HEADER in headers }).toEqual({ status: 400, hasHeader: false });
  });
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRealPdp, type RealPdp } from '../../../scripts/tools/real-pdp.ts';
import { call, enforcing, problemIn, type Answer } from '../../support/caller.ts';
import { startService } from '../../support/service.ts';
import { closeAll } from '../transport/setup.ts';
import { neededTool } from '../../support/tools.ts';
import { exampleConfig } from './setup.ts';

const { describe: describeReal, program } = neededTool('cerbos');

const AGENT = { entityTypeId: 'Agent', entityId: 'jane' };

describeReal('Cerbos', () => {
  let cerbos: RealPdp | undefined;

  beforeAll(async () => {
    cerbos = await startRealPdp('cerbos');
  });
  afterEach(closeAll);
  afterAll(() => cerbos?.stop());

  async function enforced(body: string | Uint8Array, written: Record<string, unknown> = {}): Promise<Answer> {
    const { port } = await startService({ ...exampleConfig('cerbos', cerbos?.port ?? 0), ...written });
    return call(port, { body });
  }

  /** Asks the PDP itself. */
  async function evaluations(ids: readonly string[]): Promise<{ status: number; answer: unknown }> {
    const body = {
      subject: { type: 'Agent', id: 'jane' },
      action: { name: 'read' },
      evaluations: ids.map((id) => ({ resource: { type: 'accounts', id } })),
    };
    const response = await fetch(`http://127.0.0.1:${cerbos?.port}/access/v1/evaluations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, answer: await response.json() };
  }

  test('passes the tests of the policies of the example', () => {
    const { status } = spawnSync(program, ['compile', 'examples/cerbos/policies']);
    expect(status).toBe(0);
  });

  test('masks and filters as the example says', async () => {
    const answer = await enforced(readFileSync('examples/cerbos/request.json'));
    expect(JSON.parse(answer.text)).toEqual([
      { id: 'c1', name: 'Ann Lee', owner: 'jane', ssn: '*******6789', legalHold: false },
      { id: 'c2', name: 'Bob Ray', owner: 'max', ssn: '*******4321', legalHold: false },
    ]);
  });

  test('denies those who have no role', async () => {
    const answer = await enforced(enforcing('{"ssn":"1"}', { vendor: { entityId: 'eve' } }));
    expect(answer.status).toBe(403);
    expect(problemIn(answer).type).toBe('urn:authz-jsonmasking:error:access-denied');
  });

  test('sends no outputs if includeMeta was forgotten, which is refused as a bare decision', async () => {
    const answer = await enforced(enforcing('{"ssn":"1"}', { vendor: AGENT }), { pdpContext: {} });
    expect(answer.status).toBe(502);
    expect(problemIn(answer).detail).toContain('sends no rules');
  });

  test('has its rules applied if it permits with an empty list of them', async () => {
    const answer = await enforced(
      enforcing('{"ssn":"1"}', { vendor: { ...AGENT, entityTypeId: 'Supervisor' } }),
    );
    expect(answer).toMatchObject({ status: 200, text: '{"ssn":"1"}' });
  });

  test('answers yes or no by property, for more properties than one of its batches takes', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `p${i}`);
    const properties = [...names, 'iban', 'limit', 'name'].map((path) => ({ path }));
    const payload = Object.fromEntries([...names, 'iban', 'limit', 'name'].map((name) => [name, name]));
    const written = { assetType: 'accounts', authzen: { properties } };
    const answer = await enforced(enforcing(JSON.stringify(payload), { vendor: AGENT }), written);
    expect(JSON.parse(answer.text)).toEqual({ ...payload, iban: '***', limit: '***' });
  });

  test('refuses a batch of more than 50, so that a larger one is configured in vain', async () => {
    expect((await evaluations(Array.from({ length: 51 }, (_, i) => String(i)))).status).toBe(400);
    const properties = Array.from({ length: 51 }, (_, i) => ({ path: `p${i}` }));
    const written = { assetType: 'accounts', authzen: { properties, batch: 51 } };
    expect(await enforced(enforcing('{"p0":"1"}', { vendor: AGENT }), written)).toMatchObject({
      status: 502,
    });
  });

  test('removes the records whose assets are denied, in context mode', async () => {
    const written = { assetType: 'accounts', authzen: { properties: [] } };
    const parameters = { calculationType: 'context', assetId: 'id', protectedObject: 'accounts' };
    const payload = '[{"id":"name"},{"id":"iban"},{"n":1},{"id":"other"}]';
    const answer = await enforced(enforcing(payload, { vendor: AGENT, parameters }), written);
    expect(answer).toMatchObject({ status: 200, text: '[{"id":"name"},{"id":"other"}]' });
  });
});

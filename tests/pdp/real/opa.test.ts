import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRealPdp, type RealPdp } from '../../../scripts/tools/real-pdp.ts';
import { call, enforcing, problemIn, type Answer } from '../../support/caller.ts';
import { startService } from '../../support/service.ts';
import { closeAll } from '../transport/setup.ts';
import { neededTool } from '../../support/tools.ts';
import { exampleConfig } from './setup.ts';

const { describe: describeReal, program } = neededTool('opa');

describeReal('OPA', () => {
  let opa: RealPdp | undefined;

  beforeAll(async () => {
    opa = await startRealPdp('opa');
  });
  afterEach(closeAll);
  afterAll(() => opa?.stop());

  async function enforced(
    path: string,
    body: string,
    written: Record<string, unknown> = {},
  ): Promise<Answer> {
    const pdpUrl = `http://127.0.0.1:${opa?.port}${path}`;
    const { port } = await startService({ pdpProtocol: 'opa', pdpUrl, ...written });
    return call(port, { body });
  }

  const TICKETS = [
    { tenant: 'acme', state: 'open', email: 'a@x', salary: 5 },
    { tenant: 'acme', state: 'closed', email: 'b@x', salary: 6 },
    { tenant: 'acme', email: 'c@x', salary: 7 },
    { tenant: 'other', state: 'open', email: 'd@x', salary: 8 },
  ];

  function tickets(type: string, properties: unknown = { tenant: 'acme' }): string {
    const vendor = { subject: { type, id: 'joe', properties } };
    return enforcing(JSON.stringify(TICKETS), { vendor, parameters: { assetType: 'tickets' } });
  }

  test('passes the tests of the policies of the example', () => {
    const { status } = spawnSync(program, ['test', 'examples/opa']);
    expect(status).toBe(0);
  });

  test('masks and filters as the example says', async () => {
    const { port } = await startService(exampleConfig('opa', opa?.port ?? 0));
    const answer = await call(port, { body: readFileSync('examples/opa/request.json') });
    expect(JSON.parse(answer.text)).toEqual([
      { id: 'c1', name: 'Ann Lee', owner: 'jane', ssn: '*******6789', balance: 1250.5, legalHold: false },
      { id: 'c2', name: 'Bob Ray', owner: 'max', ssn: '*******4321', balance: null, legalHold: false },
    ]);
  });

  test('denies with its reason', async () => {
    const body = enforcing('{}', { vendor: { entityId: 'jane', context: { night: true } } });
    const answer = await enforced('/v1/data/masking/decision', body);
    expect(answer.status).toBe(403);
    expect(problemIn(answer).detail).toBe('Outside of working hours.');
  });

  test.each(['/v1/data/masking/decison', '/v1/data/mask'])(
    'is not understood at the path of an undefined document, %s',
    async (path) => {
      const answer = await enforced(path, enforcing('[{"ssn":"1"}]', { vendor: { entityId: 'jane' } }));
      expect(answer.status).toBe(502);
      expect(problemIn(answer).detail).toContain('undefined at that path');
    },
  );

  test.each(['/v1/compile/filters/inclode', '/v1/compile/filter/include'])(
    'shows no record at a mistyped path of the compile API, %s, with filtering on or off',
    async (path) => {
      expect(await enforced(path, tickets('Support'))).toMatchObject({ status: 200, text: '[]' });
      expect(await enforced(path, tickets('Support'), { filter: false })).toMatchObject({ text: '[]' });
    },
  );

  test('compiles a filter in which a missing attribute differs from nothing, as in Rego', async () => {
    const answer = await enforced('/v1/compile/filters/include', tickets('Support'));
    expect(JSON.parse(answer.text)).toEqual([{ tenant: 'acme', state: 'open', email: 'a@x', salary: null }]);
  });

  test('masks by the presence of a value, whatever it is', async () => {
    const answer = await enforced('/v1/compile/filters/include', tickets('User'));
    expect(JSON.parse(answer.text)).toEqual(
      TICKETS.slice(0, 3).map((ticket) => Object.assign({}, ticket, { email: '<hidden>', salary: null })),
    );
  });

  test('shows nothing to somebody for whom the filter is never true', async () => {
    const answer = await enforced('/v1/compile/filters/include', tickets('User', {}));
    expect(answer).toMatchObject({ status: 200, text: '[]' });
  });
});

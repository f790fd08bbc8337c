import { afterEach, describe, expect, test } from '@jest/globals';
import { compare } from '../../scripts/demo/comparison.ts';
import { Enforcer } from '../../scripts/demo/enforcement.ts';
import { RequestLog } from '../../scripts/demo/log.ts';
import { outline } from '../../scripts/demo/outline.ts';
import { CUSTOMERS } from '../../scripts/demo/samples.ts';
import { SCENARIOS } from '../../scripts/demo/scenarios.ts';
import { section } from '../../scripts/demo/section.ts';
import { USERS } from '../../scripts/demo/users.ts';
import { closeAll, startStub } from '../pdp/transport/setup.ts';

afterEach(closeAll);

const [jane] = USERS;
const [masking] = SCENARIOS;
if (!jane || !masking) throw new Error('there are no users or no scenarios');

describe('the demonstration fails', () => {
  test('if the service does not answer', async () => {
    const stub = await startStub({ reset: 'before-answer' });
    const enforcer = new Enforcer(stub.port, new RequestLog());
    await expect(enforcer.enforce(CUSTOMERS, jane)).rejects.toThrow('The service does not answer.');
  });

  test('if the service answers with an error, and names it', async () => {
    const stub = await startStub({ status: 502, body: '{"title":"The PDP failed","detail":"It broke."}' });
    const enforcer = new Enforcer(stub.port, new RequestLog());
    await expect(enforcer.enforce(CUSTOMERS, jane)).rejects.toThrow(
      'The service answers with status 502: The PDP failed. It broke.',
    );
  });

  test('if a policy has no effect', async () => {
    const payload = [{ id: 'c1', creditLimit: 1 }];
    const enforcer = { enforce: () => Promise.resolve({ before: payload, after: payload, dryRuns: [] }) };
    await expect(section(masking, '1 of 1', enforcer)).rejects.toThrow('"Masking" has nothing to show');
  });
});

describe('a comparison', () => {
  test('keeps records beside each other when one before them is gone', () => {
    const before = outline([
      { id: 'a', x: 1 },
      { id: 'b', x: 2 },
    ]);
    const after = outline([{ id: 'b', x: null }]);
    const marks = compare(before, [after]).map((row) => `${row.after[0]?.mark}${row.before}`);
    expect(marks).toEqual([
      ' [',
      '-  {',
      '-    "id": "a",',
      '-    "x": 1',
      '-  },',
      '   {',
      '     "id": "b",',
      '~    "x": 2',
      '   }',
      ' ]',
    ]);
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

/** Why an answer of the PDP is not understood. */
async function problemWith(body: string): Promise<string> {
  const { port } = await startEnforcement({ body });
  const { status, text } = await call(port, { body: enforcing('{"v":"secret"}') });
  expect(status).toBe(502);
  return String(JSON.parse(text).detail).replace('The decision of the PDP is not understood: ', '');
}

describe('why the answer of a PDP is not understood is said without quoting it', () => {
  test.each([
    ['', 'it is empty.'],
    ['<html>Log in</html>', 'it is not JSON (unexpected character at byte 0).'],
    ['\u{feff}{"response":[]}', 'it is not JSON (a byte order mark at byte 0).'],
    ['{"response":[', 'it is not JSON (unexpected end at byte 13).'],
    ['{"response":[]} log in', 'it is not JSON (unexpected character at byte 16).'],
    ['['.repeat(1100) + ']'.repeat(1100), 'it nests too deeply.'],
    ['[]', 'a part is missing or of the wrong type.'],
    ['{"response":[],"response":[]}', 'a name that occurs twice at /response.'],
    [
      '{"response":[{"access":[{"path":"a","path":"b"}]}]}',
      'a name that occurs twice at /response/0/access/0/path.',
    ],
    [`{"${'x'.repeat(64)}":1,"${'x'.repeat(64)}":1}`, `a name that occurs twice at /${'x'.repeat(64)}.`],
    [`{"${'x'.repeat(65)}":1,"${'x'.repeat(65)}":1}`, 'a name that occurs twice at /….'],
  ])('%s', async (body, problem) => {
    expect(await problemWith(body)).toBe(problem);
  });
});

test.each([[null], [true], [['id', 'name']], [[]], [''], [{ id: 1 }], [[['id']]]])(
  'a DRY_RUN of %j is named, because a mask that is in dry run by mistake is off',
  async (value) => {
    const policies = [{ name: 'P', metadata: { DRY_RUN: value } }];
    const entry = { path: 'v', resourceType: 'columns', actions: [{ action: 'MASK' }], policies };
    expect(await problemWith(decision({ access: [entry] }))).toMatch(
      /^a DRY_RUN that does not name one property at \/response\/0\/access\/0/u,
    );
  },
);

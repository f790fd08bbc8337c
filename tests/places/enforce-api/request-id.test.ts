import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { NO_RULES, startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u;

async function enforced(headers: Readonly<Record<string, string>>, status = 200) {
  const service = await startEnforcement({ ...NO_RULES, status });
  const answer = await call(service.port, { body: enforcing('[{"a":1}]'), headers });
  await eventually(() => service.logged.length > 0);
  return { ...service, answer, id: answer.headers['x-request-id'] };
}

describe('the id of a request', () => {
  test.each(['r-1', 'a.b:c/d+e=f@g~h_i', '0', 'x'.repeat(128), 'b2c3d4e5-0000-4000-8000-000000000000'])(
    'is the one that the caller gave: %s',
    async (given) => {
      const { id, logged, pdp } = await enforced({ 'x-request-id': given });
      expect(id).toBe(given);
      expect(logged.every((line) => line.includes(JSON.stringify(given)))).toBe(true);
      expect(pdp.requests[0]?.headers['x-request-id']).toBe(given);
    },
  );

  test.each([
    ['is too long', 'x'.repeat(129)],
    ['is empty', ''],
    ['has a space', 'a b'],
    ['has quotes', 'a"b'],
    ['has an angle bracket', '<script>'],
    ['has a letter beyond ASCII', 'r\u00e9'],
    ['was repeated', 'a, b'],
  ])('is a new one if the one of the caller %s', async (_, given) => {
    const { id, logged } = await enforced({ 'x-request-id': given });
    expect(id).toMatch(UUID);
    expect(logged.every((line) => line.includes(String(id)))).toBe(true);
  });

  test('is a new one if the caller sends none, and the PDP gets it', async () => {
    const { id, pdp } = await enforced({});
    expect(id).toMatch(UUID);
    expect(pdp.requests[0]?.headers['x-request-id']).toBe(id);
  });

  test('is the instance of a problem', async () => {
    const { answer } = await enforced({ 'x-request-id': 'r-1' }, 500);
    expect(answer.headers['x-request-id']).toBe('r-1');
    expect(problemIn(answer).instance).toBe('r-1');
  });

  test('is another one for each request', async () => {
    const { port } = await startEnforcement();
    const answers = await Promise.all(
      ['/', '/', '/enforce'].map((path) => call(port, { method: 'GET', path })),
    );
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

describe('a method that a path does not take', () => {
  test.each([
    ['GET', '/enforce', 'POST'],
    ['HEAD', '/enforce', 'POST'],
    ['PUT', '/enforce', 'POST'],
    ['PATCH', '/enforce', 'POST'],
    ['DELETE', '/enforce', 'POST'],
    ['OPTIONS', '/enforce', 'POST'],
    ['TRACE', '/enforce', 'POST'],
    ['PROPFIND', '/enforce', 'POST'],
    ['POST', '/health/liveness', 'GET, HEAD'],
    ['DELETE', '/health/readiness', 'GET, HEAD'],
  ])('is refused with those that it does: %s %s', async (method, path, allow) => {
    const { port, pdp } = await startEnforcement();
    const answer = await call(port, { method, path });
    expect(answer).toMatchObject({
      status: 405,
      headers: { allow, 'content-type': 'application/problem+json' },
    });
    expect(pdp.requests).toEqual([]);
  });
});

describe('a path that the service does not have', () => {
  test.each([
    '/',
    '/nope',
    '/enforce/x',
    '/enforce/',
    '/ENFORCE',
    '/enforce.json',
    '/health',
    '/health/Readiness',
    '/%zz',
    '/..%2fenforce',
    '//enforce',
  ])('is answered with 404: %s', async (path) => {
    const { port, pdp } = await startEnforcement();
    const answer = await call(port, { path, body: enforcing('[]') });
    expect(answer.status).toBe(404);
    expect(problemIn(answer).detail).toBe(
      'This port serves no such path. It serves /enforce, /health/liveness, /health/readiness, /openapi.json.',
    );
    expect(pdp.requests).toEqual([]);
  });
});

test('a query after a path changes nothing, and is not logged', async () => {
  const { port, logged } = await startEnforcement();
  expect((await call(port, { path: '/enforce?access_token=secret', body: enforcing('[]') })).text).toBe('[]');
  expect(logged.join('\n')).not.toContain('secret');
});

import { afterEach, describe, expect, test } from '@jest/globals';
import { call, type Answer } from '../support/caller.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { startEnforcement } from '../support/service.ts';
import { conformanceCases, type ConformanceCase } from './cases.ts';

afterEach(closeAll);

/** The cases in which a service answers `POST /enforce`. */
const CASES = conformanceCases().filter(
  ({ request, expect: { startFails } }) =>
    request.method === 'POST' && request.path === '/enforce' && startFails !== true,
);

describe('POST /explain answers what POST /enforce answers, with the reasons', () => {
  test.each(CASES)('$name', async (each) => {
    const { enforced, explained } = await answersTo(each);
    expect(outcomeOf(explained)).toEqual(outcomeOf(enforced));
    expect(explained.text.startsWith(`{"payload":${enforced.text},"rules":[`)).toBe(enforced.status === 200);
  });
});

async function answersTo({
  pdp,
  config,
  request,
}: ConformanceCase): Promise<{ readonly enforced: Answer; readonly explained: Answer }> {
  const service = await startEnforcement(pdp, { ...config, explain: { port: 1 } });
  const { headers, body } = request;
  const sent = { headers: { 'content-type': 'application/json', ...headers }, body };
  const enforced = await call(service.port, { ...sent, path: '/enforce' });
  const explained = await call(service.explainPort ?? 0, { ...sent, path: '/explain' });
  return { enforced, explained };
}

/** The status and, of an error, the problem without the id of its request. */
function outcomeOf({ status, text }: Answer): unknown {
  if (status === 200) return { status };
  const { instance, ...problem } = JSON.parse(text);
  return { status, problem, hasId: typeof instance === 'string' };
}

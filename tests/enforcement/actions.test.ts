import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

/** What becomes of the text "secret" under an action, or why the decision is not understood. */
async function outcomeOf(action: object): Promise<string> {
  const entry = { path: 'v', resourceType: 'columns', actions: [action] };
  const { port } = await startEnforcement({ body: decision({ access: [entry] }) });
  const { status, text } = await call(port, { body: enforcing('{"v":"secret"}') });
  return status === 200 ? text : `${status} ${String(JSON.parse(text).detail)}`;
}

describe('an empty value of an action', () => {
  test.each([
    [{ action: 'MASK', value: '' }, '{"v":"***"}'],
    [{ action: 'last(2)', value: '' }, '{"v":"****et"}'],
    [{ action: '3::remove()', value: '' }, '{}'],
    [{ action: 'null()', value: null }, '{"v":null}'],
    [{ action: 'SET', value: '' }, '{"v":""}'],
    [{ action: 'hash', value: '' }, '{"v":""}'],
  ])('counts as none next to one of our actions, else as the empty text: %j', async (action, expected) => {
    expect(await outcomeOf(action)).toBe(expected);
  });
});

describe('a text that is neither an action nor a literal', () => {
  const at = '/response/0/access/0/actions/0';

  test.each([
    [
      { action: 'last(4' },
      `that cannot be read (it must be first(N), middle(N), last(N), edges(N)) at ${at}/action.`,
    ],
    [{ action: 'SET', value: 'remove(1)' }, `that cannot be read (it must be remove()) at ${at}/value.`],
    [{ action: 'x::MASK' }, `that has no number before :: at ${at}/action.`],
    [
      { action: 'last(4', value: '' },
      `that cannot be read (it must be first(N), middle(N), last(N), edges(N)) at ${at}/action.`,
    ],
  ])('is refused with its place: %j', async (action, problem) => {
    expect(await outcomeOf(action)).toBe(
      `502 The decision of the PDP is not understood: an action ${problem}`,
    );
  });
});

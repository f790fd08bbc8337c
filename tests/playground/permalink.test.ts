import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fragmentOf, obstacleToLink, workFrom } from '../../playground/src/permalink.ts';
import { NEW_WORK } from '../../playground/src/work.ts';

describe('a link to the work', () => {
  test('opens the same work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (payload) => {
        const work = { ...NEW_WORK, payload: payload.toWellFormed() };
        await expect(workFrom((await fragmentOf(work)) ?? '')).resolves.toEqual(work);
      }),
    );
  });

  test('is a fragment, which browsers do not send', async () => {
    await expect(fragmentOf(NEW_WORK)).resolves.toMatch(/^#w=[\w-]+$/u);
  });

  test.each(['', '#', '#other', 'w=AAAA'])('is not %s', async (fragment) => {
    await expect(workFrom(fragment)).resolves.toBeUndefined();
  });

  test.each(['#w=', '#w=%%%', '#w=AAAA'])('is damaged as %s', async (fragment) => {
    await expect(workFrom(fragment)).resolves.toBe('damaged');
  });

  test('is damaged without its end, wherever it was cut', async () => {
    const fragment = (await fragmentOf({ ...NEW_WORK, payload: '[{"ssn":"123-45-6789"}]' })) ?? '';
    const cuts = Array.from({ length: fragment.length - 4 }, (_, at) => fragment.slice(0, at + 4));
    const opened = await Promise.all(cuts.map(workFrom));
    expect(new Set(opened)).toEqual(new Set(['damaged']));
  });

  test('is not made of too much', async () => {
    const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36).at(-1)).join('');
    await expect(fragmentOf({ ...NEW_WORK, payload: noise })).resolves.toBeUndefined();
  });

  test('does not unpack to more than a few megabytes', async () => {
    const packed = await fragmentOf({ ...NEW_WORK, payload: ' '.repeat(5 * 1024 * 1024) });
    await expect(workFrom(packed ?? '')).resolves.toBe('damaged');
  });

  test.each([
    'scopes:\n  - clientId: a\n    clientSecret: s3cret\n',
    'scopes:\n  - { clientId: a, clientSecret: s }\n',
    '{"clientSecret": "x"}',
  ])('is not made of policies that contain a secret: %j', (policies) => {
    expect(obstacleToLink({ ...NEW_WORK, policies })).toContain('clientSecret');
  });
});

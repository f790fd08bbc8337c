import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { configurationSchema } from '../../../src/config/schema.ts';
import { closeAll } from '../../pdp/transport/setup.ts';
import { call, enforcing, problemIn } from '../../support/caller.ts';
import { decision, maskRule } from '../../support/decision.ts';
import { NO_RULES, startEnforcement } from '../../support/service.ts';

afterEach(closeAll);

const KINDS = [
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
] as const;

function nested(levels: number, open: string, close: string): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** A request with a part that nests so deep. Parameters that nest are unknown ones, so they are refused with 400. */
function withMember(part: string, levels: number): string {
  return enforcing('[]', { [part]: { x: JSON.parse(nested(levels - 1, '[', ']')) } });
}

async function statusOf(body: string, maxDepth?: number): Promise<number> {
  const { port } = await startEnforcement(NO_RULES, maxDepth === undefined ? {} : { maxDepth });
  return (await call(port, { body })).status;
}

describe('the nesting of a request', () => {
  test.each(KINDS)('is limited to exactly maxDepth levels of %s in the payload', async (_, open, close) => {
    expect(await statusOf(enforcing(nested(512, open, close)))).toBe(200);
    expect(await statusOf(enforcing(nested(513, open, close)))).toBe(422);
    expect(await statusOf(enforcing(nested(7, open, close)), 7)).toBe(200);
    expect(await statusOf(enforcing(nested(8, open, close)), 7)).toBe(422);
  });

  test.each([
    ['vendor', 200],
    ['parameters', 400],
  ])('is limited in %s as well', async (part, within) => {
    expect(await statusOf(withMember(part, 7), 7)).toBe(within);
    expect(await statusOf(withMember(part, 8), 7)).toBe(422);
  });

  test('is limited if the body is not even closed', async () => {
    expect([400, 422]).toContain(await statusOf(`{"json":${'['.repeat(1_000_000)}`));
  });

  test('is named with its limit when it goes beyond', async () => {
    const { port, pdp } = await startEnforcement(NO_RULES, { maxDepth: 7 });
    const answer = await call(port, { body: enforcing(nested(8, '[', ']')) });
    expect(problemIn(answer).detail).toContain('more than 7 levels');
    expect(pdp.requests).toEqual([]);
  });
});

/** The deepest nesting that an operator may allow. */
const DEEPEST = z.number().parse(z.toJSONSchema(configurationSchema.shape.maxDepth, { io: 'input' }).maximum);

const LEAF_CONDITION = { attribute: 'status', operator: 'NOT_EQUALS', values: ['open'] };
const DEEP_CONDITION = { attribute: '$..status', operator: 'NOT_EQUALS', values: ['open'] };

const RULES: readonly (readonly [name: string, decision: string])[] = [
  ['no rule', decision({})],
  ['a path', decision({ access: [maskRule('a.a.a')] })],
  ['elements', decision({ access: [maskRule('#.#.#')] })],
  ['a wildcard', decision({ access: [maskRule('*')] })],
  ['every depth', decision({ access: [maskRule('$..name')] })],
  ['every leaf', decision({ allowed: [maskRule('', LEAF_CONDITION)] })],
  ['an attribute at any depth', decision({ allowed: [maskRule('', DEEP_CONDITION)] })],
];

describe('a request that nests as deeply as can be allowed', () => {
  test.each(RULES)('is enforced by %s', async (_, body) => {
    const { port } = await startEnforcement({ body }, { maxDepth: DEEPEST, attrName: 'column' });
    const payloads = KINDS.map(([, open, close]) => nested(DEEPEST, open, close));
    const mixed = `{"a":${nested(DEEPEST - 1, '[', ']')}}`;
    const bodies = [...payloads, mixed].map((payload) => enforcing(payload));
    const statuses = await Promise.all(bodies.map(async (text) => (await call(port, { body: text })).status));
    expect(statuses).toEqual([200, 200, 200]);
  });

  test.each([
    ['vendor', 200],
    ['parameters', 400],
  ])('is read if that is %s', async (part, status) => {
    expect(await statusOf(withMember(part, DEEPEST), DEEPEST)).toBe(status);
  });

  test('is searched for its root and its asset ids', async () => {
    const { port } = await startEnforcement(NO_RULES, { maxDepth: DEEPEST });
    const root = enforcing(nested(DEEPEST, '{"a":', '}'), { parameters: { root: '$..b' } });
    expect((await call(port, { body: root })).status).toBe(422);
    const parameters = { calculationType: 'context', assetId: 'a', protectedObject: 'account' };
    const ids = enforcing(`[{"a":${nested(DEEPEST - 2, '[', ']')}}]`, { parameters });
    expect((await call(port, { body: ids })).status).toBe(200);
  });
});

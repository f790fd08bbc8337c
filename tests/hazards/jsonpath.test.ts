import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, maskRule } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

/** Paths that other readers of JSONPath run as code, or take for something that they do not say. */
const REFUSED: readonly string[] = [
  '$[?(@.a)]',
  "$..[?(@.constructor.constructor('return process')().exit(1))]",
  '$[(@.length-1)]',
  '$[?(@property.match(/a/))]',
  '$..a^',
  '$..a~',
  '$.a[',
  '$.a[0',
  '$.a]',
  "$['a",
  '$.',
  '$..',
  '$.a[::0]',
  '$.a[]',
  '$.a..',
  '$.@string()',
  '$.`a`',
];

describe('a JSONPath that is not plain', () => {
  test.each(REFUSED)('is refused in a decision, and the answer has no payload: %s', async (path) => {
    const { port } = await startEnforcement({ body: decision({ access: [maskRule(path)] }) });
    const answer = await call(port, { body: enforcing('[{"a":"x"}]') });
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('decision-not-understood');
  });

  test.each(REFUSED)('is refused in a request, and the PDP is not asked: %s', async (path) => {
    const { port, pdp } = await startEnforcement();
    const bodies = [
      enforcing('[{"a":"x"}]', { parameters: { root: path } }),
      enforcing('[{"a":"x"}]', {
        parameters: { calculationType: 'context', assetId: path, protectedObject: 'account' },
      }),
    ];
    const answers = await Promise.all(bodies.map((body) => call(port, { body })));
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(pdp.requests).toEqual([]);
  });

  test('is refused in a condition, which no record then decides', async () => {
    const condition = { attribute: '$[?(@.a)]', operator: 'EQUALS', values: ['x'] };
    const { port } = await startEnforcement(
      { body: decision({ allowed: [maskRule('', condition)] }) },
      { attrName: 'column' },
    );
    expect((await call(port, { body: enforcing('[{"a":"x"}]') })).status).toBe(502);
  });
});

describe('a plain JSONPath', () => {
  test.each([
    ['$.a', '[{"a":"***","b":["x",{"a":"x"}]}]'],
    ['$..a', '[{"a":"***","b":["x",{"a":"***"}]}]'],
    ["$['a']", '[{"a":"***","b":["x",{"a":"x"}]}]'],
    ['$.b[0]', '[{"a":"x","b":["***",{"a":"x"}]}]'],
    ['$.b[-1:].a', '[{"a":"x","b":["x",{"a":"***"}]}]'],
    ['$[0].*', '[{"a":"***","b":null}]'],
    ['$.*', '[null]'],
  ])('masks what it says: %s', async (path, masked) => {
    const { port } = await startEnforcement({ body: decision({ access: [maskRule(path)] }) });
    expect((await call(port, { body: enforcing('[{"a":"x","b":["x",{"a":"x"}]}]') })).text).toBe(masked);
  });

  test.each(['$ref', '\\$ref'])('is not a name that begins with $: %s', async (path) => {
    const { port } = await startEnforcement({ body: decision({ access: [maskRule(path)] }) });
    expect((await call(port, { body: enforcing('[{"$ref":"x","ref":"y"}]') })).text).toBe(
      '[{"$ref":"***","ref":"y"}]',
    );
  });
});

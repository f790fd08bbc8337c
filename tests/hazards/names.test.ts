import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { decision, literalRule, maskRule } from '../support/decision.ts';
import { startEnforcement } from '../support/service.ts';

afterEach(closeAll);

/** What becomes of a payload by rules of the access section. */
async function enforcedBy(rules: readonly object[], payload: string, parameters = {}): Promise<string> {
  const { port } = await startEnforcement({ body: decision({ access: rules }) });
  return (await call(port, { body: enforcing(payload, { parameters }) })).text;
}

/** Names that mean something to JavaScript, and at which other libraries quietly do nothing. */
const SPECIAL = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'valueOf'];

describe.each(SPECIAL)('a property that is named %s', (name) => {
  test('is masked', async () => {
    expect(await enforcedBy([maskRule(name)], `[{"${name}":"x","a":"y"}]`)).toBe(
      `[{"${name}":"***","a":"y"}]`,
    );
  });

  test('is masked below another, and others below it', async () => {
    const payload = `[{"a":{"${name}":"x"},"${name}":{"a":"y"}}]`;
    expect(await enforcedBy([maskRule(`a.${name}`), maskRule(`${name}.a`)], payload)).toBe(
      `[{"a":{"${name}":"***"},"${name}":{"a":"***"}}]`,
    );
  });

  test('is masked if a wildcard matches it', async () => {
    expect(await enforcedBy([maskRule(`${name.slice(0, 3)}*`)], `[{"${name}":"x"}]`)).toBe(
      `[{"${name}":"***"}]`,
    );
  });

  test('is set if it is missing, on the way to others too', async () => {
    expect(await enforcedBy([literalRule(name, 'new')], '[{}]')).toBe(`[{"${name}":"new"}]`);
    expect(await enforcedBy([literalRule(`${name}.a`, 'new')], '[{}]')).toBe(`[{"${name}":{"a":"new"}}]`);
  });

  test('is absent if the payload does not have it', async () => {
    expect(await enforcedBy([maskRule(name), maskRule(`${name}.a`)], '[{"a":"x"}]')).toBe('[{"a":"x"}]');
  });

  test('may be the root', async () => {
    const payload = `{"${name}":[{"a":"x"}],"a":"y"}`;
    expect(await enforcedBy([maskRule('a')], payload, { root: name })).toBe(
      `{"${name}":[{"a":"***"}],"a":"y"}`,
    );
  });

  test('is read by conditions only if the payload has it', async () => {
    const condition = { attribute: name, operator: 'EQUALS', values: ['x'] };
    const body = decision({ allowed: [maskRule('a', condition)] });
    const { port } = await startEnforcement({ body }, { attrName: 'column' });
    const payload = `[{"a":"1","${name}":"x"},{"a":"2"}]`;
    const { text } = await call(port, { body: enforcing(payload) });
    expect(text).toBe(`[{"a":"***","${name}":"***"},{"a":"2"}]`);
  });
});

describe('an index', () => {
  test.each(['list.5000000', 'list.3', '$.list[5000000]'])(
    'beyond the end of an array makes nothing: %s',
    async (path) => {
      expect(await enforcedBy([literalRule(path, 'new')], '[{"list":["a","b"]}]')).toBe(
        '[{"list":["a","b"]}]',
      );
    },
  );

  test('in brackets is no index but a part of a name', async () => {
    expect(await enforcedBy([literalRule('list[5000000]', 'new')], '[{"list":[]}]')).toBe(
      '[{"list":[],"list[5000000]":"new"}]',
    );
  });

  test('on an object is a name', async () => {
    expect(await enforcedBy([maskRule('a.0')], '[{"a":{"0":"x","1":"y"}}]')).toBe(
      '[{"a":{"0":"***","1":"y"}}]',
    );
  });
});

test('a header whose name has underscores is not taken for one with hyphens', async () => {
  const { port, pdp } = await startEnforcement();
  const headers = {
    x_request_id: 'not-the-id',
    content_encoding: 'gzip',
    content_length: '1',
    connection: 'close',
  };
  const answer = await call(port, { body: enforcing('[]'), headers });
  expect(answer).toMatchObject({ status: 200, text: '[]' });
  expect(answer.headers['x-request-id']).not.toBe('not-the-id');
  expect(pdp.requests[0]?.headers).toMatchObject({
    x_request_id: 'not-the-id',
    content_encoding: 'gzip',
    content_length: '1',
  });
});

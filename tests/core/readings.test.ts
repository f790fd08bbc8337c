import { describe, expect, test } from '@jest/globals';
import { coreEnforce } from './core.ts';

const CONFIG = { attrName: 'column', object: 'table', rootWord: 'result', filter: true };
const DRY = { name: 'Dry', metadata: { DRY_RUN: 'id' } };
const ENFORCED = { name: 'Enforced', metadata: {} };

/** What the core answers a payload where the PDP says this. */
async function enforced(jsonText: string, response: unknown): Promise<unknown> {
  const answer = await coreEnforce({
    config: CONFIG,
    parameters: {},
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [response] },
  });
  return answer.status === 200 ? { text: answer.text, dryRun: answer.dryRun } : answer.status;
}

describe('an access entry', () => {
  test('that names no action asks for the default one', async () => {
    const entry = { resourceType: 'columns', path: 'ssn' };
    expect(await enforced('[{"ssn":"1"}]', { access: [entry] })).toMatchObject({ text: '[{"ssn":"***"}]' });
    expect(await enforced('[{"ssn":"1"}]', { access: [{ ...entry, actions: [] }] })).toMatchObject({
      text: '[{"ssn":"***"}]',
    });
  });

  test('is enforced where any of the policies of its entry and its action is', async () => {
    const entry = { resourceType: 'columns', path: 'ssn', policies: [ENFORCED] };
    const actions = [{ action: 'MASK', accessPolicies: [DRY] }];
    expect(await enforced('[{"id":1,"ssn":"1"}]', { access: [{ ...entry, actions }] })).toEqual({
      text: '[{"id":1,"ssn":"***"}]',
      dryRun: [],
    });
  });

  test.each([true, {}, [true], [{}]])('whose path is %j is not understood', async (path) => {
    const entry = { resourceType: 'columns', path, actions: [{ action: 'MASK' }] };
    expect(await enforced('[{"true":"1"}]', { access: [entry] })).toBe(502);
  });

  test('whose action is no text is not understood', async () => {
    const entry = { resourceType: 'columns', path: 'ssn', actions: [{ action: true }] };
    expect(await enforced('[{"ssn":"1"}]', { access: [entry] })).toBe(502);
  });
});

test('a filter reads the record also at the attribute that elsewhere names properties', async () => {
  const tree = { AND: [{ attribute: 'column', operator: 'EQUALS', values: ['x'] }] };
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'FILTER', 'asset-attributes-filter': tree }] },
  ];
  expect(await enforced('[{"column":"x"},{"column":"y"},{}]', { privileges: { allowed } })).toMatchObject({
    text: '[{"column":"x"}]',
  });
});

test('a root word that holds a scalar is no root', async () => {
  expect(await enforced('{"result":"text","ssn":"1"}', {})).toBe(422);
});

test('paths that begin with the root are of the payload, an index of one element only', async () => {
  const entry = { resourceType: 'columns', path: 'result.1.ssn', actions: [{ action: 'MASK' }] };
  expect(await enforced('{"result":[{"ssn":"1"},{"ssn":"2"}]}', { access: [entry] })).toMatchObject({
    text: '{"result":[{"ssn":"1"},{"ssn":"***"}]}',
  });
});

test('an index in a condition on names is that element only, also beside other alternatives', async () => {
  const tree = { OR: [named('result.#.tags.1'), named('t*.2'), named('id')] };
  const allowed = [
    { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': tree }] },
  ];
  expect(
    await enforced('{"result":[{"id":"a","tags":["x","y","z","w"]}]}', { privileges: { allowed } }),
  ).toMatchObject({ text: '{"result":[{"id":"***","tags":["x","***","***","w"]}]}' });
});

/** A condition that names one property. */
function named(path: string): unknown {
  return { AND: [{ attribute: 'column', operator: 'IN', values: [path] }] };
}

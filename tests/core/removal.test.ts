import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { coreEnforce } from './core.ts';

interface Rule {
  readonly path: string;
  readonly action?: string;
  readonly policy?: object;
}

/** What is left of a payload, byte for byte, when rules are applied to it. */
async function leftOf(jsonText: string, rules: readonly Rule[], options: Options = {}): Promise<string> {
  const { root, allowed = [] } = options;
  const access = rules.map(({ path, action = 'remove()', policy }) => ({
    path,
    resourceType: 'columns',
    attributes: { column: [path] },
    actions: [{ action }],
    ...(policy && { policies: [policy] }),
  }));
  const answer = await coreEnforce({
    config: { attrName: 'column', object: 'table', filter: allowed.length > 0 },
    parameters: root === undefined ? {} : { root },
    vendor: { entityId: 'jane' },
    jsonText,
    decision: { response: [{ access, privileges: { allowed } }] },
  });
  return answer.status === 200 ? [answer.text, ...answer.dryRun].join('\n') : `status ${answer.status}`;
}

interface Options {
  readonly root?: string;
  readonly allowed?: readonly object[];
}

const remove = (...paths: readonly string[]): readonly Rule[] => paths.map((path) => ({ path }));

describe('remove()', () => {
  test.each([
    ['the first', '[{"a":1,"b":2,"c":3}]', ['a'], '[{"b":2,"c":3}]'],
    ['the middle', '[{"a":1,"b":2,"c":3}]', ['b'], '[{"a":1,"c":3}]'],
    ['the last', '[{"a":1,"b":2,"c":3}]', ['c'], '[{"a":1,"b":2}]'],
    ['the first two', '[{"a":1,"b":2,"c":3}]', ['a', 'b'], '[{"c":3}]'],
    ['the last two', '[{"a":1,"b":2,"c":3}]', ['b', 'c'], '[{"a":1}]'],
    ['all but the middle', '[{"a":1,"b":2,"c":3}]', ['a', 'c'], '[{"b":2}]'],
    ['all', '[{"a":1,"b":2,"c":3}]', ['a', 'b', 'c'], '[{}]'],
    ['null', '[{"a":null,"b":null}]', ['a'], '[{"b":null}]'],
    ['each of a repeated name', '[{"a":1,"b":2,"a":3,"c":4,"a":5}]', ['a'], '[{"b":2,"c":4}]'],
    ['an object and what is in it', '[{"a":{"x":1,"y":2},"b":2}]', ['a', 'a.x'], '[{"b":2}]'],
    ['in an object that stays', '[{"a":{"x":1,"y":2},"b":2}]', ['a.x'], '[{"a":{"y":2},"b":2}]'],
    ['all in an object that stays', '[{"a":{"x":1},"b":2}]', ['a.x'], '[{"a":{},"b":2}]'],
    ['an element', '[{"l":[1,2,3]}]', ['l.0'], '[{"l":[2,3]}]'],
    ['the last elements', '[{"l":[1,2,3]}]', ['l.1', 'l.2'], '[{"l":[1]}]'],
    ['every element', '[{"l":[1,[2],{"a":3}]}]', ['l.#'], '[{"l":[]}]'],
    ['a property of elements', '[{"l":[{"a":1},{"a":2,"b":3}]}]', ['l.#.a'], '[{"l":[{},{"b":3}]}]'],
    ['by a wildcard', '[{"x1":1,"y":2,"x2":3}]', ['x?'], '[{"y":2}]'],
    ['what is absent', '[{"b":2}]', ['a'], '[{"b":2}]'],
    [
      'with a name that is no other',
      '[{"__proto__":1,"constructor":2,"a":3}]',
      ['__proto__'],
      '[{"constructor":2,"a":3}]',
    ],
  ])('removes %s', async (_what, payload, paths, expected) => {
    expect(await leftOf(payload, remove(...paths))).toBe(expected);
  });

  test.each([
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', ['a'], '{ "b" : 2 , "c" : 3 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', ['b'], '{ "a" : 1 , "c" : 3 }'],
    ['{ "a" : 1 , "b" : 2 , "c" : 3 }', ['c'], '{ "a" : 1 , "b" : 2 }'],
    ['{\n  "a": 1,\n  "b": 2\n}', ['a'], '{\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', ['b'], '{\n  "a": 1\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', ['a', 'b'], '{\n  \n}'],
  ])('of %j leaves the white space of the neighbours: %j', async (payload, paths, expected) => {
    expect(await leftOf(payload, remove(...paths))).toBe(expected);
  });

  test.each([
    ['{"a":1}', ['a', 'n.x'], '{"n":{"x":"set"}}'],
    ['{"a":1,"b":2}', ['a', 'n.x'], '{"b":2,"n":{"x":"set"}}'],
    ['{"a":1,"b":2}', ['b', 'n.x'], '{"a":1,"n":{"x":"set"}}'],
    ['{ "a" : 1 , "b" : 2 }', ['a', 'b', 'n.x'], '{ "n":{"x":"set"} }'],
    ['{"n":null,"a":1}', ['a', 'n.x'], '{"n":{"x":"set"}}'],
    ['{"a":1,"n":{"y":1}}', ['a', 'n.y', 'n.x'], '{"n":{"x":"set"}}'],
  ])(
    'goes along with what is created in the same object: %s without %j',
    async (payload, paths, expected) => {
      const rules = paths.map((path) => ({ path, ...(path === 'n.x' && { action: 'set' }) }));
      expect(await leftOf(payload, rules)).toBe(expected);
    },
  );

  test('goes along with a mask before and after it', async () => {
    const rules = [{ path: 'a', action: 'MASK' }, { path: 'b' }, { path: 'c', action: 'null()' }];
    expect(await leftOf('[{"a":"x","b":"y","c":"z"}]', rules)).toBe('[{"a":"***","c":null}]');
  });

  test('goes along with a filter in the same list', async () => {
    const tree = { attribute: 'ok', type: 'BOOLEAN', operator: 'EQUALS', values: ['true'] };
    const filter = {
      resourceType: 'columns',
      actions: [{ action: 'FILTER', 'asset-attributes-filter': tree }],
    };
    const payload = '{"r":[{"ok":true,"a":1},{"a":2},{"a":3,"ok":true},{"ok":true,"a":4}]}';
    const left = await leftOf(payload, remove('r.0', 'a'), { root: 'r', allowed: [filter] });
    expect(left).toBe('{"r":[{"ok":true},{"ok":true}]}');
  });

  test.each([
    ['rows', '{"rows":[{"a":1}],"x":1}', ['rows'], '{"x":1}'],
    ['rows', '{"x":1,"rows":{"a":1}}', ['rows'], '{"x":1}'],
    ['rows', '{"x":1,"rows":null}', ['rows'], '{"x":1,"rows":null}'],
    ['d.#.rows', '{"d":[{"rows":[]},{"rows":{"a":1},"y":2}]}', ['d.#.rows'], '{"d":[{"rows":[]},{"y":2}]}'],
    ['rows', '{"rows":[{"a":1},{"a":2}]}', ['rows.#'], '{"rows":[]}'],
    ['rows', '{"rows":[{"a":1},{"a":2},{"a":3}]}', ['rows.1'], '{"rows":[{"a":1},{"a":3}]}'],
    ['rows', '{"rows":[{"a":1},{"a":2},{"a":3}]}', ['rows.0', 'rows.1'], '{"rows":[{"a":3}]}'],
    ['rows', '{"rows":{"a":1},"x":1}', ['rows.#'], '{"x":1}'],
    [undefined, '{"a":1}', ['$'], '{}'],
  ])('of the root %s of %s', async (root, payload, paths, expected) => {
    expect(await leftOf(payload, remove(...paths), root === undefined ? {} : { root })).toBe(expected);
  });

  test('in dry run says so and removes nothing', async () => {
    const policy = { name: 'Drop', metadata: { DRY_RUN: 'id' } };
    const line = 'Enforcement by Policy Drop on id 7 was skipped for User jane';
    const payload = '[{"id":7,"a":1}]';
    expect(await leftOf(payload, [{ path: 'a', policy }])).toBe(`${payload}\n${line}`);
    expect(await leftOf(payload, [{ path: 'id', policy }])).toBe(`${payload}\n${line}`);
  });

  test('is one action like others: the first that holds is applied', async () => {
    const rules = [
      { path: 'a', action: '2::remove()' },
      { path: 'a', action: '1::MASK' },
    ];
    expect(await leftOf('[{"a":1,"b":2}]', rules)).toBe('[{"a":null,"b":2}]');
  });

  test('leaves what JSON.parse would see without the properties, whatever the white space', async () => {
    const space = fc.constantFrom('', ' ', '\n  ', '\t');
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.subarray(['a', 'b', 'c', 'd', 'e']),
        space,
        space,
        async (all, gone, before, after) => {
          const members = all.map((name) => `${before}"${name}"${after}:${before}"${name}!"${after}`);
          const text = await leftOf(`{${members.join(',')}}`, remove(...gone));
          const kept = all.filter((name) => !gone.includes(name));
          expect(JSON.parse(text)).toEqual(Object.fromEntries(kept.map((name) => [name, `${name}!`])));
        },
      ),
      { numRuns: 200 },
    );
  });
});

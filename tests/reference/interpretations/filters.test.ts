import { access, allowed, denied, DRY, entry, interpretations, leaf, skipped, when } from './table.ts';

const onlyOne = when(leaf('n', 'EQUALS', '1'), 'FILTER');
const deny = { config: { filterDefault: undefined } };
const context = { calculationType: 'context', assetId: 'id', protectedObject: 'Account' };

function account(path: string, action: string, more: object = {}): object {
  return { path, resourceType: 'Account', attributes: {}, actions: [{ action }], ...more };
}

const OTHER_DRY = { policies: [{ name: 'Other', metadata: { DRY_RUN: 'id' } }] };

interpretations('filters', [
  {
    name: 'denied ones remove although none is allowed',
    json: '[{"n":1},{"n":2}]',
    says: denied(onlyOne),
    gives: '[{"n":2}]',
  },
  {
    name: 'without any, nothing is authorized',
    json: '[{"n":1},5,null]',
    ...deny,
    says: access('n'),
    gives: '[]',
  },
  {
    name: 'without any, the payload itself is not authorized',
    json: '{"n":1}',
    ...deny,
    says: access('n'),
    gives: '{}',
  },
  {
    name: 'without any, filtering off keeps all',
    json: '[{"n":1}]',
    ...deny,
    parameters: { filter: false },
    says: access('n'),
    gives: '[{"n":null}]',
  },
  {
    name: 'with a denied one only, nothing is authorized',
    json: '[{"n":1},{"n":2}]',
    ...deny,
    says: denied(onlyOne),
    gives: '[]',
  },
  {
    name: 'a root is removed from its object',
    json: '{"a":{"n":1},"b":2}',
    root: 'a',
    says: denied({ action: 'FILTER' }),
    gives: '{"b":2}',
  },
  {
    name: 'a root is removed from its array',
    json: '{"a":[1,{"n":1}]}',
    root: 'a.1',
    says: denied({ action: 'FILTER' }),
    gives: '{"a":[1]}',
  },
  {
    name: 'in the access section they are not understood',
    json: '[{"n":1}]',
    says: access(entry('n', 'FILTER')),
    gives: 502,
  },
  {
    name: 'in the access section they do nothing with filtering off',
    json: '[{"n":1}]',
    parameters: { filter: false },
    says: access(entry('n', 'FILTER')),
    gives: '[{"n":1}]',
  },
  {
    name: 'they read the record at the attribute that elsewhere names properties',
    json: '[{"column":"x"},{"column":"y"},{}]',
    says: allowed(when(leaf('column', 'EQUALS', 'x'), 'FILTER')),
    gives: '[{"column":"x"}]',
  },
  {
    name: 'a record masked as a whole is removed all the same',
    json: '{"r":[{"n":1},{"n":2}]}',
    root: 'r',
    says: { ...access('r.0'), ...denied(onlyOne) },
    gives: '{"r":[{"n":2}]}',
  },
]);

interpretations('filters in dry run', [
  {
    name: 'only such: nothing is removed',
    json: '[5,{"id":"a","n":2}]',
    ...deny,
    says: allowed({ ...onlyOne, ...DRY }),
    gives: '[5,{"id":"a","n":2}]',
    logs: [skipped('unknown'), skipped('a')],
  },
  {
    name: 'effective denied ones still remove',
    json: '[{"id":"a","n":1},{"id":"b","n":2}]',
    ...deny,
    says: {
      privileges: {
        allowed: [{ resourceType: 'columns', actions: [{ action: 'FILTER', ...DRY }] }],
        denied: [{ resourceType: 'columns', actions: [onlyOne] }],
      },
    },
    gives: '[{"id":"b","n":2}]',
    logs: [],
  },
  {
    name: 'next to an effective one they change nothing',
    json: '[{"id":"a","n":1},{"id":"b","n":2}]',
    says: allowed(onlyOne, when(leaf('n', 'EQUALS', '2'), 'FILTER', DRY)),
    gives: '[{"id":"a","n":1}]',
    logs: [],
  },
  {
    name: 'a denied one is logged',
    json: '[{"id":"a","n":1}]',
    says: denied({ ...onlyOne, ...DRY }),
    gives: '[{"id":"a","n":1}]',
    logs: [skipped('a')],
  },
  {
    name: 'one that denies and one that does not allow are both logged',
    json: '[{"id":"a","n":1}]',
    says: {
      privileges: {
        allowed: [
          {
            resourceType: 'columns',
            actions: [when(leaf('n', 'EQUALS', '2'), 'FILTER', OTHER_DRY)],
          },
        ],
        denied: [{ resourceType: 'columns', actions: [{ ...onlyOne, ...DRY }] }],
      },
    },
    gives: '[{"id":"a","n":1}]',
    logs: [skipped('a'), skipped('a').replace('Policy Dry', 'Policy Other')],
  },
  {
    name: 'a denied one does not authorize',
    json: '[{"id":"a","n":1}]',
    ...deny,
    says: denied({ ...onlyOne, ...DRY }),
    gives: '[]',
    logs: [],
  },
]);

interpretations('context mode', [
  {
    name: 'no asset is authorized',
    json: '[{"id":"a1"},{"id":"a2"}]',
    ...deny,
    parameters: context,
    says: access(),
    gives: '[]',
  },
  {
    name: 'one asset is authorized',
    json: '[{"id":"a1"},{"id":"a2"}]',
    ...deny,
    parameters: context,
    says: access(account('a2', 'FILTER')),
    gives: '[{"id":"a2"}]',
  },
  {
    name: 'an id is compared as text',
    json: '[{"id":1},{"id":1.0}]',
    ...deny,
    parameters: context,
    says: access(account('1', 'FILTER')),
    gives: '[{"id":1}]',
  },
  {
    name: 'a denied privilege of the protected object removes',
    json: '[{"id":"a1"},{"id":"a2"}]',
    parameters: context,
    says: {
      privileges: {
        denied: [{ resourceType: 'Account', actions: [when(leaf('id', 'EQUALS', 'a1'), 'FILTER')] }],
      },
    },
    gives: '[{"id":"a2"}]',
  },
  {
    name: 'a denied privilege of the protected object masks',
    json: '[{"id":"a1"}]',
    parameters: context,
    says: { privileges: { denied: [{ resourceType: 'Account', actions: [{ action: 'VIEW' }] }] } },
    gives: '[{"id":"***"}]',
  },
  {
    name: 'an allowed privilege of the protected object masks',
    json: '[{"id":"a1"}]',
    parameters: context,
    says: { privileges: { allowed: [{ resourceType: 'Account', actions: [{ action: 'last(1)' }] }] } },
    gives: '[{"id":"*1"}]',
  },
  {
    name: 'without attrName, privileges of the protected object are not understood',
    json: '[{"id":"a1"}]',
    config: { attrName: undefined, object: undefined },
    parameters: context,
    says: { privileges: { denied: [{ resourceType: 'Account', actions: [{ action: 'MASK' }] }] } },
    gives: 502,
  },
  {
    name: 'an asset’s entry by the payload’s path',
    json: '[{"id":"a1","s":"1"},{"id":"a2","s":"2"}]',
    parameters: context,
    says: access(account('a2', 'MASK', { attributes: { column: 'json.#.s' } })),
    gives: '[{"id":"a1","s":"1"},{"id":"a2","s":"***"}]',
  },
  {
    name: 'an asset’s entry that names the whole root masks its records',
    json: '[{"id":"a1"},{"id":"a2"}]',
    parameters: context,
    says: access(account('a2', 'MASK', { attributes: { column: 'json' } })),
    gives: '[{"id":"a1"},null]',
  },
  {
    name: 'an asset’s entry that names nothing is not understood',
    json: '[{"id":"a1"}]',
    parameters: context,
    says: access(account('a1', 'MASK')),
    gives: 502,
  },
]);

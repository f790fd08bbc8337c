import {
  access,
  allowed,
  column,
  denied,
  DRY,
  entry,
  interpretations,
  skipped,
  when,
  type Row,
} from './table.ts';

interpretations('several rules', [
  {
    name: 'a denied property is masked before any other action',
    json: '[{"v":"abcdefgh"}]',
    says: { ...access(entry('v', '0::last4')), ...denied(when(column('EQUALS', 'v'), 'last4')) },
    gives: '[{"v":"***"}]',
  },
  {
    name: 'what is inside a masked property goes with it',
    json: '[{"a":{"b":"x"}}]',
    says: access(entry('a.b', 'L'), 'a'),
    gives: '[{"a":null}]',
  },
  {
    name: 'what is inside a masked root goes with it',
    json: '{"r":[{"b":"x"}]}',
    root: 'r',
    says: access(entry('b', 'L'), 'r'),
    gives: '{"r":null}',
  },
]);

interpretations('dry runs next to other rules', [
  {
    name: 'of two policies of one name with other identifiers: a line for each',
    json: '[{"id":"a","n":"b","v":"x","w":"y"}]',
    says: access(
      entry('v', 'L', DRY),
      entry('w', 'L', { policies: [{ name: 'Dry', metadata: { DRY_RUN: 'n' } }] }),
    ),
    gives: '[{"id":"a","n":"b","v":"x","w":"y"}]',
    logs: [skipped('a'), 'Enforcement by Policy Dry on n b was skipped for User jane'],
  },
  {
    name: 'after a rule that is applied: no line',
    json: '[{"id":"a","v":"x"}]',
    says: access('v', entry('v', 'L', DRY)),
    gives: '[{"id":"a","v":"***"}]',
    logs: [],
  },
  {
    name: 'before a rule that is applied: a line',
    json: '[{"id":"a","v":"x"}]',
    says: access(entry('v', 'L', DRY), 'v'),
    gives: '[{"id":"a","v":"***"}]',
    logs: [skipped('a')],
  },
  {
    name: 'one policy of several is not in dry run',
    json: '[{"v":"x"}]',
    says: access(entry('v', 'MASK', { policies: [...DRY.policies, { name: 'Effective' }] })),
    gives: '[{"v":"***"}]',
    logs: [],
  },
  {
    name: 'the policy of the action takes effect',
    json: '[{"id":1,"v":"x"}]',
    says: access({
      ...entry('v'),
      ...DRY,
      actions: [{ action: 'MASK', accessPolicies: [{ name: 'Effective' }] }],
    }),
    gives: '[{"id":1,"v":"***"}]',
    logs: [],
  },
  {
    name: 'for a property that another rule creates',
    json: '[{"id":"a"}]',
    says: access(entry('n', 'D', DRY), entry('n', 'L')),
    gives: '[{"id":"a","n":"L"}]',
    logs: [skipped('a')],
  },
  {
    name: 'for a property named # next to a rule for elements, which creates nothing',
    json: '[{"id":"a"}]',
    says: access(entry(String.raw`n.\#`, 'D', DRY), entry('n.#', 'L')),
    gives: '[{"id":"a"}]',
    logs: [skipped('a')],
  },
  {
    name: 'inside a property that another rule creates',
    json: '[{"id":"a"}]',
    says: access(entry('n.m', 'D', DRY), entry('n', 'L')),
    gives: '[{"id":"a","n":"L"}]',
    logs: [],
  },
  {
    name: 'around a property that another rule creates',
    json: '[{"id":"a"}]',
    says: access(entry('n', 'D', DRY), entry('n.m', 'L')),
    gives: '[{"id":"a","n":{"m":"L"}}]',
    logs: [skipped('a')],
  },
  {
    name: 'a default mask for a property that another rule creates',
    json: '[{"id":"a"}]',
    says: access(entry('n', 'MASK', DRY), entry('n', 'L')),
    gives: '[{"id":"a","n":"L"}]',
    logs: [],
  },
  {
    name: 'around a property that another rule masks',
    json: '[{"id":"a","c":{"s":"x"}}]',
    says: access(entry('c', 'MASK', DRY), 'c.s'),
    gives: '[{"id":"a","c":{"s":"***"}}]',
    logs: [skipped('a')],
  },
  {
    name: 'of a whole record: its line',
    json: '{"r":[{"id":"a"},{"id":"b"}]}',
    root: 'r',
    says: access(entry('r.1', 'MASK', DRY)),
    gives: '{"r":[{"id":"a"},{"id":"b"}]}',
    logs: [skipped('b')],
  },
  {
    name: 'of the whole root: a line for each record',
    json: '{"r":[{"id":"a"},{"id":"b"}]}',
    root: 'r',
    says: access(entry('r', 'MASK', DRY)),
    gives: '{"r":[{"id":"a"},{"id":"b"}]}',
    logs: [skipped('a'), skipped('b')],
  },
  {
    name: 'of the whole payload: its line',
    json: '{"id":"a"}',
    says: access(entry('json', 'MASK', DRY)),
    gives: '{"id":"a"}',
    logs: [skipped('a')],
  },
  {
    name: 'a record that is removed has no line',
    json: '[{"id":"a"}]',
    says: { ...access(entry('id', 'MASK', DRY)), ...denied({ action: 'FILTER' }) },
    gives: '[]',
    logs: [],
  },
]);

const bare = { config: { attrName: undefined, object: undefined } };

interpretations('decisions for configurations without names', [
  {
    name: 'an allowed mask',
    json: '[{"s":"1"}]',
    ...bare,
    says: allowed(when(column('EQUALS', 's'))),
    gives: 502,
  },
  {
    name: 'an allowed mask without a condition',
    json: '[{"s":"1"}]',
    ...bare,
    says: allowed({ action: 'MASK' }),
    gives: 502,
  },
  { name: 'a denied mask', json: '[{"s":"1"}]', ...bare, says: denied({ action: 'MASK' }), gives: 502 },
  { name: 'a privilege without actions', json: '[{"s":"1"}]', ...bare, says: allowed(), gives: 502 },
  {
    name: 'a mask of another type is ignored',
    json: '[{"s":"1"}]',
    ...bare,
    says: { privileges: { allowed: [{ resourceType: 'other', actions: [{ action: 'MASK' }] }] } },
    gives: '[{"s":"1"}]',
  },
  { name: 'a filter', json: '[{"s":"1"}]', ...bare, says: denied({ action: 'FILTER' }), gives: '[]' },
  { name: 'the path of an entry', json: '[{"p":"1"}]', ...bare, says: access('s'), gives: '[{"p":"***"}]' },
]);

const path = { path: 's', resourceType: 'columns', actions: [{ action: 'MASK' }] };

interpretations('entries', [
  {
    name: 'of a type that is also that of the protected object are about every record',
    json: '[{"id":"a","s":"1"},{"id":"b","s":"2"}]',
    says: access(
      { path: 'a', resourceType: 'columns', attributes: { column: ['s'] }, actions: [{ action: 'MASK' }] },
      { path: 'b', resourceType: 'columns', actions: [{ action: 'FILTER' }] },
    ),
    gives: '[{"id":"b","s":"***"}]',
    parameters: { calculationType: 'context', assetId: 'id', protectedObject: 'columns' },
  },
  {
    name: 'of a type that is also that of the protected object have an identifier as their path, and no property',
    json: '[{"id":"1","s":"1"},{"id":"2","s":"2"}]',
    says: access({ path: '1', resourceType: 'columns', actions: [{ action: 'MASK' }] }),
    gives: 502,
    parameters: { calculationType: 'context', assetId: 'id', protectedObject: 'columns' },
  },
  {
    name: 'that lack the name: the path as it is and below the prefix',
    json: '[{"s":"1","t":{"s":"2"}}]',
    says: access({ ...path, attributes: { table: 't' } }),
    gives: '[{"s":"***","t":{"s":"***"}}]',
  },
  {
    name: 'with an empty list of names lack the name',
    json: '[{"s":"1"}]',
    says: access({ ...path, attributes: { column: [] } }),
    gives: '[{"s":"***"}]',
  },
  {
    name: 'without actions are masked',
    json: '[{"s":"1"}]',
    says: access({ path: 's', resourceType: 'columns' }),
    gives: '[{"s":"***"}]',
  },
  {
    name: 'with an empty list of actions are masked',
    json: '[{"s":"1"}]',
    says: access({ ...path, actions: [] }),
    gives: '[{"s":"***"}]',
  },
  {
    name: 'privileges without actions mask everything',
    json: '[{"s":"1"}]',
    says: allowed(),
    gives: '[{"s":"***"}]',
  },
  {
    name: 'denied privileges without actions mask everything',
    json: '[{"s":"1"}]',
    says: denied(),
    gives: '[{"s":"***"}]',
  },
  ...[true, {}, [true], [{}]].map((odd): Row => ({
    name: `whose path is ${JSON.stringify(odd)}`,
    json: '[{"true":"1"}]',
    says: access({ ...path, path: odd }),
    gives: 502,
  })),
]);

import { expect, test } from '@jest/globals';
import { problemsOf, SETTINGS } from './reading.ts';

const IN_CONTEXT = { ...SETTINGS, protectedObject: 'Account' };

const COLUMN = { attribute: 'column', operator: 'EQUALS', values: ['ssn'] };

function under(...conditions: readonly object[]): object {
  const action = { action: 'MASK', 'asset-attributes-filter': { AND: [COLUMN, ...conditions] } };
  return { privileges: { allowed: [{ resourceType: 'columns', actions: [action] }], denied: [] } };
}

function entry(more: object, resourceType = 'columns', action = 'MASK'): object {
  return { access: [{ resourceType, actions: [{ action }], ...more }] };
}

test.each<[string, object, string]>([
  ['no values', under({ attribute: 'a', operator: 'EQUALS', values: [] }), 'a condition without values'],
  [
    'null among the values',
    under({ attribute: 'a', operator: 'EQUALS', values: ['x', null] }),
    'a part is missing or of the wrong type',
  ],
  [
    'null in a list of one value',
    under({ attribute: 'a', operator: 'EQUALS', values: [null] }),
    'a part is missing or of the wrong type',
  ],
  [
    'an attribute without a name',
    under({ attribute: '', operator: 'EQUALS', values: ['x'] }),
    'a condition without an attribute',
  ],
  ['an empty name', entry({ attributes: { column: '' } }), 'an empty name'],
  ['an empty name among others', entry({ attributes: { column: ['ssn', ''] } }), 'an empty name'],
  ['an empty prefix', entry({ attributes: { column: ['ssn'], table: [''] } }), 'an empty name'],
  ['no name', entry({ attributes: { column: [] } }), 'an entry that names no property'],
  ['nothing that names the assets', entry({ attributes: { column: ['ssn'] } }, 'Account'), 'identifier'],
  ['nothing that names the assets that stay', entry({}, 'Account', 'FILTER'), 'identifier'],
  ['no assets', entry({ path: [], attributes: { column: ['ssn'] } }, 'Account'), 'identifier'],
])('a decision with %s is refused', (_name, section, detail) => {
  expect(problemsOf(section, IN_CONTEXT)).toEqual([
    expect.stringContaining(detail),
    expect.stringContaining(detail),
  ]);
});

test('the same parts with something in them are understood', () => {
  const sections = [
    under({ attribute: 'a', operator: 'EQUALS', values: [''] }),
    entry({ attributes: { column: ['ssn'], table: ['customer'] } }),
    entry({ path: 'a1', attributes: { column: ['ssn'] } }, 'Account'),
    entry({ path: 'a1' }, 'Account', 'FILTER'),
  ];
  const problems = sections.flatMap((section) => problemsOf(section, IN_CONTEXT));
  expect(problems).toEqual(sections.flatMap(() => ['understood', 'understood']));
});

import { expect, test } from '@jest/globals';
import { problemsOf, rulesOf, SETTINGS } from './reading.ts';

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

const NULLS = { AND: null, OR: null, attribute: null, operator: null, values: null, type: null, match: null };

test('null in a condition counts as absent, in leaves and in groups', () => {
  const inner = { ...NULLS, attribute: 'country', operator: 'EQUALS', values: ['DE'] };
  const [written, plain] = [
    under({ ...NULLS, OR: [{ ...NULLS, ...COLUMN }, inner] }),
    under({ OR: [COLUMN, { attribute: 'country', operator: 'EQUALS', values: ['DE'] }] }),
  ].map((section) => rulesOf({ response: [section] }, IN_CONTEXT));
  expect(written).toEqual(plain);
  expect(problemsOf(under(NULLS), IN_CONTEXT)).toEqual([
    expect.stringContaining('a part is missing or of the wrong type'),
    expect.stringContaining('a part is missing or of the wrong type'),
  ]);
  expect(problemsOf(under({ OR: [COLUMN], AND: [] }), IN_CONTEXT)).toEqual([
    expect.stringContaining('an unknown member'),
    expect.stringContaining('an unknown member'),
  ]);
});

test.each([
  ['type', 'INT'],
  ['match', 'SOME'],
  ['operator', 'LIKE'],
])('an unknown %s of a condition is named as such', (name, value) => {
  const leaf = { attribute: 'a', operator: 'EQUALS', values: ['1'], [name]: value };
  const problem = expect.stringMatching(new RegExp(`: an unknown ${name} at .*/AND/1/${name}\\.$`, 'u'));
  expect(problemsOf(under(leaf), IN_CONTEXT)).toEqual([problem, problem]);
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

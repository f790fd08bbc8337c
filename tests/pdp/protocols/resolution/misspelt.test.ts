import { describe, expect, test } from '@jest/globals';
import { problemsOf as problemsWith, problemsOfDecision, SETTINGS } from './reading.ts';

const TREE = { attribute: 'country', operator: 'EQUALS', values: ['US'] };

function problemsOf(section: object): readonly string[] {
  return problemsWith(section, { ...SETTINGS, object: undefined });
}

function filter(inAction: object, inEntry: object = {}): object {
  const entry = { resourceType: 'columns', actions: [{ action: 'FILTER', ...inAction }], ...inEntry };
  return { privileges: { allowed: [entry], denied: [] } };
}

describe('a filter would let all records through without its condition, so', () => {
  test.each([
    'asset-attribute-filter',
    'asset-atributes-filter',
    'asset_attributes_filter',
    'assetAttributesFilter',
    'Asset-Attributes-Filter',
    'asset-attributes-filters',
    'asset-attributes-fliter',
    'attributes-filter',
    'attribute-filter',
    'asset-filter',
  ])('%s is refused', (name) => {
    const detail = `The decision of the PDP is not understood: a condition that is not asset-attributes-filter of an action at /response/0/privileges/allowed/0/actions/0/${name}.`;
    expect(problemsOf(filter({ [name]: TREE }))).toEqual([detail, detail]);
  });

  test('a condition on the entry is refused', () => {
    const [problem] = problemsOf(filter({}, { 'asset-attributes-filter': TREE }));
    expect(problem).toContain('at /response/0/privileges/allowed/0/asset-attributes-filter.');
  });

  test.each([
    'alowed',
    'allow',
    'Denied',
    'dennied',
    'deny',
    'Denials',
    'forbidden',
    'refused',
    'permit',
    'permits',
    'permitted',
  ])('%s is refused in place of allowed or denied', (name) => {
    const problems = problemsOf({ privileges: { [name]: [] } });
    expect(
      problems.map((problem) =>
        /(?:a name that is nearly (?:allowed|denied)|a member that is not read there) at/u.test(problem),
      ),
    ).toEqual([true, true]);
  });

  test.each(['privilege', 'priviliges', 'privs', 'Access', 'acces', 'rules', 'obligations'])(
    '%s is refused in place of a section',
    (name) => {
      const problems = problemsOf({ [name]: [] });
      expect(
        problems.map((problem) =>
          /(?:a name that is nearly (?:access|privileges)|a member that is not read there) at/u.test(problem),
        ),
      ).toEqual([true, true]);
    },
  );
});

describe('rules would be lost in members that are not read, so', () => {
  const entry = { path: 'ssn', resourceType: 'columns', actions: [{ action: 'MASK' }] };
  const sections = { access: [entry] };
  const lost = { denied: [entry] };

  test.each<[place: string, section: object]>([
    ['data/access/0', { data: sections }],
    ['columns/privileges/denied/0', { columns: { privileges: lost } }],
    ['privileges/columns/denied/0', { privileges: { columns: lost } }],
    ['privileges/data/denied/0', { privileges: { allowed: [], denied: [], data: lost } }],
    ['items/0/access/0', { items: [sections] }],
    ['accessList/0', { accessList: [entry] }],
  ])('/%s is refused', (place, section) => {
    const detail = `The decision of the PDP is not understood: rules in a part that is not read at /response/0/${place}.`;
    expect(problemsOf(section)).toEqual([detail, detail]);
  });

  test('but sections without rules, and other members, are not', () => {
    const data = { access: [], privileges: {} };
    const identity = { Access: ['gold'], resourceType: 'columns', actions: ['read'] };
    const section = {
      data,
      more: { title: 'access' },
      identity,
      success: true,
      links: { access: { href: 'x' } },
    };
    expect(problemsOf(section)).toEqual(['understood', 'understood']);
  });

  test('but the same name may be in more sections than different names may be in an answer', () => {
    const response = Array.from({ length: 10_001 }, () => ({ note: { x: 1 } }));
    expect(problemsOfDecision({ response }, SETTINGS)).toEqual(['understood', 'understood']);
  });

  test.each(['allow', 'Decision', 'permit'])('%s: false is refused beside the response', (name) => {
    const detail = `The decision of the PDP is not understood: a denial in a part that is not read at /${name}.`;
    expect(problemsOfDecision({ response: [], [name]: false }, SETTINGS)).toEqual([detail, detail]);
    expect(problemsOfDecision({ response: [], [name]: true }, SETTINGS)).toEqual([
      'understood',
      'understood',
    ]);
  });

  test.each([
    ['decision', 'DENY'],
    ['allow', 'false'],
    ['effect', 'Deny'],
    ['isAllowed', false],
    ['authorized', false],
    ['isDenied', 'true'],
    ['isPermitted', 'no'],
    ['isAuthorized', false],
    ['granted', 'No'],
    ['permitted', false],
    ['result', false],
    ['refused', 'yes'],
  ])('%s: %j is refused beside the response', (name, value) => {
    const detail = `The decision of the PDP is not understood: a denial in a part that is not read at /${name}.`;
    expect(problemsOfDecision({ response: [], [name]: value }, SETTINGS)).toEqual([detail, detail]);
  });

  test.each([
    ['decision', 'PERMIT'],
    ['effect', 'allow'],
    ['result', 'ok'],
    ['denied', 'no'],
    ['note', 'DENY'],
  ])('%s: %j is not', (name, value) => {
    expect(problemsOfDecision({ response: [], [name]: value }, SETTINGS)).toEqual([
      'understood',
      'understood',
    ]);
  });

  test.each(['deny', 'Denied', 'forbidden'])('%s: true is refused beside the response', (name) => {
    const detail = `The decision of the PDP is not understood: a denial in a part that is not read at /${name}.`;
    expect(problemsOfDecision({ response: [], [name]: true }, SETTINGS)).toEqual([detail, detail]);
    const permitting = problemsOfDecision({ response: [], [name]: false }, SETTINGS);
    expect(permitting).toEqual(['understood', 'understood']);
  });
});

describe('an entry would be about its path without its attributes, so', () => {
  const entry = { path: 'ssn', resourceType: 'columns', actions: [{ action: 'MASK' }] };
  const attributes = { column: ['customer.ssn'] };

  test.each(['attribute', 'Attributes', 'atributes', 'attribtues'])('%s is refused', (name) => {
    const detail = `The decision of the PDP is not understood: a name that is nearly attributes at /response/0/access/0/${name}.`;
    expect(problemsOf({ access: [{ ...entry, [name]: attributes }] })).toEqual([detail, detail]);
  });

  test.each(['Column', 'columns', 'colunm'])('%s is refused in place of the attribute column', (name) => {
    const detail = `The decision of the PDP is not understood: a name that is nearly that of an attribute of properties at /response/0/access/0/attributes/${name}.`;
    expect(problemsOf({ access: [{ ...entry, attributes: { [name]: ['ssn'] } }] })).toEqual([detail, detail]);
  });

  test.each(['Column', 'COLUMN'])('%s is refused beside the attribute column', (name) => {
    const section = { access: [{ ...entry, attributes: { ...attributes, [name]: ['ssn'] } }] };
    const detail = `The decision of the PDP is not understood: a name that is nearly that of an attribute of properties at /response/0/access/0/attributes/${name}.`;
    expect(problemsOf(section)).toEqual([detail, detail]);
  });

  test('attributes like it, or like one that is not configured, are ignored next to it', () => {
    const section = { access: [{ ...entry, attributes: { ...attributes, columns: 1, tables: ['x'] } }] };
    expect(problemsOf(section)).toEqual(['understood', 'understood']);
    const others = { access: [{ ...entry, attributes: { volume: ['x'] } }] };
    expect(problemsOf(others)).toEqual(['understood', 'understood']);
  });

  test('names like theirs are ignored next to them', () => {
    const section = { access: [{ ...entry, attributes, attribute: 1 }] };
    expect(problemsOf(section)).toEqual(['understood', 'understood']);
  });
});

describe('a mask would be another one, or come after others, without its value or its actions, so', () => {
  const attributes = { column: ['ssn'] };
  const withAction = (action: object) => ({
    access: [{ resourceType: 'columns', attributes, actions: [action] }],
  });

  test.each(['Value', 'values', 'vlaue', 'vale'])('%s is refused in place of the value', (name) => {
    const detail = `The decision of the PDP is not understood: a name that is nearly value at /response/0/access/0/actions/0/${name}.`;
    expect(problemsOf(withAction({ action: 'Hide', [name]: '1::MASK' }))).toEqual([detail, detail]);
  });

  test.each(['Actions', 'actoins', 'action'])('%s is refused in place of the actions', (name) => {
    const detail = `The decision of the PDP is not understood: a name that is nearly actions at /response/0/access/0/${name}.`;
    const entry = { resourceType: 'columns', attributes, [name]: [{ action: '1::last(4)' }] };
    expect(problemsOf({ access: [entry] })).toEqual([detail, detail]);
  });

  test('names like theirs are ignored next to them, and others without them', () => {
    const actions = [
      { action: 'Hide', value: 'MASK', values: 1 },
      { action: 'MASK', valid: true },
    ];
    const section = { access: [{ resourceType: 'columns', attributes, actions, action: 1 }] };
    expect(problemsOf(section)).toEqual(['understood', 'understood']);
    const others = { access: [{ resourceType: 'columns', attributes, reaction: 1, caption: 'x' }] };
    expect(problemsOf(others)).toEqual(['understood', 'understood']);
  });
});

test('other members of a PDP are ignored', () => {
  const section = { assets: [], id: 1, ...filter({ 'asset-attributes': {}, filterId: 1 }, { asset: 'x' }) };
  expect(problemsOf(section)).toEqual(['understood', 'understood']);
});

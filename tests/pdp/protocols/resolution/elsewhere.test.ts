import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import _ from 'lodash';
import { problemOfText, problemsOf, SETTINGS } from './reading.ts';

/** Why each of the two readers refuses a section, or `understood`. */
function problemsIn(section: object): readonly string[] {
  return problemsOf(section, SETTINGS);
}

/** That both readers refuse it for one reason. */
function both(reason: RegExp): unknown {
  return [expect.stringMatching(reason), expect.stringMatching(reason)];
}

const UNDERSTOOD = ['understood', 'understood'];

/** A mask of a property that is an opaque id unless the attribute of properties says which it is. */
const MASKING = { resourceType: 'columns', path: 'p1', actions: [{ action: 'MASK' }] };

describe('an entry whose properties are named where they are not read', () => {
  test.each<[object]>([
    [{ column: ['ssn'] }],
    [{ table: 'customers' }],
    [{ assetAttributes: { column: ['ssn'] } }],
    [{ values: { table: ['customers'] } }],
    [{ column: ['ssn'], attributes: {} }],
    [{ column: ['ssn'], attributes: { table: ['customers'] } }],
  ])('is refused: %j', (members) => {
    expect(problemsIn({ access: [{ ...MASKING, ...members }] })).toEqual(
      both(/an attribute of properties outside attributes/u),
    );
  });

  test.each<[object]>([
    [{}],
    [{ column: null }],
    [{ owner: { name: 'Ann' }, tags: ['column'] }],
    [{ attributes: { column: ['ssn'] }, assetAttributes: { column: ['ssn'] } }],
    [{ attributes: { column: ['ssn'] }, column: 'ssn' }],
  ])('is understood if nothing is lost: %j', (members) => {
    expect(problemsIn({ access: [{ ...MASKING, ...members }] })).toEqual(UNDERSTOOD);
  });

  test('is refused or read as before, whatever the attributes are called', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(names, fc.boolean(), (name, isNamed) => {
        fc.pre(name !== 'attributes' && !(name in MASKING));
        const attributes = isNamed ? { column: ['ssn'] } : { other: ['ssn'] };
        const problems = problemsIn({ access: [{ ...MASKING, [name]: attributes }] });
        expect(problems.map((problem) => problem !== 'understood')).toEqual([isNamed, isNamed]);
      }),
    );
  });
});

test.each<[object]>([[{ Table: ['b'] }], [{ Column: ['b'] }], [{ TABLE: 'b', table: null }]])(
  'attributes of properties in other letters are refused beside the right ones: %j',
  (members) => {
    const attributes = { column: ['ssn'], table: ['a'], ...members };
    expect(problemsIn({ access: [{ ...MASKING, attributes }] })).toEqual(
      both(/a name that is nearly that of an attribute of properties/u),
    );
  },
);

const CONDITION = { attribute: 'country', operator: 'EQUALS', values: ['US'] };

function filtering(inAction: object, inEntry: object = {}, list = 'allowed'): object {
  const entry = { resourceType: 'columns', actions: [{ action: 'FILTER', ...inAction }], ...inEntry };
  return { privileges: { [list]: [entry] } };
}

describe('a denial in a privilege that is allowed', () => {
  const denials: readonly (readonly [object])[] = [
    [{ effect: 'DENY' }],
    [{ effect: 'denied' }],
    [{ Effect: 'EFFECT_DENY' }],
    [{ denied: true }],
    [{ allow: false }],
    [{ isAllowed: 'false' }],
  ];

  test.each(denials)('is refused: %j', (denial) => {
    expect(problemsIn(filtering({}, denial))).toEqual(
      both(/a denial in a part that is not read at .*\/allowed\/0\/\w+\./u),
    );
    expect(problemsIn(filtering(denial))).toEqual(
      both(/a denial in a part that is not read at .*\/actions\/0\/\w+\./u),
    );
    expect(problemsIn(filtering(denial, denial, 'denied'))).toEqual(UNDERSTOOD);
    expect(problemsIn({ access: [{ ...MASKING, ...denial }] })).toEqual(UNDERSTOOD);
  });

  test.each<[object]>([[{ effect: 'allow' }], [{ denied: false }], [{ result: 'ok' }], [{ allowed: 1 }]])(
    'is none if it permits: %j',
    (permit) => {
      expect(problemsIn(filtering(permit, permit))).toEqual(UNDERSTOOD);
    },
  );
});

describe('a filter whose condition is written in another way', () => {
  const stray = /a condition that is not asset-attributes-filter of an action/u;

  test.each<[object]>([
    [{ attribute: 'country', operator: 'EQUALS', value: 'US' }],
    [{ 'asset-attribute-filter': JSON.stringify(CONDITION) }],
    [{ assetAttributesFilter: [` ${JSON.stringify(CONDITION)}`] }],
  ])('is refused: %j', (members) => {
    expect(problemsIn(filtering(members))).toEqual(both(stray));
    expect(problemsIn(filtering({}, members))).toEqual(both(stray));
    expect(problemsIn(filtering({ policies: [{ name: 'p', ...members }] }))).toEqual(both(stray));
  });

  test.each<[unknown]>([[JSON.stringify(CONDITION)], [''], [[CONDITION]], [[]], [true], [1]])(
    'is refused in its own place: %j',
    (condition) => {
      const misshapen = both(/a part is missing or of the wrong type at .*\/asset-attributes-filter\./u);
      expect(problemsIn(filtering({ 'asset-attributes-filter': condition }))).toEqual(misshapen);
    },
  );

  test('is refused below any name if it has one value', () => {
    const when = { attribute: 'country', operator: 'EQUALS', value: 'US' };
    for (const members of [{ when }, { filter: { AND: [when] } }, { condition: [when] }])
      expect(problemsIn(filtering(members))).toEqual(both(/a condition in a part that is not read/u));
  });

  test('is refused in a list after others', () => {
    const members = { notes: [{ text: 'x' }, CONDITION] };
    expect(problemsIn(filtering(members))).toEqual(both(/a condition in a part that is not read/u));
    expect(problemsIn(filtering({}, members))).toEqual(both(/a condition in a part that is not read/u));
  });

  test('is understood if the text is none', () => {
    expect(problemsIn(filtering({ 'asset-attribute-filter': 'v2', assetAttributesVersion: '2' }))).toEqual(
      UNDERSTOOD,
    );
  });
});

describe('an entry in place of an action or a policy', () => {
  const lost = /rules in a part that is not read/u;
  const other = { resourceType: 'columns', attributes: { column: ['iban'] } };

  test.each<[object]>([[other], [{ ...other, actions: [{ action: 'MASK' }] }]])('is refused: %j', (entry) => {
    expect(problemsIn({ access: [{ ...MASKING, actions: [{ action: 'MASK' }, entry] }] })).toEqual(
      both(lost),
    );
    expect(problemsIn({ access: [{ ...MASKING, policies: [entry] }] })).toEqual(both(lost));
    expect(
      problemsIn({ access: [{ ...MASKING, actions: [{ action: 'MASK', policies: [entry] }] }] }),
    ).toEqual(both(lost));
  });

  test.each<[unknown]>([
    [{ e: [{ ...other, path: 'x' }] }],
    [{ e: { properties: ['iban'], action: 'MASK' } }],
    [[{ key: 'e', value: [{ properties: ['iban'], action: 'MASK' }] }]],
  ])('is refused in metadata: %j', (metadata) => {
    expect(problemsIn({ access: [{ ...MASKING, policies: [{ name: 'p', metadata }] }] })).toEqual(both(lost));
  });

  test.each<[unknown]>([[[other]], [{ x: [other] }], [[{ properties: ['iban'], action: 'MASK' }]]])(
    'is refused in another attribute: %j',
    (owner) => {
      const entry = { ...MASKING, attributes: { column: ['ssn'], owner } };
      expect(problemsIn({ access: [entry] })).toEqual(both(lost));
    },
  );

  test('is understood if a policy or an action repeats the type', () => {
    const policies = [{ name: 'p', resourceType: 'columns', path: '/policies/p' }];
    const actions = [{ action: 'MASK', resourceType: 'columns', policies }];
    expect(problemsIn({ access: [{ ..._.omit(MASKING, 'actions'), actions, policies }] })).toEqual(
      UNDERSTOOD,
    );
  });
});

describe('a name that occurs twice in what is not read is refused', () => {
  test.each([
    ['in a member of an entry', '{"resourceType":"columns","path":"ssn","note":{"a":1,"b":2,"a":3}}'],
    ['in a list after others', '{"resourceType":"columns","path":"ssn","note":[{"a":1},{"a":1,"a":3}]}'],
    ['in a list of an entry', '{"resourceType":"columns","path":"ssn","note":[1,{"a":1,"a":3}]}'],
  ])('%s', (_place, entry) => {
    expect(problemOfText(`{"response":[{"access":[${entry}]}]}`)).toContain('a name that occurs twice');
  });

  test('in the condition of a filter on another type', () => {
    const condition = '{"AND":[{"attribute":"a","attribute":"b","operator":"EQUALS","values":["x"]}]}';
    const entry = `{"resourceType":"others","actions":[{"action":"FILTER","asset-attributes-filter":${condition}}]}`;
    const problem = problemOfText(`{"response":[{"privileges":{"allowed":[${entry}]}}]}`);
    expect(problem).toContain('a name that occurs twice');
  });
});

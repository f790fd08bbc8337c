import { describe, expect, test } from '@jest/globals';
import { referenceEnforce, type EnforcementAnswer, type EnforcementProblem } from './enforce.ts';

const CONFIG = { attrName: 'column', object: 'table', maskString: '***', filter: true };

type Overrides = Partial<Pick<EnforcementProblem, 'config' | 'parameters'>>;

function enforce(
  jsonText: string,
  response: unknown,
  { config = {}, parameters = {} }: Overrides = {},
): EnforcementAnswer {
  const decision = { response: [response] };
  return referenceEnforce({
    config: { ...CONFIG, ...config },
    parameters,
    vendor: { entityId: 'jane' },
    jsonText,
    decision,
  });
}

function textOf(answer: EnforcementAnswer): string | number {
  return answer.status === 200 ? answer.text : answer.status;
}

function access(column: string | readonly string[], action: string, more: object = {}): object {
  return { path: 'p', resourceType: 'columns', attributes: { column }, actions: [{ action }], ...more };
}

function privileges(allowed: readonly object[], denied: readonly object[] = []): object {
  return { privileges: { allowed: entriesWith(allowed), denied: entriesWith(denied) } };
}

function entriesWith(actions: readonly object[]): readonly object[] {
  return actions.length === 0 ? [] : [{ resourceType: 'columns', actions }];
}

function when(action: string, tree: object, more: object = {}): object {
  return { action, 'asset-attributes-filter': tree, ...more };
}

/** Whether a tree holds for a record whose property `v` is the given JSON. */
function holdsFor(json: string, tree: object): boolean {
  return textOf(enforce(`[{"v":${json}}]`, privileges([when('FILTER', tree)]))) !== '[]';
}

function leaf(attribute: string, operator: string, values: readonly string[], more: object = {}): object {
  return { attribute, operator, values, ...more };
}

const DRY = { policies: [{ name: 'Dry', metadata: { DRY_RUN: 'id' } }] };
const skipped = (id: string): string => `Enforcement by Policy Dry on id ${id} was skipped for User jane`;

describe('roots', () => {
  const nested = '{"a":{"a":{"s":"1"}}}';

  test.each<[name: string, json: string, root: string, expected: string | number]>([
    ['a root inside another is refused', nested, '$..a', 422],
    ['a scalar among several roots is refused', '{"r":[{"l":[]},{"l":1}]}', 'r.#.l', 422],
    ['an empty array on the way has no records', '{"r":[]}', 'r.#.l', '{"r":[]}'],
    ['an empty array has no element that an index could select', '{"r":[]}', 'r.0', 422],
    ['a root that is null has no records', '{"r":null}', 'r', '{"r":null}'],
    ['json names the member of the request', '{"r":{"s":"1"}}', 'json.r', '{"r":{"s":"***"}}'],
    [
      'json is a property where the payload has it',
      '{"json":{"s":"1"},"s":"2"}',
      'json',
      '{"json":{"s":"***"},"s":"2"}',
    ],
    [
      'a wildcard root is every place it matches',
      '{"ra":{"s":"1"},"rb":[{"s":"2"}]}',
      'r?',
      '{"ra":{"s":"***"},"rb":[{"s":"***"}]}',
    ],
    [
      'a name that stands twice is two roots',
      '{"r":{"s":"1"},"r":[{"s":"2"}]}',
      'r',
      '{"r":{"s":"***"},"r":[{"s":"***"}]}',
    ],
  ])('%s', (_, json, root, expected) => {
    expect(textOf(enforce(json, { access: [access('s', 'MASK')] }, { parameters: { root } }))).toBe(expected);
  });

  test('a payload path with an index concerns that record only', () => {
    const answer = enforce(
      '{"r":[{"s":"1"},{"s":"2"}]}',
      { access: [access('r.1.s', 'MASK')] },
      { parameters: { root: 'r' } },
    );
    expect(textOf(answer)).toBe('{"r":[{"s":"1"},{"s":"***"}]}');
  });

  test('a condition on a payload path reads its own record only', () => {
    const tree = { AND: [leaf('column', 'EQUALS', ['s']), leaf('r.#.n', 'EQUALS', ['2'])] };
    const answer = enforce('{"r":[{"s":"1","n":1},{"s":"2","n":2}]}', privileges([when('MASK', tree)]), {
      parameters: { root: 'r' },
    });
    expect(textOf(answer)).toBe('{"r":[{"s":"1","n":1},{"s":"***","n":2}]}');
  });

  test('a root in the request leaves the root word no part', () => {
    const answer = enforce(
      '{"d":[{"result":{"s":"1"}}]}',
      { access: [access('result.s', 'MASK')] },
      {
        config: { rootWord: 'result' },
        parameters: { root: 'd' },
      },
    );
    expect(textOf(answer)).toBe('{"d":[{"result":{"s":"***"}}]}');
  });
});

describe('filters', () => {
  const onlyOne = when('FILTER', leaf('n', 'EQUALS', ['1']));

  test('remove what is no record, at any depth of nested arrays', () => {
    expect(textOf(enforce('[5,[{"n":1},null,{"n":2}],"x"]', privileges([onlyOne])))).toBe('[[{"n":1}]]');
  });

  test('leave what is no record where they are all in dry run', () => {
    const answer = enforce('[5,{"id":"a","n":2}]', privileges([{ ...onlyOne, ...DRY }]));
    expect(answer).toEqual({ status: 200, text: '[5,{"id":"a","n":2}]', dryRun: [skipped('a')] });
  });

  test('that are denied remove although none is allowed', () => {
    expect(textOf(enforce('[{"n":1},{"n":2}]', privileges([], [onlyOne])))).toBe('[{"n":2}]');
  });

  test('remove a root from the object or array that holds it', () => {
    const denied = privileges([], [{ action: 'FILTER' }]);
    expect(textOf(enforce('{"a":{"n":1},"b":2}', denied, { parameters: { root: 'a' } }))).toBe('{"b":2}');
    expect(textOf(enforce('{"a":[1,{"n":1}]}', denied, { parameters: { root: 'a.1' } }))).toBe('{"a":[1]}');
  });

  test('in the access section are not understood while filtering is on, and nothing while it is off', () => {
    const entry = { access: [access('n', 'FILTER')] };
    expect(textOf(enforce('[{"n":1}]', entry))).toBe(502);
    expect(textOf(enforce('[{"n":1}]', entry, { parameters: { filter: false } }))).toBe('[{"n":1}]');
  });

  test('in dry run are logged only where they decide', () => {
    const allowed = when('FILTER', leaf('n', 'EQUALS', ['1']));
    const dryAllowed = when('FILTER', leaf('n', 'EQUALS', ['2']), DRY);
    const answer = enforce('[{"id":"a","n":1},{"id":"b","n":2}]', privileges([allowed, dryAllowed]));
    expect(answer).toEqual({ status: 200, text: '[{"id":"a","n":1}]', dryRun: [] });
  });
});

describe('literals', () => {
  test.each<[name: string, json: string, path: string, expected: string]>([
    ['replace a null on the way', '[{"a":null}]', 'a.b', '[{"a":{"b":"L"}}]'],
    ['replace null elements on the way', '[{"a":[null,{},1]}]', 'a.#.b', '[{"a":[{"b":"L"},{"b":"L"},1]}]'],
    ['are created in arrays that the path does not mention', '[{"a":[{}]}]', 'a.b', '[{"a":[{"b":"L"}]}]'],
    ['are not created past the end of an array', '[{"a":["x"]}]', 'a.1', '[{"a":["x"]}]'],
    ['are not created through a wildcard', '[{"ab":{}}]', 'a*.c', '[{"ab":{}}]'],
    ['fill what a wildcard matches', '[{"ab":null}]', 'a*', '[{"ab":"L"}]'],
    ['are not created below descendants', '[{"a":{}}]', '$..b', '[{"a":{}}]'],
    [
      'fill every empty element',
      '[{"a":["",[],{},null,1,"x"]}]',
      'a.#',
      '[{"a":["L","L","L","L",null,"L"]}]',
    ],
    [
      'are set at every place of a name that stands twice',
      '[{"a":1,"a":"x","a":null}]',
      'a',
      '[{"a":null,"a":"L","a":"L"}]',
    ],
    ['may be digits on an object', '[{"a":{}}]', 'a.0', '[{"a":{"0":"L"}}]'],
  ])('%s', (_, json, path, expected) => {
    expect(textOf(enforce(json, { access: [access(path, 'L')] }))).toBe(expected);
  });

  test('share the objects they create', () => {
    const entries = [access('a.b', 'L'), access('a.c', 'M')];
    expect(textOf(enforce('[{}]', { access: entries }))).toBe('[{"a":{"b":"L","c":"M"}}]');
  });

  test('are created by a condition tree that names the property', () => {
    const tree = { AND: [leaf('column', 'EQUALS', ['b']), leaf('table', 'EQUALS', ['a'])] };
    expect(textOf(enforce('[{}]', privileges([when('L', tree)])))).toBe('[{"a":{"b":"L"}}]');
  });

  test('are not created where an earlier rule for the property does nothing', () => {
    expect(textOf(enforce('[{}]', { access: [access('a', 'MASK'), access('a', 'L')] }))).toBe('[{}]');
  });
});

describe('condition trees on property names', () => {
  const record = '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["a",{}],"n":null}]';

  test.each<[name: string, tree: object, expected: string]>([
    [
      'a positive operator masks a container as a whole',
      leaf('column', 'STARTWITH', ['c']),
      '[{"c":null,"t":["a",{}],"n":null}]',
    ],
    [
      'either spelling of an array may fit',
      leaf('column', 'ENDWITH', ['t.#']),
      '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["***",null],"n":null}]',
    ],
    [
      'a negated operator masks leaves',
      leaf('column', 'NOTEQUALS', ['c.name']),
      '[{"c":{"name":"x","d":{"ssn":"***"}},"t":["***",{}],"n":null}]',
    ],
    [
      'a tree without names masks every leaf',
      { AND: [] },
      '[{"c":{"name":"***","d":{"ssn":"***"}},"t":["***",{}],"n":null}]',
    ],
    [
      'a prefix alone masks the leaves below it',
      leaf('table', 'EQUALS', ['c']),
      '[{"c":{"name":"***","d":{"ssn":"***"}},"t":["a",{}],"n":null}]',
    ],
    [
      'the path may be split anywhere',
      { AND: [leaf('table', 'EQUALS', ['c.d']), leaf('column', 'EQUALS', ['ssn'])] },
      '[{"c":{"name":"x","d":{"ssn":"***"}},"t":["a",{}],"n":null}]',
    ],
    ['an empty OR holds for none', { OR: [] }, record],
  ])('%s', (_, tree, expected) => {
    expect(textOf(enforce(record, privileges([when('MASK', tree)])))).toBe(expected);
  });

  test.each<[name: string, tree: object]>([
    ['a node without anything', {}],
    ['AND beside OR', { AND: [], OR: [] }],
    ['an unknown type', leaf('n', 'EQUALS', ['x'], { type: 'COLOUR' })],
    ['no values', leaf('n', 'EQUALS', [])],
    ['a value that is not of its type', leaf('n', 'EQUALS', ['x'], { type: 'INTEGER' })],
    ['an order of booleans', leaf('n', 'LESS', ['true'], { type: 'BOOLEAN' })],
  ])('%s is not understood', (_, tree) => {
    expect(textOf(enforce(record, privileges([when('MASK', tree)])))).toBe(502);
  });
});

describe('conditions on the record', () => {
  test.each<[json: string, operator: string, value: string, more: object, expected: boolean]>([
    ['null', 'EQUALS', 'x', {}, false],
    ['null', 'NOTEQUALS', 'x', {}, true],
    ['[]', 'NOT_IN', 'x', {}, true],
    ['{}', 'NOTEQUALS', 'x', {}, true],
    ['1.10', 'EQUALS', '1.10', {}, true],
    ['1.10', 'EQUALS', '1.1', {}, false],
    ['1.10', 'EQUALS', '1.1', { type: 'NUMBER' }, true],
    ['"1.10"', 'EQUALS', '1.1', { type: 'NUMBER' }, true],
    ['1e400', 'GREATER', '1e399', { type: 'NUMBER' }, true],
    ['-1e400', 'LESS', '0', { type: 'NUMBER' }, true],
    ['9007199254740993', 'EQUALS', '9007199254740992', { type: 'INTEGER' }, false],
    ['true', 'EQUALS', 'true', { type: 'BOOLEAN' }, true],
    ['"2024-05-01 00:00"', 'EQUALS', '2024-05-01', { type: 'DATE' }, true],
    ['"2024-05-01T01:00:00+01:00"', 'EQUALS', '2024-05-01', { type: 'DATETIME' }, true],
    ['"2024-02-30"', 'GREATER', '2024-01-01', { type: 'DATE' }, false],
    ['"soon"', 'NOTEQUALS', '2024-01-01', { type: 'DATE' }, true],
    ['123', 'CONTAINS', '2', { type: 'INTEGER' }, true],
    ['["x","y"]', 'NOTEQUALS', 'x', {}, false],
    ['["x","y"]', 'EQUALS', 'x', { match: 'ALL' }, false],
    ['["x",["x"]]', 'EQUALS', 'x', { match: 'ALL' }, true],
    ['[]', 'EQUALS', 'x', { match: 'ALL' }, false],
  ])('%s %s %s %o is %s', (json, operator, value, more, expected) => {
    expect(holdsFor(json, leaf('v', operator, [value], more))).toBe(expected);
  });

  test('a last # is the length of an array', () => {
    expect(holdsFor('[1,2]', leaf('v.#', 'EQUALS', ['2'], { type: 'INTEGER' }))).toBe(true);
  });

  test('of a name that stands twice the last is read', () => {
    const answer = enforce('[{"v":"a","v":"b"}]', privileges([when('FILTER', leaf('v', 'EQUALS', ['b']))]));
    expect(textOf(answer)).toBe('[{"v":"a","v":"b"}]');
  });
});

describe('several rules on one record', () => {
  test('a denied property is masked before any other action', () => {
    const both = {
      access: [access('v', '0::last4')],
      ...privileges([], [when('last4', leaf('column', 'EQUALS', ['v']))]),
    };
    expect(textOf(enforce('[{"v":"abcdefgh"}]', both))).toBe('[{"v":"***"}]');
  });

  test('what is inside a masked property goes with it', () => {
    expect(textOf(enforce('[{"a":{"b":"x"}}]', { access: [access('a.b', 'L'), access('a', 'MASK')] }))).toBe(
      '[{"a":null}]',
    );
  });

  test('a dry run is not logged behind a rule that is applied', () => {
    const answer = enforce('[{"id":"a","v":"x"}]', { access: [access('v', 'MASK'), access('v', 'L', DRY)] });
    expect(answer).toEqual({ status: 200, text: '[{"id":"a","v":"***"}]', dryRun: [] });
  });

  test('a rule is enforced when one of its policies is not in dry run', () => {
    const policies = [...DRY.policies, { name: 'Effective' }];
    expect(textOf(enforce('[{"v":"x"}]', { access: [access('v', 'MASK', { policies })] }))).toBe(
      '[{"v":"***"}]',
    );
  });
});

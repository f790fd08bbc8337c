import { allowed, interpretations, leaf, when, type Row } from './table.ts';

/** Whether a comparison holds for a record whose property `v` is the given JSON. */
function holds(json: string, operator: string, value: string, more: object, expected: boolean): Row {
  return {
    name: `${json} ${operator} ${value} ${JSON.stringify(more)}`,
    json: `[{"v":${json}}]`,
    says: allowed(when(leaf('v', operator, [value], more), 'FILTER')),
    gives: expected ? `[{"v":${json}}]` : '[]',
  };
}

const NUMBER = { type: 'NUMBER' };
const INTEGER = { type: 'INTEGER' };
const DATE = { type: 'DATE' };
const TIME = { type: 'DATETIME' };

interpretations('values of a record', [
  holds('null', 'EQUALS', 'x', {}, false),
  holds('null', 'NOTEQUALS', 'x', {}, true),
  holds('[]', 'NOT_IN', 'x', {}, true),
  holds('{}', 'NOTEQUALS', 'x', {}, true),
  holds('1.10', 'EQUALS', '1.10', {}, true),
  holds('1.10', 'EQUALS', '1.1', {}, false),
  holds('true', 'EQUALS', 'true', { type: 'BOOLEAN' }, true),
  holds('"TRUE"', 'EQUALS', 'True', { type: 'BOOLEAN' }, true),
  holds('123', 'CONTAINS', '2', INTEGER, true),
  holds('["x","y"]', 'NOTEQUALS', 'x', {}, false),
  holds('["x","y"]', 'EQUALS', 'x', { match: 'ALL' }, false),
  holds('["x",["x"]]', 'EQUALS', 'x', { match: 'ALL' }, true),
  holds('["x",null]', 'EQUALS', 'x', { match: 'ALL' }, true),
  holds('["x",{}]', 'EQUALS', 'x', { match: 'ALL' }, false),
  holds('[]', 'EQUALS', 'x', { match: 'ALL' }, false),
  {
    name: 'a last # is the length of an array',
    json: '[{"v":[1,2]}]',
    says: allowed(when(leaf('v.#', 'EQUALS', '2', INTEGER), 'FILTER')),
    gives: '[{"v":[1,2]}]',
  },
  {
    name: 'the last of two equal names is read',
    json: '[{"v":"a","v":"b"}]',
    says: allowed(when(leaf('v', 'EQUALS', 'b'), 'FILTER')),
    gives: '[{"v":"a","v":"b"}]',
  },
]);

/** What a filter on `attribute` EQUALS `x` leaves of records: an index alone names a record, which is no attribute. */
function kept(attribute: string, json: string, gives: string, config: object = {}): Row {
  return {
    name: `${attribute} in ${json} ${JSON.stringify(config)}`,
    json,
    ...config,
    says: allowed(when(leaf(attribute, 'EQUALS', ['x']), 'FILTER')),
    gives,
  };
}

interpretations('attributes that are digits, or several names', [
  kept('1', '[{"1":"x"}]', '[{"1":"x"}]'),
  kept('1', '[{"1":"x"},{"1":"y"}]', '[{"1":"x"}]'),
  kept('0', '[{"0":"x"},{"0":"y"}]', '[{"0":"x"}]'),
  kept('0', '{"0":"x"}', '{"0":"x"}'),
  kept("$['rows','x']['v','w']", '{"rows":[{"v":"x"},{"v":"y"}]}', '{"rows":[{"v":"x"}]}', { root: 'rows' }),
  kept('1.a', '[{"1":{"a":"x"}},{"a":"x"}]', '[{"1":{"a":"x"}},{"a":"x"}]'),
  kept('0.0', '[{"0":"x"},{"0":"y"}]', '[{"0":"x"},{"0":"y"}]'),
  kept('1.0', '[{"0":"x"},{"0":"y"}]', '[]'),
  kept('rows.0.0', '{"rows":[{"0":"x"},{"0":"y"}]}', '{"rows":[{"0":"x"},{"0":"y"}]}', { root: 'rows' }),
  kept('rows.1.0', '{"rows":[{"0":"x"},{"0":"y"}]}', '{"rows":[]}', { root: 'rows' }),
  kept('rows.#.0', '{"rows":[{"0":"x"},{"0":"y"}]}', '{"rows":[{"0":"x"}]}', { root: 'rows' }),
  kept('rows.0.0', '{"rows":[["x"],{}]}', '{"rows":[[]]}', { root: 'rows' }),
  kept('rows.0.0', '{"rows":[[{"0":"x"}],{}]}', '{"rows":[[]]}', { root: 'rows' }),
  kept('rows.0.0.0', '{"rows":[[{"0":"x"}],{}]}', '{"rows":[[{"0":"x"}],{}]}', { root: 'rows' }),
]);

/** The same with a root, and a root word that the payload lacks. */
function keptAt(root: string, rootWord: string, attribute: string, json: string, gives: string): Row {
  return kept(attribute, json, gives, { root, config: { rootWord } });
}

interpretations('attributes that may lead to the records and elsewhere', [
  keptAt('a', '0', '$..*.a', '{"a":{"0":true},"r":{"a":"x"}}', '{"r":{"a":"x"}}'),
  keptAt('#.#.json', '0', 'json.?.1', '[[{"json":{"r":[0,null]}}],["x"]]', '[[{}],["x"]]'),
  keptAt('#.rows', 'a', '$..a', '[{"rows":[{}]},"x"]', '[{"rows":[]},"x"]'),
  keptAt('a.*.1', 'w', '$..a', '{"a":{"a":["x",null],"r":[0,{}]}}', '{"a":{"a":["x",null],"r":[0,{}]}}'),
  keptAt('#.json', 'w', '$..*', '["x",{"json":[{}],"json":null}]', '["x",{"json":[{}],"json":null}]'),
  keptAt('#.*', 'w', 'json.a', '[{"b":{},"json":{"a":"x"}}]', '[{"json":{"a":"x"}}]'),
  keptAt('#.*', 'w', 'r.a', '[{"b":{},"r":{"a":"x"}}]', '[{"r":{"a":"x"}}]'),
  ...['$[-1]', '$[1]'].map((list) => kept(`${list}['0']`, '[[{}],["x"]]', '[[],[]]')),
]);

interpretations('numbers', [
  holds('1.10', 'EQUALS', '1.1', NUMBER, true),
  holds('"1.10"', 'EQUALS', '1.1', NUMBER, true),
  holds('1e400', 'GREATER', '1e399', NUMBER, true),
  holds('-1e400', 'LESS', '0', NUMBER, true),
  holds('-0', 'EQUALS', '0', NUMBER, true),
  holds('1e12345678901234567', 'GREATER', '5', NUMBER, true),
  holds('1e-12345678901234567', 'LESS', '5', NUMBER, true),
  holds('10e12345678901234566', 'EQUALS', '1e12345678901234567', NUMBER, true),
  holds('0e99999999999999999999', 'EQUALS', '0', NUMBER, true),
  holds('9007199254740993', 'EQUALS', '9007199254740992', INTEGER, false),
  holds('1.0', 'EQUALS', '1', INTEGER, true),
  holds('1e2', 'EQUALS', '100', INTEGER, true),
  holds('"01"', 'EQUALS', '1', INTEGER, false),
  holds('"+1"', 'EQUALS', '1', INTEGER, false),
  holds('" 1"', 'EQUALS', '1', INTEGER, false),
]);

interpretations('dates and times', [
  holds('"2024-05-01T01:00:00+01:00"', 'EQUALS', '2024-05-01', TIME, true),
  holds('"2024-05-01T01:00:00+01"', 'EQUALS', '2024-05-01', TIME, true),
  holds('"2024-05-01"', 'EQUALS', '2024-05-01T00:00Z', TIME, true),
  holds('"2024-05-01T10:00"', 'EQUALS', '2024-05-01T10:00:00.000Z', TIME, true),
  holds('"2024-05-01T10Z"', 'EQUALS', '2024-05-01T10:00:00Z', TIME, true),
  holds('"2024-05-01T24:00:00Z"', 'EQUALS', '2024-05-02', TIME, true),
  holds('"2024-05-01T24:00:01Z"', 'GREATER', '2024-05-01', TIME, false),
  holds('"2024-05-01T23:59:59.99999999999Z"', 'LESS', '2024-05-02', TIME, true),
  holds('"2024-05-01T00:00:00.00000000001Z"', 'GREATER', '2024-05-01', TIME, true),
  holds('"2016-12-31T23:59:60Z"', 'EQUALS', '2017-01-01', TIME, true),
  holds('"2017-01-01T00:59:60+01:00"', 'EQUALS', '2017-01-01', TIME, true),
  holds('"2016-12-30T23:59:60Z"', 'GREATER', '2000-01-01', TIME, false),
  holds('"2016-12-31T12:00:60Z"', 'GREATER', '2000-01-01', TIME, false),
  holds('"2024-05-01T10:00+99:99"', 'GREATER', '2000-01-01', TIME, false),
  holds('"2024-05-01T10:00+24:00"', 'GREATER', '2000-01-01', TIME, false),
  holds('"2024-05-01T10:00-23:59"', 'EQUALS', '2024-05-02T09:59Z', TIME, true),
  holds('"+10000-01-01"', 'GREATER', '9999-12-31', DATE, true),
  holds('"10000-01-01"', 'GREATER', '9999-12-31', DATE, false),
  holds('"-00001-12-31"', 'LESS', '0000-01-01', DATE, true),
  holds('"+123456789012345678901-02-29"', 'GREATER', '9999-12-31', DATE, false),
  holds('"+123456789012345678900-03-01"', 'GREATER', '+123456789012345678900-02-28', DATE, true),
  holds('"0000-02-29"', 'LESS', '0000-03-01', DATE, true),
  holds('"2024-02-30"', 'GREATER', '2024-01-01', DATE, false),
  holds('"soon"', 'NOTEQUALS', '2024-01-01', DATE, true),
  holds('20240501', 'GREATER', '2000-01-01', DATE, false),
]);

interpretations(
  'trees that are not understood',
  (
    [
      ['a node without anything', {}],
      ['AND next to OR', { AND: [], OR: [] }],
      ['an unknown type', leaf('n', 'EQUALS', ['x'], { type: 'COLOUR' })],
      ['no values', leaf('n', 'EQUALS', [])],
      ['a value that is not of its type', leaf('n', 'EQUALS', ['x'], INTEGER)],
      ['an order of booleans', leaf('n', 'LESS', ['true'], { type: 'BOOLEAN' })],
      ['an empty attribute', leaf('', 'EQUALS', ['x'])],
      ['an empty name', leaf('column', 'EQUALS', ['ssn', ''])],
      ['an empty name that is excluded', leaf('column', 'NOT_IN', ['ssn', ''])],
      ['an empty prefix', leaf('table', 'EQUALS', [''])],
    ] as const
  ).map(([name, tree]) => ({ name, json: '[{"n":1}]', says: allowed(when(tree)), gives: 502 })),
);

import { allowed, column, denied, interpretations, leaf, table, when, type Row } from './table.ts';

const ROWS = '{"rows":[{"ssn":"1","status":"x","b":{"ssn":"2"}}]}';

function named(tree: object, gives: string, more: Partial<Row> = {}): Row {
  return { name: JSON.stringify(tree), json: ROWS, root: 'rows', says: denied(when(tree)), gives, ...more };
}

const ALL = '{"rows":[{"ssn":"***","status":"***","b":{"ssn":"***"}}]}';
const NONE = ROWS;
const ONLY_B = '{"rows":[{"ssn":"1","status":"x","b":{"ssn":"***"}}]}';
const NOT_B = '{"rows":[{"ssn":"***","status":"***","b":{"ssn":"2"}}]}';

interpretations('names in conditions, with the root rows', [
  named(table('EQUALS', 'rows'), ALL),
  named(table('STARTS_WITH', 'ro'), ALL),
  named(table('CONTAINS', 'ows'), ALL),
  named(table('EQUALS', 'rows.#'), ALL),
  named(table('EQUALS', 'json.rows'), ALL),
  named(table('EQUALS', 'json'), ALL),
  named(table('NOT_IN', 'rows'), NONE),
  named({ AND: [table('EQUALS', 'rows'), leaf('status', 'EQUALS', 'x')] }, ALL),
  named({ AND: [table('EQUALS', 'rows'), leaf('status', 'EQUALS', 'y')] }, NONE),
  named(
    { AND: [table('EQUALS', 'rows'), column('EQUALS', 'ssn')] },
    '{"rows":[{"ssn":"***","status":"x","b":{"ssn":"***"}}]}',
  ),
  named({ AND: [table('EQUALS', 'rows'), table('EQUALS', 'b')] }, ONLY_B),
  named({ AND: [table('EQUALS', 'rows'), table('EQUALS', 'b'), column('EQUALS', 'ssn')] }, ONLY_B),
  named({ AND: [table('STARTS_WITH', 'ro'), table('EQUALS', 'b')] }, ONLY_B),
  named({ AND: [table('EQUALS', 'rows'), table('NOT_EQUALS', 'b')] }, NOT_B),
  named({ AND: [table('EQUALS', 'rows'), column('NOT_EQUALS', 'b.ssn')] }, NOT_B),
  named(
    { AND: [table('NOT_EQUALS', 'hr'), column('NOT_EQUALS', 'ssn')] },
    '{"rows":[{"ssn":"1","status":"***","b":{"ssn":"***"}}]}',
  ),
  named(
    { AND: [table('NOT_EQUALS', 'hr'), column('EQUALS', '*')] },
    '{"rows":[{"ssn":"***","status":"***","b":null}]}',
  ),
  named({ AND: [table('NOT_EQUALS', 'hr'), column('EQUALS', 'r*')] }, NONE),
  named({ AND: [table('NOT_EQUALS', 'hr'), column('EQUALS', 'rows')] }, '{"rows":[null]}'),
  named(
    { AND: [table('EQUALS', 'rows.b'), column('EQUALS', 'ssn')] },
    '{"rows":[{"ssn":"1","status":"x","b":{"ssn":"***"}}]}',
  ),
  named(column('STARTS_WITH', 'row'), '{"rows":[{"ssn":"***","status":"***","b":null}]}'),
  named(column('CONTAINS', 'ws.b.s'), '{"rows":[{"ssn":"1","status":"x","b":{"ssn":"***"}}]}'),
  named(column('STARTS_WITH', 'rows.0.s'), '{"rows":[{"ssn":"***","status":"***","b":{"ssn":"2"}}]}'),
  named(column('STARTS_WITH', 'rows.#.s'), '{"rows":[{"ssn":"***","status":"***","b":{"ssn":"2"}}]}'),
  named(column('STARTS_WITH', 'json.rows.s'), '{"rows":[{"ssn":"***","status":"***","b":{"ssn":"2"}}]}'),
  named(column('CONTAINS', 'so'), NONE),
  named(column('EQUALS', '*.ssn'), '{"rows":[{"ssn":"***","status":"x","b":{"ssn":"***"}}]}'),
  named(column('NOT_IN', 'rows.status'), '{"rows":[{"ssn":"***","status":"x","b":{"ssn":"***"}}]}'),
  named(column('NOT_CONTAINS', 'rows'), NONE),
  named(
    { AND: [column('NOT_IN', 'rows.status'), table('EQUALS', 'b')] },
    '{"rows":[{"ssn":"1","status":"x","b":{"ssn":"***"}}]}',
  ),
]);

const NESTED = '[{"a":{"b":{"s":"1","t":"2"}},"s":"3"}]';

function nested(tree: object, gives: string): Row {
  return { name: JSON.stringify(tree), json: NESTED, says: denied(when(tree)), gives };
}

interpretations('a prefix beside other leaves on names', [
  nested({ AND: [table('EQUALS', 'a'), column('EQUALS', 's')] }, '[{"a":{"b":{"s":"***","t":"2"}},"s":"3"}]'),
  nested(
    { AND: [table('EQUALS', 'a'), column('STARTS_WITH', 's')] },
    '[{"a":{"b":{"s":"***","t":"2"}},"s":"3"}]',
  ),
  nested(
    { AND: [table('ENDS_WITH', 'a'), column('EQUALS', 's')] },
    '[{"a":{"b":{"s":"***","t":"2"}},"s":"3"}]',
  ),
  nested(
    { AND: [table('EQUALS', 'a'), table('EQUALS', 'a.b')] },
    '[{"a":{"b":{"s":"***","t":"***"}},"s":"3"}]',
  ),
  nested(
    { AND: [{ OR: [table('EQUALS', 'a'), table('NOT_EQUALS', 'a')] }, column('EQUALS', 's')] },
    '[{"a":{"b":{"s":"***","t":"2"}},"s":"***"}]',
  ),
  nested(
    { AND: [table('EQUALS', 'a'), column('NOT_EQUALS', 'b.s')] },
    '[{"a":{"b":{"s":"1","t":"***"}},"s":"3"}]',
  ),
  nested(
    { AND: [table('EQUALS', 'a.b'), column('NOT_EQUALS', 's')] },
    '[{"a":{"b":{"s":"1","t":"***"}},"s":"3"}]',
  ),
  nested(
    { AND: [table('EQUALS', 'a'), column('NOT_EQUALS', 's')] },
    '[{"a":{"b":{"s":"***","t":"***"}},"s":"3"}]',
  ),
]);

interpretations('JSONPath beside a prefix', [
  ...['$.*', '$[*]'].map((path) => ({
    name: `${path} names no root`,
    json: '{"rows":{"s":"1","o":{"t":"2"}}}',
    root: 'rows',
    says: allowed(when({ AND: [table('NOT_EQUALS', 'hr'), column('EQUALS', path)] })),
    gives: '{"rows":{"s":"***","o":null}}',
  })),
  {
    name: '$ names nothing below a prefix',
    json: '[{"b":["1"],"c":"2"}]',
    says: denied(when({ AND: [table('EQUALS', 'b'), column('NOT_EQUALS', '$')] })),
    gives: '[{"b":["***"],"c":"2"}]',
  },
]);

interpretations('negated leaves on names, with a root further down', [
  {
    name: 'spare what they name in the record',
    json: '{"data":{"rows":[{"a":"1","b":"2"}]}}',
    root: 'data.rows',
    says: denied(when({ AND: [table('NOT_EQUALS', 'hr'), column('NOT_EQUALS', 'b')] })),
    gives: '{"data":{"rows":[{"a":"***","b":"2"}]}}',
  },
]);

interpretations('a prefix and # over a single object', [
  {
    name: 'alone',
    json: '[{"a":{"x":"s"}},{"a":["s"]},{"a":{"#":"s"}}]',
    says: allowed(when({ AND: [table('EQUALS', 'a'), column('EQUALS', '#')] })),
    gives: '[{"a":null},{"a":["***"]},{"a":{"#":"***"}}]',
  },
  {
    name: 'inside',
    json: '[{"a":{"x":{"y":"s"}}}]',
    says: allowed(when({ AND: [table('EQUALS', 'a'), column('EQUALS', 'x.#')] })),
    gives: '[{"a":{"x":null}}]',
  },
]);

interpretations('an index in a leaf on names', [
  {
    name: 'excludes the property of that record only',
    json: '{"rows":[{"ssn":"1"},{"ssn":"2"}]}',
    root: 'rows',
    says: denied(when(column('NOT_IN', 'rows.0.ssn'))),
    gives: '{"rows":[{"ssn":"1"},{"ssn":"***"}]}',
  },
  {
    name: 'names elements inside a record, next to other alternatives',
    json: '{"result":[{"id":"a","tags":["x","y","z","w"]}]}',
    config: { rootWord: 'result' },
    says: allowed(
      when({ OR: [column('EQUALS', 'result.#.tags.1'), column('IN', 't*.2'), column('EQUALS', 'id')] }),
    ),
    gives: '{"result":[{"id":"***","tags":["x","***","***","w"]}]}',
  },
]);

const RECORD = '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["a",{}],"n":null}]';

function inRecord(name: string, tree: object, gives: string): Row {
  return { name, json: RECORD, says: allowed(when(tree)), gives };
}

interpretations('which properties are asked', [
  inRecord(
    'a positive operator masks an object as a whole',
    column('STARTWITH', 'c'),
    '[{"c":null,"t":["a",{}],"n":null}]',
  ),
  inRecord(
    'an array may be written as #',
    column('ENDWITH', 't.#'),
    '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["***",null],"n":null}]',
  ),
  inRecord(
    'a negated operator masks leaves',
    column('NOTEQUALS', 'c.name'),
    '[{"c":{"name":"x","d":{"ssn":"***"}},"t":["***",{}],"n":null}]',
  ),
  inRecord(
    'a tree without names masks every leaf',
    { AND: [] },
    '[{"c":{"name":"***","d":{"ssn":"***"}},"t":["***",{}],"n":null}]',
  ),
  inRecord(
    'a prefix alone masks the leaves below it',
    table('EQUALS', 'c'),
    '[{"c":{"name":"***","d":{"ssn":"***"}},"t":["a",{}],"n":null}]',
  ),
  inRecord(
    'a negated prefix spares what is below it at any depth',
    table('NOT_IN', 'c'),
    '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["***",{}],"n":null}]',
  ),
  inRecord(
    'the path may be split anywhere',
    { AND: [table('EQUALS', 'c.d'), column('EQUALS', 'ssn')] },
    '[{"c":{"name":"x","d":{"ssn":"***"}},"t":["a",{}],"n":null}]',
  ),
  inRecord(
    'an alternative without a prefix is not split',
    { OR: [{ AND: [table('EQUALS', 'x'), column('EQUALS', 'y')] }, column('EQUALS', 'name')] },
    RECORD,
  ),
  inRecord(
    'a negated name next to a negated prefix needs no split',
    { AND: [column('EQUALS', 't.#'), table('NOT_IN', 'x')] },
    '[{"c":{"name":"x","d":{"ssn":"y"}},"t":["***",null],"n":null}]',
  ),
  inRecord('an empty OR holds for none', { OR: [] }, RECORD),
  inRecord('null is filled if it is named', column('EQUALS', 'n'), RECORD),
  {
    name: 'an OR of attributes under a name masks an object',
    json: '[{"ab":{"c":"S"},"status":"closed"},{"ab":{"c":"T"},"status":"open"}]',
    says: allowed(
      when({
        AND: [
          column('ENDS_WITH', 'ab'),
          { OR: [leaf('status', 'EQUALS', 'closed'), leaf('status', 'EQUALS', 'shut')] },
        ],
      }),
    ),
    gives: '[{"ab":null,"status":"closed"},{"ab":{"c":"T"},"status":"open"}]',
  },
  {
    name: 'a literal for everything does not fill null',
    json: '[{"a":null,"b":""}]',
    says: allowed({ action: 'L' }),
    gives: '[{"a":null,"b":"L"}]',
  },
]);

interpretations(
  'names in order, with the index as a way to write an element',
  [
    ['GREATER', '$', '[{"#":"***"},"***"]'],
    ['GREATER_EQUALS', '1', '[{"#":"y"},"***"]'],
    ['GREATER', 'json.0.', '[{"#":"***"},"***"]'],
    ['LESS', '#', '[{"#":"y"},"x"]'],
    ['LESS', '0', '[{"#":"***"},"***"]'],
  ].map(([operator = '', value = '', gives = '']) => ({
    name: `${operator} ${value}`,
    json: '[{"#":"y"},"x"]',
    says: denied(when(column(operator, value))),
    gives,
  })),
);

interpretations('names in order as numbers', [
  {
    name: 'an index is one',
    json: '["x","y"]',
    says: denied(when(leaf('column', 'LESS', '1e0', { type: 'NUMBER' }))),
    gives: '["***","y"]',
  },
]);

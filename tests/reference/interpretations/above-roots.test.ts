import { access, allowed, column, entry, interpretations, table, when, type Row } from './table.ts';

type Given = Partial<Row> & Pick<Row, 'json' | 'gives'>;

function conditional(tree: object, given: Given): Row {
  return { name: JSON.stringify(tree), says: allowed(when(tree)), ...given };
}

function entryFor(path: string, action: string, given: Given, prefix?: string): Row {
  const attributes = { column: path, ...(prefix === undefined ? {} : { table: prefix }) };
  const name = `${action} at ${JSON.stringify(attributes)} in ${given.json}`;
  return { name, says: access(entry(path, action, { attributes })), ...given };
}

interpretations('an array above the roots is not what a leaf on names is about', [
  conditional(column('NOT_EQUALS', 'a'), { json: '{"a":[["x"]]}', root: 'a.#', gives: '{"a":[["***"]]}' }),
  conditional(
    { AND: [column('NOT_EQUALS', 'a'), table('NOT_EQUALS', 'a.r')] },
    { json: '{"a":[["x"]]}', root: 'a.#', gives: '{"a":[["***"]]}' },
  ),
  conditional(
    { AND: [column('EQUALS', 'a'), table('NOT_EQUALS', 'b')] },
    { json: '[{"x":"1"}]', root: '#', config: { rootWord: 'a' }, gives: '[{"x":"1"}]' },
  ),
  conditional(
    { AND: [column('EQUALS', 'a'), column('NOT_EQUALS', 'b')] },
    { json: '{"a":[{"x":"1"}]}', root: 'a.#', gives: '{"a":[{"x":"1"}]}' },
  ),
  conditional(column('NOT_EQUALS', 'a.#'), { json: '{"a":[["x"]]}', root: 'a.#', gives: '{"a":[["x"]]}' }),
  conditional(column('NOT_EQUALS', 'a'), { json: '{"a":["x"]}', root: 'a', gives: '{"a":["x"]}' }),
]);

interpretations('a * of JSONPath names no root if it matches a property', [
  entryFor('$.*.#', 'MASK', { json: '{"x":"1"}', config: { rootWord: 'r' }, gives: '{"x":"1"}' }),
  entryFor('$[*][*]', 'MASK', {
    json: '[{"x":"1"}]',
    root: '#',
    config: { rootWord: 'a' },
    gives: '[{"x":"***"}]',
  }),
  entryFor('$.result.*', 'MASK', {
    json: '{"r":{"x":"1"}}',
    root: 'r',
    config: { rootWord: 'result' },
    gives: '{"r":{"x":"1"}}',
  }),
  entryFor('$[*]', 'MASK', { json: '[{"x":"1"}]', root: '#', gives: '[null]' }),
  entryFor('$..#', 'MASK', { json: '{"r":{"x":"1"}}', root: 'r', gives: '{"r":{"x":"1"}}' }),
  conditional(column('NOT_EQUALS', "$.*['0']"), {
    json: '[[["x"],"y"]]',
    root: '#',
    config: { rootWord: 'r' },
    gives: '[[["x"],"***"]]',
  }),
]);

interpretations('json after $ is json', [
  entryFor('$.json.rows[*].x', 'MASK', {
    json: '{"rows":[{"x":"1"}]}',
    root: '$.json.rows',
    gives: '{"rows":[{"x":"***"}]}',
  }),
  entryFor('json', 'MASK', { json: '{"x":"1"}', gives: 'null' }, '$'),
  entryFor('$', 'L', { json: '{}', gives: '{"a":"L"}' }, 'a'),
]);

interpretations('what a path creates that begins with a name for the payload', [
  entryFor('r.x', 'L', { json: '[{"r":{}}]', config: { rootWord: 'r' }, gives: '[{"r":{},"x":"L"}]' }),
  entryFor('json.x', 'L', { json: '[{"json":{}}]', gives: '[{"json":{},"x":"L"}]' }),
  entryFor('json.r.x', 'L', { json: '[{}]', config: { rootWord: 'r' }, gives: '[{"x":"L"}]' }),
  ...['{}', 'null'].map((own) =>
    entryFor('json.x', 'L', {
      json: `{"rows":[{"json":${own}},{}]}`,
      root: 'rows',
      gives: '{"rows":[{"json":{"x":"L"}},{}]}',
    }),
  ),
  entryFor('json.rows.x', 'L', {
    json: '{"rows":[{"json":{}}]}',
    root: 'rows',
    gives: '{"rows":[{"json":{},"x":"L"}]}',
  }),
]);

interpretations(
  'an index in an empty list is not there',
  ['$[0]', '$[-1]', '0'].map((root) => ({ name: root, json: '[]', root, says: access('x'), gives: 422 })),
);

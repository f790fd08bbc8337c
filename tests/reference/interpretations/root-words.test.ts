import { access, allowed, column, entry, interpretations, leaf, table, when, type Row } from './table.ts';

/** What becomes of a payload if the path is masked. */
function masked(rootWord: string, path: string, json: string, gives: string, more: Partial<Row> = {}): Row {
  return {
    name: `the root word ${rootWord} and the path ${path} on ${json}`,
    json,
    config: { rootWord },
    says: access(path),
    gives,
    ...more,
  };
}

const RECORDS = '[{"s":"1"},{"s":"2"}]';
const ALL = '[{"s":"***"},{"s":"***"}]';
const SECOND = '[{"s":"1"},{"s":"***"}]';

interpretations('a root word that the payload lacks', [
  ...[
    'result.s',
    'result.#.s',
    'json.result.s',
    '$.result[*].s',
    "$['result'][*]['s']",
    '$..s',
    '*.s',
    'res*.s',
    'json.#.s',
  ].map((path) => masked('result', path, RECORDS, ALL)),
  ...['result.1.s', 'json.result.1.s', '$.result[1].s', '1.s'].map((path) =>
    masked('result', path, RECORDS, SECOND),
  ),
  masked('result', 'RESULT.s', RECORDS, RECORDS),
  masked('result', 'result', RECORDS, 'null'),
  masked('result', 'result.#', RECORDS, '[null,null]'),
  masked('result', 'result.data.#.s', '{"data":[{"s":"1"}]}', '{"data":[{"s":"***"}]}'),
  masked('result', 'result.rows.s', '{"rows":[{"s":"1"}]}', '{"rows":[{"s":"***"}]}', { root: 'rows' }),
  masked('result', 's', '{"rows":[{"s":"1"}]}', '', { root: 'result.rows', gives: 422 }),
]);

interpretations('a root word that the payload has', [
  masked('result', 'result.s', '{"result":[{"s":"1"}],"s":"2"}', '{"result":[{"s":"***"}],"s":"2"}'),
  masked(
    'result',
    'result.s',
    '{"result":{"s":"1","result":{"s":"2"}}}',
    '{"result":{"s":"***","result":{"s":"***"}}}',
  ),
  masked(
    'result',
    'other.s',
    '{"result":[{"s":"1"}],"other":{"s":"2"}}',
    '{"result":[{"s":"1"}],"other":{"s":"2"}}',
  ),
  masked(
    'result',
    's',
    String.raw`{"result":[{"s":"1"}],"\u0072esult":{"s":"2"}}`,
    String.raw`{"result":[{"s":"***"}],"\u0072esult":{"s":"***"}}`,
  ),
  masked(
    'result',
    'result.s',
    '{"rows":[{"s":"1"}],"result":{"s":"2"}}',
    '{"rows":[{"s":"1"}],"result":{"s":"2"}}',
    {
      root: 'rows',
    },
  ),
]);

interpretations('root words that mean something else in a path', [
  masked('json', 'json.s', RECORDS, ALL),
  masked('json', 'json.json.s', RECORDS, ALL),
  masked('json', 'json.1.s', RECORDS, SECOND),
  masked('json', 'json.s', '{"json":[{"s":"1"}],"s":"2"}', '{"json":[{"s":"***"}],"s":"2"}'),
  masked('json', 'json.s', '[{"json":{"s":"1"},"s":"2"}]', '[{"json":{"s":"***"},"s":"***"}]'),
  masked('a.b', String.raw`a\.b.s`, RECORDS, ALL),
  masked('a.b', 'a.b.s', RECORDS, RECORDS),
  masked('a.b', 's', '{"a":{"b":[{"s":"1"}]}}', '{"a":{"b":[{"s":"1"}]}}'),
  masked('#', String.raw`\#.s`, '{"s":"1"}', '{"s":"***"}'),
  masked('#', '#.s', '{"#":[{"s":"1"}],"s":"2"}', '{"#":[{"s":"***"}],"s":"2"}'),
  masked('*', String.raw`\*.s`, '{"*":[{"s":"1"}],"b":[{"s":"2"}]}', '{"*":[{"s":"***"}],"b":[{"s":"2"}]}'),
  masked('$', String.raw`\$.s`, '{"s":"1"}', '{"s":"***"}'),
  masked('__proto__', '__proto__.s', RECORDS, ALL),
  masked('constructor', 'constructor.s', '{"s":"1"}', '{"s":"***"}'),
  masked('length', 's', RECORDS, ALL),
]);

function fitting(tree: object, json: string, gives: string, more: Partial<Row> = {}): Row {
  return {
    ...masked('result', JSON.stringify(tree), json, gives),
    says: allowed(when(tree)),
    ...more,
  };
}

const KEYED = '[{"k":"1","s":"a"},{"k":"2","s":"b"}]';

interpretations('a root word in conditions', [
  ...[leaf('$..k', 'EQUALS', '1'), leaf('$..*', 'EQUALS', '1'), leaf('$..*', 'NOT_IN', '2')].map((one) =>
    fitting({ AND: [column('EQUALS', 's'), one] }, KEYED, '[{"k":"1","s":"***"},{"k":"2","s":"b"}]'),
  ),
  fitting(
    { AND: [column('EQUALS', 'result.s'), leaf('result.#.k', 'EQUALS', '1')] },
    KEYED,
    '[{"k":"1","s":"***"},{"k":"2","s":"b"}]',
  ),
  ...['result.0.k', 'json.result.0.k', '0.k', 'json.0.k', '$.result[0].k', '$["result","x"][0,9].k'].map(
    (path) =>
      fitting(
        { AND: [column('EQUALS', 'result.s'), leaf(path, 'EQUALS', '1')] },
        KEYED,
        '[{"k":"1","s":"***"},{"k":"2","s":"***"}]',
      ),
  ),
  fitting(leaf('json.mode', 'EQUALS', 'x'), '{"mode":"x","k":"1"}', '{"mode":"***","k":"***"}'),
  fitting(
    leaf('$.mode', 'EQUALS', 'x'),
    '{"result":[{"k":"1"}],"mode":"x"}',
    '{"result":[{"k":"***"}],"mode":"x"}',
  ),
  ...[
    table('EQUALS', 'result'),
    table('STARTS_WITH', 'res'),
    table('CONTAINS', 'esul'),
    table('EQUALS', 'json.result'),
  ].map((tree) => fitting(tree, KEYED, '[{"k":"***","s":"***"},{"k":"***","s":"***"}]')),
  fitting(table('EQUALS', 'result.rows'), '{"rows":[{"k":"1"}]}', '{"rows":[{"k":"***"}]}', { root: 'rows' }),
]);

interpretations('what a path through the root word creates', [
  ...['result.x', 'result.#.x'].map((path) =>
    masked('result', path, '[{}]', '[{"x":"L"}]', { says: access(entry(path, 'L')) }),
  ),
  masked('result', 'result.x', '{}', '{"x":"L"}', { says: access(entry('result.x', 'L')) }),
  masked('result', 'result.x', '{"result":{}}', '{"result":{"x":"L"}}', {
    says: access(entry('result.x', 'L')),
  }),
]);

import { access, allowed, column, denied, entry, interpretations, leaf, when, type Row } from './table.ts';

const word = { config: { rootWord: 'result' } };

function masked(
  json: string,
  root: string | undefined,
  path: string,
  gives: string,
  more: Partial<Row> = {},
): Row {
  const name = `${path} in ${json}${root === undefined ? '' : ` with the root ${root}`}`;
  return { name, json, ...(root === undefined ? {} : { root }), says: access(path), gives, ...more };
}

interpretations('two readings of a path', [
  ...[
    'ssn',
    '#.ssn',
    '0.ssn',
    'json.#.ssn',
    'json.ssn',
    'json.0.ssn',
    '$[*].ssn',
    '$.ssn',
    '$[0].ssn',
    '$..ssn',
  ].map((path) => masked('[{"ssn":"1"}]', undefined, path, '[{"ssn":"***"}]')),
  ...['ssn', 'json.ssn', '#.ssn', '$.ssn'].map((path) =>
    masked('{"ssn":"1"}', undefined, path, '{"ssn":"***"}'),
  ),
  ...['ssn', 'rows.#.ssn', 'rows.ssn', 'json.rows.0.ssn', '$.rows[*].ssn', 'rows.#.#.ssn', '#.ssn'].map(
    (path) => masked('{"rows":[{"ssn":"1"}],"ssn":"2"}', 'rows', path, '{"rows":[{"ssn":"***"}],"ssn":"2"}'),
  ),
  ...['result.ssn', 'result.#.ssn', 'json.result.0.ssn', '$.result[*].ssn', 'json.ssn', '#.ssn'].map((path) =>
    masked('[{"ssn":"1"}]', undefined, path, '[{"ssn":"***"}]', word),
  ),
  masked('{"rows":[{"ssn":"1"}]}', 'rows', 'result.rows.ssn', '{"rows":[{"ssn":"***"}]}', word),
  masked('{"rows":[[{"ssn":"1"}]]}', 'rows', 'rows.#.#.ssn', '{"rows":[[{"ssn":"***"}]]}'),
  masked(
    '{"rows":[{"ssn":"1","rows":{"ssn":"2"}}]}',
    'rows',
    'rows.ssn',
    '{"rows":[{"ssn":"***","rows":{"ssn":"***"}}]}',
  ),
  masked('{"d":[{"result":{"s":"1"}}]}', 'd', 'result.s', '{"d":[{"result":{"s":"***"}}]}', word),
  masked('{"r":[{"s":"1"},{"s":"2"}]}', 'r', 'r.1.s', '{"r":[{"s":"1"},{"s":"***"}]}'),
  masked('[{"a":{"s":"1"},"s":"2"}]', undefined, '*.s', '[{"a":{"s":"***"},"s":"2"}]'),
  masked('{"rows":[{"s":"1"}],"s":"2"}', 'rows', 'json.s', '{"rows":[{"s":"1"}],"s":"2"}'),
  masked('{"json":[{"s":"1"}]}', 'json', 'json.json.s', '{"json":[{"s":"1"}]}'),
]);

interpretations('names of roots and records', [
  masked('{"rows":[{"s":"1"}]}', 'rows', 'rows', '{"rows":null}'),
  masked('{"rows":[{"s":"1"}]}', 'rows', '$.rows', '{"rows":null}'),
  masked('{"rows":[{"s":"1"}],"x":1}', 'rows', '*', '{"rows":[{"s":"***"}],"x":1}'),
  masked('{"rows":[{"s":"1"}]}', 'rows', '$..rows', '{"rows":[{"s":"1"}]}'),
  masked('{"rows":[{"s":"1"},{"s":"2"}]}', 'rows', 'rows.1', '{"rows":[{"s":"1"},null]}'),
  masked('{"rows":[{"s":"1"},{"s":"2"}]}', 'rows', 'rows.#', '{"rows":[null,null]}'),
  masked('{"rows":[{"s":"1"}]}', 'rows', '$', '{"rows":[null]}'),
  masked('{"rows":[{"s":"1"}]}', 'rows', 'json', '{"rows":[{"s":"1"}]}'),
  masked('{"s":"1"}', undefined, 'json', 'null'),
  masked('[{"s":"1"}]', undefined, '#', '[null]'),
  masked('[{"s":"1"}]', undefined, 'result', 'null', word),
  {
    name: 'a name of the root in a condition masks each record for which it holds',
    json: '{"rows":[{"s":1},{"s":2}]}',
    root: 'rows',
    says: allowed(when({ AND: [column('EQUALS', 'rows'), leaf('s', 'EQUALS', '2')] })),
    gives: '{"rows":[{"s":1},null]}',
  },
]);

interpretations('# over a single object', [
  masked('{"a":{"b":"1"}}', undefined, 'a.#.b', '{"a":{"b":"***"}}'),
  masked('{"a":{"b":"1"}}', undefined, 'a.#', '{"a":null}'),
  masked('{"a":{"#":"1","b":"2"}}', undefined, 'a.#', '{"a":{"#":"***","b":"2"}}'),
  masked('{"a":{"b":{"c":"1"}}}', undefined, 'a.#.b.#.c', '{"a":{"b":{"c":"***"}}}'),
  masked('{"a":"1"}', undefined, 'a.#', '{"a":"1"}'),
  masked('{"a":[{"b":{"c":"1"}}]}', undefined, 'a.#.b.#.c', '{"a":[{"b":{"c":"***"}}]}'),
]);

interpretations('# in JSONPath', [
  ...['$.rows.#.s', '$.rows.s', '$..rows.#.s', "$['rows'].#.s"].map((path) =>
    masked('{"rows":[{"s":"1"}]}', 'rows', path, '{"rows":[{"s":"***"}]}'),
  ),
  masked('{"a":["1",{"#":"2"}]}', undefined, '$.a.#', '{"a":["***",null]}'),
  masked('{"a":["1",{"#":"2"}]}', undefined, "$.a['#']", '{"a":["1",{"#":"***"}]}'),
  masked('{"#":"1","b":"2"}', undefined, '$.#', '{"#":"***","b":"2"}'),
  masked('{"a":{"b":"1"}}', undefined, '$.a.#.b', '{"a":{"b":"***"}}'),
  masked('{"a#":"1"}', undefined, '$.a#', '{"a#":"***"}'),
]);

interpretations('[*] over a single object', [
  masked(
    '[{"cards":{"no":"1","c":{"no":"2"}}}]',
    undefined,
    '$.cards[*].no',
    '[{"cards":{"no":"***","c":{"no":"***"}}}]',
  ),
  masked(
    '[{"cards":{"no":"1","c":{"no":"2"}}}]',
    undefined,
    '$.cards.*.no',
    '[{"cards":{"no":"1","c":{"no":"***"}}}]',
  ),
  masked('[{"cards":{"no":"1"}}]', undefined, '$.cards[*]', '[{"cards":{"no":"***"}}]'),
  masked('{"ssn":"1"}', undefined, '$[*].ssn', '{"ssn":"***"}'),
  masked('{"rows":{"ssn":"1"}}', 'rows', '$.rows[*].ssn', '{"rows":{"ssn":"***"}}'),
  masked('{"ssn":"1"}', undefined, '$.result[*].ssn', '{"ssn":"***"}', word),
  masked('{"a":{"cards":{"no":"1"}}}', undefined, '$..cards[*].no', '{"a":{"cards":{"no":"***"}}}'),
  {
    name: 'below a prefix',
    json: '{"rows":{"ssn":"1"}}',
    root: 'rows',
    says: access(entry('ssn', 'MASK', { attributes: { column: 'ssn', table: '$.rows[*]' } })),
    gives: '{"rows":{"ssn":"***"}}',
  },
  {
    name: 'in the name of a denied property and in a condition',
    json: '{"rows":{"ssn":"1","st":"c"}}',
    root: 'rows',
    says: denied(when({ AND: [column('EQUALS', '$.rows[*].ssn'), leaf('$.rows[*].st', 'EQUALS', 'c')] })),
    gives: '{"rows":{"ssn":"***","st":"c"}}',
  },
]);

interpretations('names that begin with a dollar', [
  masked('[{"$ref":"1","$":"2"}]', undefined, '$ref', '[{"$ref":"***","$":"2"}]'),
  masked('[{"$ref":"1","$":"2"}]', undefined, String.raw`\$`, '[{"$ref":"1","$":"***"}]'),
  masked('[{"a":{"$type":"1"}}]', undefined, 'a.$type', '[{"a":{"$type":"***"}}]'),
  masked('[{"$.a":"1","a":"2"}]', undefined, String.raw`\$\.a`, '[{"$.a":"***","a":"2"}]'),
]);

function created(
  json: string,
  root: string | undefined,
  path: string,
  gives: string,
  more: Partial<Row> = {},
): Row {
  return masked(json, root, path, gives, { says: access(entry(path, 'L')), ...more });
}

interpretations('what a literal creates', [
  created('{"rows":[{}]}', 'rows', 'n', '{"rows":[{"n":"L"}]}'),
  created('{"rows":[{}]}', 'rows', 'rows.n', '{"rows":[{"n":"L"}]}'),
  created('{"rows":[{},{}]}', 'rows', 'rows.1.n', '{"rows":[{},{"n":"L"}]}'),
  created('{"rows":[{}]}', 'rows', 'rows.7.n', '{"rows":[{}]}'),
  created('{"rows":[{}]}', 'rows', 'json.n', '{"rows":[{}]}'),
  created('[{}]', undefined, 'json.n', '[{"n":"L"}]'),
  created('[{}]', undefined, 'result.n', '[{"n":"L"}]', word),
  created('{"a":{}}', undefined, 'a.#.b', '{"a":{"b":"L"}}'),
  created('[{"a":null}]', undefined, 'a.b', '[{"a":{"b":"L"}}]'),
  created('[{"a":[null,{},1]}]', undefined, 'a.#.b', '[{"a":[{"b":"L"},{"b":"L"},1]}]'),
  created('[{"a":[{}]}]', undefined, 'a.b', '[{"a":[{"b":"L"}]}]'),
  created('[{"a":["x"]}]', undefined, 'a.1', '[{"a":["x"]}]'),
  created('[{"b":1}]', undefined, "$['0']['0'][0]", '[{"b":1}]'),
  created('[{"ab":{},"x":1}]', undefined, 'a*.c', '[{"ab":{"c":"L"},"x":1}]'),
  created('[{"ab":{},"ac":null}]', undefined, 'a*.c.d', '[{"ab":{"c":{"d":"L"}},"ac":{"c":{"d":"L"}}}]'),
  created('[{"ab":null}]', undefined, 'a*', '[{"ab":"L"}]'),
  created('[{"a":{}}]', undefined, '$..b', '[{"a":{}}]'),
  created('[{"x":{"a":{}}}]', undefined, '$..a.b', '[{"x":{"a":{"b":"L"}}}]'),
  created('[{"a":["",[],{},null,1,"x"]}]', undefined, 'a.#', '[{"a":["L","L","L","L",null,"L"]}]'),
  created('[{"a":1,"a":"x","a":null}]', undefined, 'a', '[{"a":null,"a":"L","a":"L"}]'),
  created('[{"a":{}}]', undefined, 'a.0', '[{"a":{"0":"L"}}]'),
  created('[{"a":{}}]', undefined, "$.a['0']", '[{"a":{"0":"L"}}]'),
  created('[{"a":null}]', undefined, "$.a['0'].b", '[{"a":{"0":{"b":"L"}}}]'),
  created('[{"a":[{}]}]', undefined, "$.a['7']", '[{"a":[{"7":"L"}]}]'),
  created('[{"a":{}}]', undefined, "$.a['0','1']", '[{"a":{}}]'),
  {
    name: 'literals share the objects they create',
    json: '[{}]',
    says: access(entry('a.b', 'L'), entry('a.c', 'M')),
    gives: '[{"a":{"b":"L","c":"M"}}]',
  },
  {
    name: 'an earlier rule that does nothing comes first',
    json: '[{}]',
    says: access('a', entry('a', 'L')),
    gives: '[{}]',
  },
  {
    name: 'a condition that names the property creates it',
    json: '[{}]',
    says: allowed(when({ AND: [column('EQUALS', 'b'), leaf('table', 'EQUALS', 'a')] }, 'L')),
    gives: '[{"a":{"b":"L"}}]',
  },
]);

function reading(
  attribute: string,
  json: string,
  root: string | undefined,
  gives: string,
  more: Partial<Row> = {},
): Row {
  const says = allowed(when(leaf(attribute, 'EQUALS', 'x'), 'FILTER'));
  return masked(json, root, attribute, gives, { says, ...more });
}

interpretations('attributes in conditions', [
  ...['c', 'json.#.c', '#.c', '$.c', '$[*].c'].map((path) =>
    reading(path, '[{"c":"x"},{"c":"y"}]', undefined, '[{"c":"x"}]'),
  ),
  ...['rows.#.c', 'rows.c', 'json.rows.#.c', '$.rows[*].c', 'r*.c'].map((path) =>
    reading(path, '{"rows":[{"c":"x"},{"c":"y"}]}', 'rows', '{"rows":[{"c":"x"}]}'),
  ),
  reading('rows.#.c', '{"rows":{"c":"x"}}', 'rows', '{"rows":{"c":"x"}}'),
  reading('rows.0.c', '{"rows":[{"c":"x"},{"c":"y"}]}', 'rows', '{"rows":[{"c":"x"},{"c":"y"}]}'),
  reading('rows.1.c', '{"rows":[{"c":"x"},{"c":"y"}]}', 'rows', '{"rows":[]}'),
  reading('json.mode', '{"mode":"x","rows":[{"c":1}]}', 'rows', '{"mode":"x","rows":[{"c":1}]}'),
  reading('$.mode', '{"mode":"x","rows":[{"c":1}]}', 'rows', '{"mode":"x","rows":[{"c":1}]}'),
  reading('mode', '{"mode":"x","rows":[{"c":1}]}', 'rows', '{"mode":"x","rows":[]}'),
  reading('json.c', '[{"json":{"c":"x"},"c":"y"},{"c":"y"}]', undefined, '[{"json":{"c":"x"},"c":"y"}]'),
  reading(
    'data.eu.c',
    '{"data":{"eu":[{"c":"x"}],"us":[{"c":"y"}]}}',
    'data.*',
    '{"data":{"eu":[{"c":"x"}],"us":[]}}',
  ),
  ...['data.eu.#.c', 'json.data.eu.c', '$.data.eu[*].c'].map((path) =>
    reading(
      path,
      '{"data":{"eu":[{"c":"x"},{"c":"y"}],"us":[{"c":"x"}]}}',
      'data.*',
      '{"data":{"eu":[{"c":"x"}],"us":[]}}',
    ),
  ),
  reading(
    'data.eu.0.c',
    '{"data":{"eu":[{"c":"x"},{"c":"y"}],"us":[{"c":"y"}]}}',
    'data.*',
    '{"data":{"eu":[{"c":"x"},{"c":"y"}],"us":[{"c":"y"}]}}',
  ),
  reading('a.c', '{"a":{"c":"y"},"b":{"a":{"c":"x"}}}', '*', '{"b":{"a":{"c":"x"}}}'),
  reading('c.#.d', '[{"c":{"d":"x"}},{"c":[{"d":"y"}]}]', undefined, '[{"c":{"d":"x"}}]'),
  ...['#.c', 'json.#.c', '$["#"].c', '#.#.c'].map((path) =>
    reading(path, '{"#":{"c":"x"},"c":"y"}', undefined, '{"#":{"c":"x"},"c":"y"}'),
  ),
  reading('rows.#.c', '{"rows":{"#":{"c":"x"},"c":"y"}}', 'rows', '{"rows":{"#":{"c":"x"},"c":"y"}}'),
  reading(
    'rows.#.#.c',
    '{"rows":[{"#":{"c":"x"}},{"c":"x"},{"c":"y"}]}',
    'rows',
    '{"rows":[{"#":{"c":"x"}},{"c":"x"}]}',
  ),
  reading('rows.#.#.c', '{"rows":[[{"c":"x"}],[{"c":"y"}]]}', 'rows', '{"rows":[[{"c":"x"}],[]]}'),
  reading('$.rows.#.c', '{"rows":[{"c":"x"},{"c":"y"}]}', 'rows', '{"rows":[{"c":"x"}]}'),
  reading("$.l['7']", '{"l":[{"7":"x"}]}', undefined, '{"l":[{"7":"x"}]}'),
]);

interpretations('asset ids and dry-run properties by the payload’s path', [
  {
    name: 'json.#.id is the id of each record',
    json: '[{"id":"a"},{"id":"b"}]',
    parameters: { calculationType: 'context', assetId: 'json.#.id', protectedObject: 'Account' },
    says: access({ path: 'b', resourceType: 'Account', attributes: {}, actions: [{ action: 'FILTER' }] }),
    gives: '[{"id":"b"}]',
  },
  {
    name: 'rows.#.id identifies the record in the log',
    json: '{"rows":[{"id":"a","s":1}]}',
    root: 'rows',
    says: access(entry('s', 'MASK', { policies: [{ name: 'Dry', metadata: { DRY_RUN: 'rows.#.id' } }] })),
    gives: '{"rows":[{"id":"a","s":1}]}',
    logs: ['Enforcement by Policy Dry on rows.#.id a was skipped for User jane'],
  },
]);

interpretations('names in quotes of JSONPath', [
  masked('{"é":"1"}', undefined, String.raw`$['\u00e9']`, '{"é":"***"}'),
  masked('{"😀":"1"}', undefined, String.raw`$["\uD83D\ude00"]`, '{"😀":"***"}'),
  masked(String.raw`{"a\tb\n":"1"}`, undefined, String.raw`$['a\tb\n']`, String.raw`{"a\tb\n":"***"}`),
  masked(String.raw`{"\\u00e9":"1"}`, undefined, String.raw`$['\\u00e9']`, String.raw`{"\\u00e9":"***"}`),
  masked('{"/it\'s":"1"}', undefined, String.raw`$['\/it\'s']`, '{"/it\'s":"***"}'),
  masked('{"a-b":"1"}', undefined, String.raw`$['a\-b']`, '{"a-b":"***"}'),
  masked('{"l":["1","2"]}', undefined, "$.l['0']", '{"l":["***","2"]}'),
  masked('{"l":[{"7":"1"},{"7":"2"}]}', undefined, "$.l['7']", '{"l":[{"7":"***"},{"7":"***"}]}'),
  masked('{"l":[[{"7":"1"}],{"7":"2"}]}', undefined, "$.l['7','x']", '{"l":[[{"7":"***"}],{"7":"***"}]}'),
  masked('{"l":[{"7":"1"}]}', 'l', "$.l['7']", '{"l":[{"7":"***"}]}'),
  masked('{"7":"1","x":"2"}', undefined, "$['7']", '{"7":"***","x":"2"}'),
  { name: 'a broken escape', json: '[{"u12":"1"}]', says: access(String.raw`$['\u12']`), gives: 502 },
]);

interpretations('conditions by JSONPath and by wildcards', [
  {
    name: 'an element of the payload is the record, and no property of it',
    json: '[{"id":1,"s":"open","c":{"s":"shut"}},{"id":2,"s":"shut"}]',
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf('$[*].s', 'NOT_EQUALS', 'shut')] })),
    gives: '[{"id":null,"s":"open","c":{"s":"shut"}},{"id":2,"s":"shut"}]',
  },
  ...['$[*]', '$.*', '$.result[*]'].map((path) => ({
    name: `${path} is the record, and no other one, which may be no object`,
    json: '[{"id":1},"shut"]',
    config: { rootWord: 'result' },
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf(path, 'NOT_EQUALS', 'shut')] })),
    gives: '[{"id":null},"shut"]',
  })),
  {
    name: 'a list of records that is named without [*] is read as a whole',
    json: '[{"id":1},"shut"]',
    ...word,
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf('$.result', 'EQUALS', 'shut')] })),
    gives: '[{"id":null},"shut"]',
  },
  {
    name: 'each * leads into one list',
    json: '{"r":[{"id":1,"c":{"s":"open"}},[{"id":2,"s":"shut"}]]}',
    config: { rootWord: 'r' },
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf('$.r[*][*].s', 'EQUALS', 'shut')] })),
    gives: '{"r":[{"id":1,"c":{"s":"open"}},[{"id":null,"s":"shut"}]]}',
  },
  {
    name: 'a record that has a property named as the missing root word',
    json: '[{"id":1,"s":"open","r":[{"s":"shut"}]}]',
    config: { rootWord: 'r' },
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf('$.r[*].s', 'NOT_EQUALS', 'shut')] })),
    gives: '[{"id":null,"s":"open","r":[{"s":"shut"}]}]',
  },
  ...['$..mode', '$.*.mode', 'json.*.mode', 'json.????.mode', "$['meta','rows'].mode"].map((path) => ({
    name: `${path} reads the payload if no record has it`,
    json: '{"meta":{"mode":"private"},"rows":[{"s":"1"},{"s":"2"}]}',
    root: 'rows',
    says: denied(when({ AND: [column('EQUALS', 's'), leaf(path, 'EQUALS', 'private')] })),
    gives: '{"meta":{"mode":"private"},"rows":[{"s":"***"},{"s":"***"}]}',
  })),
  {
    name: '$..mode reads the record if any record has it',
    json: '{"meta":{"mode":"private"},"rows":[{"s":"1"},{"s":"2","mode":"open"}]}',
    root: 'rows',
    says: allowed(when(leaf('$..mode', 'EQUALS', 'private'), 'FILTER')),
    gives: '{"meta":{"mode":"private"},"rows":[]}',
  },
  ...['r.#.l.0.s', 'json.r.l.0.s', '$.r[*].l[0].s'].map((path) => ({
    name: `${path} reads the record at that index, and no element beside the root`,
    json: '{"r":[{"l":[{"id":1,"s":"open"},{"id":2,"s":"open"}]},{"l":[{"id":3,"s":"shut"}]}]}',
    root: 'r.0.l',
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf(path, 'NOT_EQUALS', 'shut')] })),
    gives: '{"r":[{"l":[{"id":null,"s":"open"},{"id":null,"s":"open"}]},{"l":[{"id":3,"s":"shut"}]}]}',
  })),
  {
    name: 'digits in a root that is one element are a property of it',
    json: '{"rows":[{"2024":{"st":"y"},"ssn":"p"},{"2024":{"st":"x"},"ssn":"q"}]}',
    root: 'rows.#',
    says: allowed(when(leaf('rows.#.2024.st', 'EQUALS', 'x'), 'FILTER')),
    gives: '{"rows":[{"2024":{"st":"x"},"ssn":"q"}]}',
  },
  {
    name: 'a wildcard for the root before an index is the record at that index',
    json: '{"rows":[{"id":1,"s":"shut"},{"id":2,"s":"open"}]}',
    root: 'rows',
    says: allowed(when({ AND: [column('EQUALS', 'id'), leaf('r*.0.s', 'EQUALS', 'shut')] })),
    gives: '{"rows":[{"id":null,"s":"shut"},{"id":2,"s":"open"}]}',
  },
]);

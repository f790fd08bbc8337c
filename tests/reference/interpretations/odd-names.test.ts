import { access, allowed, column, entry, interpretations, leaf, table, when, type Row } from './table.ts';

function masked(path: string, json: string, gives: string): Row {
  return { name: `${path} in ${json}`, json, says: access(path), gives };
}

function spared(path: string, json: string, gives: string): Row {
  return { name: `all except ${path} in ${json}`, json, says: allowed(when(column('NOT_IN', path))), gives };
}

interpretations('names are compared by their characters', [
  masked('\u00e9', '{"\u00e9":"1","e\u0301":"2"}', '{"\u00e9":"***","e\u0301":"2"}'),
  masked(
    'ssn',
    '{"SSN":"1","\u017fsn":"2","ssn\u200b":"3","ssn":"4"}',
    '{"SSN":"1","\u017fsn":"2","ssn\u200b":"3","ssn":"***"}',
  ),
  masked(
    'ssn',
    String.raw`{"s\u0073n":"1","\u0073\u0073\u006E":"2"}`,
    String.raw`{"s\u0073n":"***","\u0073\u0073\u006E":"***"}`,
  ),
  masked('a/b', String.raw`{"a\/b":"1"}`, String.raw`{"a\/b":"***"}`),
  masked(
    '?',
    String.raw`{"\ud83d\ude00":"1","\ud83d":"2","ab":"3"}`,
    String.raw`{"\ud83d\ude00":"***","\ud83d":"***","ab":"3"}`,
  ),
  masked('00', '{"0":"1","00":"2"}', '{"0":"1","00":"***"}'),
  masked('x.\u0661', '{"x":["1","2"]}', '{"x":["1","2"]}'),
  masked('x.1e0', '{"x":["1","2"]}', '{"x":["1","2"]}'),
]);

interpretations('names that mean something elsewhere', [
  masked('__proto__.s', '{"__proto__":{"s":"1"},"s":"2"}', '{"__proto__":{"s":"***"},"s":"2"}'),
  masked('s', '{"__proto__":{"s":"1"}}', '{"__proto__":{"s":"1"}}'),
  masked('constructor', '{"constructor":"1","toString":"2"}', '{"constructor":"***","toString":"2"}'),
  masked('x.length', '{"x":["1"],"length":"2"}', '{"x":["1"],"length":"2"}'),
  masked("$['']", '{"":"1","a":"2"}', '{"":"***","a":"2"}'),
  masked('*', '{"":"1","a.b":"2"}', '{"":"***","a.b":"***"}'),
  masked('a[0]', '{"a[0]":"1","a":["2"]}', '{"a[0]":"***","a":["2"]}'),
  masked(String.raw`\$.a`, '{"$":{"a":"1"},"a":"2"}', '{"$":{"a":"***"},"a":"2"}'),
  masked('a.$.b', '{"a":{"$":{"b":"1"}},"b":"2"}', '{"a":{"$":{"b":"***"}},"b":"2"}'),
  spared('a', '{"":"1","a":"2"}', '{"":"***","a":"2"}'),
  spared(String.raw`a\.b`, '{"a.b":"1","a":{"b":"2"}}', '{"a.b":"1","a":{"b":"***"}}'),
  spared("$['a.b']", '{"a.b":"1","a":{"b":"2"}}', '{"a.b":"1","a":{"b":"***"}}'),
  spared('__proto__', '{"__proto__":"1","b":"2"}', '{"__proto__":"1","b":"***"}'),
  {
    name: 'a prefix that is an empty name',
    json: '{"":{"s":"1"},"s":"2"}',
    says: allowed(when({ AND: [table('EQUALS', "$['']"), column('EQUALS', 's')] })),
    gives: '{"":{"s":"***"},"s":"2"}',
  },
  {
    name: 'an attribute that every object of JavaScript has',
    json: '[{"a":"1"}]',
    says: allowed(when(leaf('toString', 'NOT_IN', 'x'))),
    gives: '[{"a":"***"}]',
  },
]);

interpretations('a name that occurs twice', [
  masked('a.s', '{"a":{"s":"1"},"a":[{"s":"2"}]}', '{"a":{"s":"***"},"a":[{"s":"***"}]}'),
  masked('a.#', '{"a":{"#":"1","#":"2"}}', '{"a":{"#":"***","#":"***"}}'),
  masked('json.s', '{"json":{"s":"1"},"json":{"s":"2"}}', '{"json":{"s":"***"},"json":{"s":"***"}}'),
  {
    name: 'is set at each place that has something to set or to mask',
    json: '{"a":"","a":null,"a":"x","a":1}',
    says: access(entry('a', 'L')),
    gives: '{"a":"L","a":"L","a":"L","a":null}',
  },
  {
    name: 'is removed at each place',
    json: '{"a":1,"b":2,"a":3}',
    says: access(entry('a', 'remove()')),
    gives: '{"b":2}',
  },
  {
    name: 'is read at the last place in a condition, on the way too',
    json: '[{"a":{"x":"1"},"a":{"y":"2"}}]',
    says: allowed(when(leaf('a.x', 'EQUALS', '1'), 'FILTER')),
    gives: '[]',
  },
  {
    name: 'gives two roots, each filtered by its own records',
    json: '{"r":[{"k":"1"}],"r":[{"k":"2"}]}',
    root: 'r',
    says: allowed(when(leaf('k', 'EQUALS', '2'), 'FILTER')),
    gives: '{"r":[],"r":[{"k":"2"}]}',
  },
]);

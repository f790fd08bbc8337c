import { access, entry, interpretations, type Row } from './table.ts';

const ENTRY =
  '{"path":"s","resourceType":"columns","attributes":{"column":["s"]},"actions":[{"action":"MASK"}]}';

function refused(text: string): Row {
  return { name: text, json: '[{"s":"1"}]', says: text, gives: 502 };
}

/** An access entry that has FILTER and a name that it makes no use of. */
function filterNaming(name: string, filter: boolean): Row {
  const filtering = ENTRY.replace('MASK', 'FILTER').replace('["s"]', `["${name}"]`);
  return {
    name: `FILTER and the name '${name}', ${filter ? 'with' : 'without'} filtering`,
    json: '[{"s":"1"}]',
    says: `{"response":[{"access":[${filtering.replace('"columns"', '"Account"')}]}]}`,
    gives: 502,
    config: { filter },
    parameters: { calculationType: 'context', assetId: 's', protectedObject: 'Account' },
  };
}

interpretations('decisions that are not understood', [
  refused('{}'),
  refused('[]'),
  refused('{"response":{}}'),
  refused('{"response":null}'),
  refused('{"data":[]}'),
  refused('{"response":[],"response":[]}'),
  refused('{"tokenValidity":1,"tokenValidity":1,"response":[]}'),
  refused('{"response":[],"data":{"response":[]}}'),
  refused('{"response":null,"data":{"response":[]}}'),
  refused('{"data":{"response":[],"data":null}}'),
  refused('{"response":[{"access":[],"access":[]}]}'),
  refused(`{"response":[{"access":[${ENTRY.replace('"path"', '"resourceType":"x","path"')}]}]}`),
  refused(`{"response":[{"access":[${ENTRY.replace('"column"', '"column":[],"column"')}]}]}`),
  refused(String.raw`{"response":[{"access":[],"acces\u0073":[]}]}`),
  refused('{"response":[{"access":[{"resourceType":"other","x":{"y":1,"y":2}}]}]}'),
  refused('{"response":[{"access":[{"path":"s","actions":[]}]}]}'),
  ...['', 'a..b', String.raw`s\\`, '$.a['].map((name) =>
    refused(`{"response":[{"access":[${ENTRY.replace('["s"]', `["s","${name}"]`)}]}]}`),
  ),
  refused(`{"response":[{"access":[${ENTRY.replace('"column"', '"table":[""],"column"')}]}]}`),
  ...['', 'a..b', '$.a['].flatMap((name) => [filterNaming(name, true), filterNaming(name, false)]),
  ...[
    '[{"key":"DRY_RUN","value":"s"},{"key":"DRY_RUN","value":"s"}]',
    '[{"key":"DRY_RUN","value":"s"},{"key":"x","value":"y"},{"key":"DRY_RUN","value":"t"}]',
    '[{"key":"DRY_RUN","value":[]}]',
    '{"DRY_RUN":["s","t"]}',
  ].map((metadata) =>
    refused(
      `{"response":[{"access":[${ENTRY.replace('"path"', `"policies":[{"name":"P","metadata":${metadata}}],"path"`)}]}]}`,
    ),
  ),
  {
    name: 'what is wrapped in data is understood',
    json: '[{"s":"1"}]',
    says: `{"data":{"response":[{"access":[${ENTRY}]}]}}`,
    gives: '[{"s":"***"}]',
  },
]);

function acts(action: object | string, gives: string | number): Row {
  const actions = [typeof action === 'string' ? { action } : action];
  return {
    name: JSON.stringify(action),
    json: '[{"s":"12345678"}]',
    says: access(entry('s', '', { actions })),
    gives,
  };
}

interpretations('texts of actions', [
  ...[
    'last(4',
    'last(-1)',
    'last(4,)',
    'first(1)x',
    'last(4, ab)',
    'MASK(',
    'filter(x)',
    ' Last( 4',
    'x::MASK',
    '-1::MASK',
    'x:: last4',
    'x::last(4',
    '1::x::MASK',
    'a::b::first',
    '',
    ' ',
  ].map((text) => acts(text, 502)),
  ...['last seen', 'masked', 'last44x', 'a::b', 'x::masked', 'firstly'].map((text) =>
    acts(text, `[{"s":"${text}"}]`),
  ),
  acts('last(4)', '[{"s":"****5678"}]'),
  acts(' LAST4 ', '[{"s":"****5678"}]'),
  acts('3::last()', '[{"s":"****5678"}]'),
  acts({ action: 'MASK', value: '' }, '[{"s":"***"}]'),
  acts({ action: '1::last(4)', value: '' }, '[{"s":"****5678"}]'),
  acts({ action: 'Blank', value: '' }, '[{"s":""}]'),
  acts({ action: 'Named', value: 'last4' }, '[{"s":"****5678"}]'),
  acts({ action: 'MASK', value: null }, '[{"s":"***"}]'),
  acts({ action: '', value: '' }, 502),
  acts({ value: '' }, 502),
  acts({}, 502),
  acts({ action: true }, 502),
  acts({ action: 'Named', value: 5 }, '[{"s":"5"}]'),
]);

interpretations('parameters', [
  ...[
    { Root: 'rows' },
    { roots: 'rows' },
    { filter: 'true' },
    { root: 5 },
    { assetType: null },
    { calculationType: 'guess' },
  ].map((parameters): Row => ({
    name: JSON.stringify(parameters),
    json: '[{"s":"1"}]',
    parameters: JSON.parse(JSON.stringify(parameters)),
    says: access('s'),
    gives: 400,
  })),
  {
    name: 'filter wins over FILTER',
    json: '[{"s":"1"}]',
    parameters: { FILTER: true, filter: false },
    config: { filterDefault: 'deny' },
    says: access(),
    gives: '[{"s":"1"}]',
  },
]);

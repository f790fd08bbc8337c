import { access, decision, filled, leaf, list, object, privilege, type Leaf, type Shape } from './shape.ts';
import { customer } from '../payloads/customer.ts';

const PROPERTIES = ['ssn', 'email', 'phone', 'address.street'];
const MASKS = decision(PROPERTIES.map((property) => access(property)));
const EVERYTHING = decision([], [privilege('MASK', { AND: [] })]);

export function shape(
  name: string,
  payload: (bytes: number) => string,
  asked: object = MASKS,
  parameters: Readonly<Record<string, unknown>> = {},
): Shape {
  return { name, request: (bytes) => ({ payload: payload(bytes), decision: asked, parameters }) };
}

function partial(action: string, ...columns: readonly string[]): object {
  return decision(columns.map((column) => access(column, action)));
}

function customers(bytes: number): string {
  return list(bytes, (index) => customer(index));
}

/** What all others are compared with: four properties masked in ordinary records. */
export const ORDINARY: Shape = shape('ordinary records, four masks', customers);

/** An object of properties with long names that differ at their end. */
function longNames(bytes: number): string {
  return list(bytes, (index) => `{"${'n'.repeat(2000)}${index % 40}":"x"}`);
}

function manyNames(bytes: number): string {
  return object(bytes, (index) => `"name${index}":"x"`);
}

function tree(bytes: number, open: string, close: string, depth: number, inner = '"ssn":"1"'): string {
  return list(bytes, () => open.repeat(depth) + inner + close.repeat(depth));
}

/** As many masks as asked for, by paths that differ in a number. */
function each(count: number, path: (index: number) => string): object {
  return decision(Array.from({ length: count }, (_, index) => access(path(index))));
}

/** Lists that are too short for their elements to be much of what they cost. */
function shortLists(bytes: number): string {
  return list(bytes, () => `{"v":[${Array.from({ length: 70 }, (_, index) => 1000 + index).join(',')}]}`);
}

const NAMES_OF_SCRIPTS = [
  'Müller-Łódź',
  'Пётр Ильич Чайковский',
  'Ελένη Παπαδοπούλου',
  '山田太郎',
  '김철수',
  'José Ñuñez',
];

function names(bytes: number, of: readonly string[] = NAMES_OF_SCRIPTS): string {
  return list(
    bytes,
    (index) => `{"ssn":"${of[index % of.length] ?? ''}","email":"${of[(index + 1) % of.length] ?? ''}"}`,
  );
}

/** One string, masked in part, that repeats some characters. */
function longString(name: string, characters: string, mask = 'last(4)', end = ''): Shape {
  const payload = (bytes: number): string =>
    `[{"ssn":"${characters.repeat(bytes / Buffer.byteLength(characters))}${end}"}]`;
  return shape(name, payload, partial(mask, 'ssn'));
}

/** Objects in each other, each with one property of another name. */
function deepNames(bytes: number): string {
  return list(bytes, (index) => `${openedNames(index)}1${'}'.repeat(200)}`);
}

function openedNames(index: number): string {
  return Array.from({ length: 200 }, (_, depth) => `{"a${(index * 200 + depth) % 7919}":`).join('');
}

/** One mask on `ssn` under a condition. */
function maskIf(...leaves: readonly Leaf[]): object {
  return decision([], [privilege('MASK', { AND: [leaf('column', 'EQUALS', ['ssn']), ...leaves] })]);
}

/** A mask of names below prefixes, by texts. */
const BY_PREFIX = decision(
  [],
  [privilege('MASK', { AND: [leaf('table', 'STARTS_WITH', ['b']), leaf('column', 'ENDS_WITH', ['ssn'])] })],
);

export const PAYLOAD_SHAPES: readonly Shape[] = [
  shape('long names', longNames),
  shape('many names', manyNames),
  shape('many names, everything masked', manyNames, EVERYTHING),
  shape('many names that begin alike', (bytes) =>
    object(bytes, (index) => `"${'ssn'.repeat(20)}${index}":1`),
  ),
  shape('many short names', (bytes) => object(bytes, (index) => `"${index.toString(36)}":1`), EVERYTHING),
  shape('many duplicates of one name', (bytes) => object(bytes, () => '"ssn":"1"')),
  shape('many duplicates, null', (bytes) => object(bytes, () => '"ssn":1')),
  shape(
    'duplicates read by a condition',
    (bytes) => `{"ssn":1,${filled(bytes, () => '"c":1')}}`,
    maskIf(leaf('c', 'EQUALS', ['1'])),
  ),
  shape(
    'duplicates below duplicates',
    (bytes) => object(bytes, () => '"a":{"b":1,"b":2}'),
    decision([access('a.b')]),
  ),
  shape('names with escapes', (bytes) => object(bytes, (index) => `"\\u0073sn${index % 100}":1`)),
  shape(
    'names with escapes, everything masked',
    (bytes) => list(bytes, (index) => `{"\\u0073sn${index % 100}":1}`),
    EVERYTHING,
  ),
  shape('deep objects', (bytes) => tree(bytes, '{"a":', '}', 500, '{"ssn":"1"}')),
  shape(
    'deep objects, everything masked',
    (bytes) => tree(bytes, '{"a":', '}', 500, '{"ssn":"1"}'),
    EVERYTHING,
  ),
  shape('deep objects with other names, everything masked', deepNames, EVERYTHING),
  shape(
    'deep objects, prefix conditions',
    (bytes) => tree(bytes, '{"a":', '}', 400, '{"ssn":"1"}'),
    BY_PREFIX,
  ),
  shape('deep objects with other names, prefix conditions', deepNames, BY_PREFIX),
  shape('deep arrays', (bytes) => list(bytes, () => '['.repeat(500) + '1' + ']'.repeat(500))),
  shape(
    'deep arrays, everything masked',
    (bytes) => list(bytes, () => '['.repeat(500) + '{"a":1}' + ']'.repeat(500)),
    EVERYTHING,
  ),
  shape(
    'deep arrays in records, everything masked',
    (bytes) => list(bytes, () => `{"a":${'['.repeat(490)}1${']'.repeat(490)}}`),
    EVERYTHING,
  ),
  shape(
    'deep arrays read by a condition',
    (bytes) => list(bytes, () => `{"c":${'['.repeat(490)}1${']'.repeat(490)},"ssn":1}`),
    maskIf(leaf('c', 'EQUALS', ['1'])),
  ),
  shape(
    'one deep chain in arrays with siblings',
    (bytes) => '[1,'.repeat(400) + list(bytes, () => '1') + ']'.repeat(400),
    EVERYTHING,
  ),
  shape(
    'descend over deep objects',
    (bytes) => tree(bytes, '{"a":', '}', 490, '{"ssn":"1"}'),
    decision([access('$..ssn'), access('$..a..b..ssn')]),
  ),
  shape('empty records', (bytes) => list(bytes, () => '{}')),
  shape('empty records, everything masked', (bytes) => list(bytes, () => '{}'), EVERYTHING),
  shape('empty records, one literal', (bytes) => list(bytes, () => '{}'), decision([access('a', 'b')])),
  shape(
    'empty records, five literals',
    (bytes) => list(bytes, () => '{}'),
    decision(['a', 'b', 'c', 'd', 'e'].map((column) => access(column, 'set'))),
  ),
  shape(
    'records with absent literals',
    (bytes) => list(bytes, (index) => `{"name":"Ann","id":${index}}`),
    decision(['a', 'b.c', 'd.e.f', 'b.g'].map((column) => access(column, 'set'))),
  ),
  shape(
    'nulls filled with literals',
    (bytes) => list(bytes, () => '{"a":null}'),
    decision([access('a.b', 'set')]),
  ),
  shape(
    'absent literals under conditions',
    (bytes) => list(bytes, () => '{"c":1,"z":5}'),
    decision(
      [],
      ['a', 'b'].map((column) =>
        privilege('set', { AND: [leaf('column', 'EQUALS', [column]), leaf('c', 'EQUALS', ['2'])] }),
      ),
    ),
  ),
  shape(
    'absent literals of 200 rules',
    (bytes) => list(bytes, () => '{"c":1}'),
    decision(
      [],
      Array.from({ length: 200 }, (_, index) =>
        privilege('set', { AND: [leaf('column', 'EQUALS', [`a${index}`]), leaf('c', 'EQUALS', ['2'])] }),
      ),
    ),
  ),
  shape('small numbers, everything masked', (bytes) => `{"a":${list(bytes, () => '1')}}`, EVERYTHING),
  shape('root of numbers, everything masked', (bytes) => list(bytes, () => '1'), EVERYTHING),
  shape(
    'root of numbers, filter',
    (bytes) => list(bytes, () => '1'),
    decision([], [privilege('FILTER', leaf('a', 'EQUALS', ['1']))]),
  ),
  shape(
    'small numbers, last(0)',
    (bytes) => `{"ssn":${list(bytes, () => '12')}}`,
    partial('last(0)', 'ssn.#'),
  ),
  shape(
    'small numbers, a literal',
    (bytes) => `{"ssn":${list(bytes, () => '1')}}`,
    partial('a literal', 'ssn.#'),
  ),
  shape('empty strings, a literal', (bytes) => `{"ssn":${list(bytes, () => '""')}}`, partial('a', 'ssn.#')),
  shape('empty strings masked', (bytes) => `{"ssn":${list(bytes, () => '""')}}`, partial('MASK', 'ssn.#')),
  shape(
    'elements by negative index',
    (bytes) => `{"ssn":${list(bytes, () => '1')}}`,
    decision([access('$.ssn[-1]'), access('$.ssn[0:1000000:2]')]),
  ),
  shape(
    'thousands of paths that begin with an index',
    (bytes) => list(bytes, () => '{"a":1}'),
    each(2000, (index) => `${index}.a`),
  ),
  shape(
    'thousands of paths with an index below the payload',
    (bytes) => list(bytes, () => '{"a":1}'),
    each(2000, (index) => `json.${index}.a`),
  ),
  shape(
    'thousands of paths with an index beside those of all elements',
    (bytes) => list(bytes, () => '{"a":1,"b":2}'),
    decision(
      Array.from({ length: 2000 }, (_, index) => access(index % 2 === 0 ? `${index}.#.a` : `#.b${index}`)),
    ),
  ),
  shape(
    'thousands of names beside all names',
    (bytes) => list(bytes, (index) => `{"n${index % 2000}":{"a":1}}`),
    decision(
      Array.from({ length: 2000 }, (_, index) =>
        access(index % 2 === 0 ? `n${index}.a` : `$[*].*.b${index}`),
      ),
    ),
  ),
  shape(
    'a thousand indexes anywhere',
    (bytes) => list(bytes, () => '[{"a":1},[{"a":2}],{"b":3}]'),
    each(1000, (index) => `$..[${index}].a`),
  ),
  shape(
    'a thousand names anywhere, beside a literal',
    (bytes) => list(bytes, (index) => `{"n${index % 2000}":{"b":1}}`),
    decision([...Array.from({ length: 1000 }, (_, index) => access(`$..n${index}.b`)), access('zz', 'set')]),
  ),
  shape(
    'a thousand names anywhere below others',
    (bytes) => list(bytes, (index) => `{"n${index % 2000}":{"b":1}}`),
    each(1000, (index) => `$..n${index}..b`),
  ),
  shape(
    'elements by slices',
    (bytes) => `{"ssn":${list(bytes, () => '1')}}`,
    each(20, (index) => `$.ssn[${index}:1000000:20]`),
  ),
  shape(
    'a thousand indexes in short lists',
    shortLists,
    each(1000, (index) => `v.${index}`),
  ),
  shape(
    'a thousand unions in short lists',
    shortLists,
    each(1000, (index) => `$.v[${index},${index + 5}]`),
  ),
  shape(
    'a thousand slices to the end of short lists',
    shortLists,
    each(1000, (index) => `$.v[-${index}:]`),
  ),
  shape(
    'slices of one step in short lists',
    shortLists,
    each(200, (index) => `$.v[${index}::7]`),
  ),
  shape(
    'slices by steps to the end of short lists',
    shortLists,
    each(200, (index) => `$.v[-${index}::7]`),
  ),
  shape(
    'elements by slices of many steps',
    (bytes) => `{"ssn":${list(bytes, () => '1')}}`,
    decision(
      [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map((step) => access(`$.ssn[${step}:1000000:${step}]`)),
    ),
  ),
  shape(
    'roots counted from the end',
    (bytes) => list(bytes, () => '{"a":{"ssn":"1"}}'),
    decision([access('$[-1].a.ssn'), access('$[-2:].a.email')]),
    { root: '#.a' },
  ),
  shape(
    'a condition on a big list of digits',
    (bytes) => `[{"c":${list(bytes, (index) => `"${index}"`)},"ssn":"1"}]`,
    maskIf(leaf('c', 'GREAT', ['1e9'], 'NUMBER')),
  ),
  shape(
    'elements by unions',
    (bytes) => `{"ssn":${list(bytes, () => '1')}}`,
    decision([access(`$.ssn[${Array.from({ length: 500 }, (_, index) => index * 2).join(',')}]`)]),
  ),
  longString('one long string', 'x'),
  longString('one long string with escapes', '\\n'),
  longString('one long string of surrogates', '\\ud83d\\ude00'),
  longString('one long string of lone surrogates', '\\ud83d'),
  longString('one long string of emoji', '😀'),
  longString('one long cluster', '\u0301'),
  longString('one long string, its shape', '7é', 'shape()'),
  longString('one long string, its shape, of clusters', 'e\u0301', 'shape()'),
  longString('one long address', 'é', 'email()', '@a.b'),
  shape('many clusters', (bytes) => names(bytes, ['e\u0301a\u0301', 'नमस्ते', '👨‍👩‍👧'])),
  shape(
    'clusters, partial mask',
    (bytes) => names(bytes, ['e\u0301a\u0301', 'नमस्ते', '👨‍👩‍👧', '🇩🇪🇫🇷']),
    partial('last(1)', 'ssn', 'email'),
  ),
  shape('one long string with escapes, unmasked', (bytes) => `[{"a":"${'\\"'.repeat(bytes / 2)}"}]`),
  shape(
    'strings with escapes',
    (bytes) => list(bytes, () => '{"ssn":"a\\nb\\tc\\u0041","email":"\\"x\\""}'),
    partial('last(2)', 'ssn', 'email'),
  ),
  shape(
    'short strings with escapes',
    (bytes) => `{"ssn":${list(bytes, () => '"\\n\\n"')}}`,
    partial('last(1)', 'ssn.#'),
  ),
  shape('names that are not ASCII, masked in part', names, partial('last(2)', 'ssn', 'email')),
  shape(
    'short values that are not ASCII, masked in part',
    (bytes) => `{"ssn":${list(bytes, () => '"éé"')}}`,
    partial('last(1)', 'ssn.#'),
  ),
  shape(
    'a mask character that is not ASCII',
    (bytes) => `{"ssn":${list(bytes, () => '"ab"')}}`,
    partial('last(1, •)', 'ssn.#'),
  ),
  shape('a long number masked in part', (bytes) => `{"ssn":${'7'.repeat(bytes)}}`, partial('last(4)', 'ssn')),
  shape(
    'a long number with an exponent masked in part',
    (bytes) => `{"ssn":1.${'7'.repeat(bytes / 2)}e${'1'.repeat(bytes / 2)}}`,
    partial('first(4)', 'ssn'),
  ),
  shape(
    'a long number of masked zeros',
    (bytes) => `{"ssn":${'7'.repeat(bytes)}.1}`,
    partial('last(1, 0)', 'ssn'),
  ),
  shape(
    'many short numbers masked in part',
    (bytes) => `{"ssn":${list(bytes, () => '-1.5')}}`,
    partial('last(1)', 'ssn.#'),
  ),
  shape('wildcards over many names', manyNames, decision([access('*a*m*9*'), access('n?me*')])),
  shape(
    'wildcards over long names',
    (bytes) => list(bytes, (index) => `{"${'a'.repeat(4000)}${index}":1}`),
    decision([access(`*${'a'.repeat(100)}*b`), access(`${'*a'.repeat(100)}*b`)]),
  ),
  shape(
    'a wildcard over one long name',
    (bytes) => `{"${'a'.repeat(bytes)}":1}`,
    decision([access(`*${'a'.repeat(2000)}b`)]),
  ),
  shape(
    'a wildcard with ? over one long name',
    (bytes) => `{"${'a'.repeat(bytes)}":1}`,
    decision([access(`*${'?a'.repeat(1000)}b`)]),
  ),
  shape(
    'wildcards in names of the payload',
    (bytes) => object(bytes, (index) => `"*?#${index}":"x"`),
    decision([access('\\*\\?*'), access('#'), access('*')]),
  ),
  shape('an escaped long name', (bytes) => `{"\\u0061${'a'.repeat(bytes)}":1}`, EVERYTHING),
  shape(
    'a condition on a big list',
    (bytes) => `[{"c":${list(bytes, (index) => String(index))},"ssn":"1"}]`,
    maskIf(leaf('c', 'EQUALS', ['-1'], 'NUMBER')),
  ),
  shape(
    '20 conditions on a big list',
    (bytes) => `[{"c":${list(bytes, (index) => String(index))},"ssn":"1"}]`,
    decision(
      [],
      Array.from({ length: 20 }, (_, index) =>
        privilege('MASK', {
          AND: [leaf('column', 'EQUALS', ['ssn']), leaf('c', 'EQUALS', [`-${index}`], 'NUMBER')],
        }),
      ),
    ),
  ),
  shape(
    '20 conditions on a big list of the payload',
    (bytes) =>
      `{"mode":${list(bytes, (index) => String(index))},"rows":[{"ssn":"1"},{"ssn":"2"},{"ssn":"3"},{"ssn":"4"}]}`,
    decision(
      [],
      Array.from({ length: 20 }, (_, index) =>
        privilege('MASK', {
          AND: [leaf('column', 'EQUALS', ['ssn']), leaf('$.mode', 'EQUALS', [`-${index}`], 'NUMBER')],
        }),
      ),
    ),
    { root: 'rows' },
  ),
  shape(
    'a condition on the payload in many records',
    (bytes) =>
      `{"mode":${list(bytes / 2, (index) => String(index))},"rows":${list(bytes / 2, () => '{"ssn":"1"}')}}`,
    maskIf(leaf('json.mode', 'EQUALS', ['-1'], 'NUMBER')),
    { root: 'rows' },
  ),
  shape(
    'a condition on records by index',
    (bytes) => `{"rows":${list(bytes, () => '{"ssn":"1"}')}}`,
    maskIf(leaf('rows.7.ssn', 'EQUALS', ['2'])),
    { root: 'rows' },
  ),
  shape(
    'a condition on wide records',
    (bytes) => list(bytes, () => object(10_000, (index) => `"k${index}":1`)),
    decision(
      [],
      Array.from({ length: 40 }, (_, index) =>
        privilege('MASK', { AND: [leaf('column', 'EQUALS', ['ssn']), leaf(`a${index}`, 'EQUALS', ['1'])] }),
      ),
    ),
  ),
  shape(
    '40 conditions on one wide record',
    (bytes) => object(bytes, (index) => `"k${index}":1`),
    decision(
      [],
      Array.from({ length: 40 }, (_, index) =>
        privilege('MASK', { AND: [leaf('column', 'EQUALS', ['ssn']), leaf(`a${index}`, 'EQUALS', ['1'])] }),
      ),
    ),
  ),
  shape(
    'conditions with thousands of numbers',
    (bytes) => list(bytes, (index) => `{"c":${index},"ssn":1}`),
    decision(
      [],
      [
        privilege('MASK', {
          AND: [
            leaf('column', 'EQUALS', ['ssn']),
            leaf(
              'c',
              'IN',
              Array.from({ length: 2000 }, (_, index) => `-${index + 1}`),
              'NUMBER',
            ),
          ],
        }),
      ],
    ),
  ),
  shape(
    'conditions with thousands of substrings',
    (bytes) => list(bytes, (index) => `{"c":"a${index}","ssn":1}`),
    decision(
      [],
      [
        privilege('MASK', {
          AND: [
            leaf('column', 'EQUALS', ['ssn']),
            leaf(
              'c',
              'CONTAINS',
              Array.from({ length: 2000 }, (_, index) => `x${index + 1}`),
            ),
          ],
        }),
      ],
    ),
  ),
  shape(
    'a condition over a long string',
    (bytes) => `[{"c":"${'a'.repeat(bytes)}","ssn":1}]`,
    decision(
      [],
      [
        privilege('MASK', {
          AND: [
            leaf('column', 'EQUALS', ['ssn']),
            leaf('c', 'CONTAINS', [`${'a'.repeat(2000)}b`, `${'a'.repeat(1000)}ba`]),
          ],
        }),
      ],
    ),
  ),
  shape(
    'typed conditions on long digit strings',
    (bytes) => list(bytes, () => `{"c":"${'7'.repeat(20_000)}","ssn":1}`),
    maskIf(leaf('c', 'LESS', ['1'], 'INTEGER')),
  ),
  shape(
    'typed conditions on short numbers',
    (bytes) => list(bytes, () => '{"c":1.5,"ssn":1}'),
    maskIf(leaf('c', 'LESS', ['1'], 'NUMBER')),
  ),
  shape(
    'typed conditions on dates',
    (bytes) => list(bytes, () => '{"c":"2026-01-01T10:00:00Z","ssn":1}'),
    maskIf(leaf('c', 'LESS', ['2020-01-01'], 'DATE')),
  ),
  shape(
    'typed conditions on one number of zeros',
    (bytes) => `[{"c":"${'0'.repeat(bytes)}x","ssn":1}]`,
    maskIf(leaf('c', 'LESS', ['1'], 'NUMBER')),
  ),
  shape(
    'a filter that drops every other record',
    (bytes) => list(bytes, (index) => `{"c":${index % 2}}`),
    decision([], [privilege('FILTER', leaf('c', 'EQUALS', ['1']))]),
  ),
  shape(
    'a filter that keeps all records',
    (bytes) => list(bytes, () => '{"c":1}'),
    decision([], [privilege('FILTER', leaf('c', 'EQUALS', ['1']))]),
  ),
  shape(
    'a filter that drops all records',
    (bytes) => list(bytes, () => '{}'),
    decision([], [privilege('FILTER', leaf('c', 'EQUALS', ['1']))]),
  ),
  shape(
    'a filter over roots of a wildcard',
    (bytes) => object(bytes, (index) => `"k${index}":{"c":${index % 2}}`),
    decision([], [privilege('FILTER', leaf('c', 'EQUALS', ['1']))]),
    { root: 'k*' },
  ),
  shape(
    'a filter over nested roots',
    (bytes) => list(bytes, (index) => `{"a":{"b":{"c":${index % 2}}}}`),
    decision([], [privilege('FILTER', leaf('c', 'EQUALS', ['1']))]),
    { root: '#.a.b' },
  ),
  shape(
    'many filters',
    (bytes) => list(bytes, (index) => `{"c":${index % 2}}`),
    decision(
      [],
      Array.from({ length: 300 }, (_, index) => privilege('FILTER', leaf('c', 'EQUALS', [`x${index}`]))),
    ),
  ),
  shape(
    'many filters by texts',
    (bytes) => list(bytes, (index) => `{"c":"a${index % 2}"}`),
    decision(
      [],
      [
        privilege(
          'FILTER',
          leaf(
            'c',
            'CONTAINS',
            Array.from({ length: 300 }, (_, index) => `x${index}`),
          ),
        ),
      ],
    ),
  ),
  shape(
    'many priorities on one property',
    (bytes) => list(bytes, () => '{"ssn":"1","c":1}'),
    decision(
      [],
      Array.from({ length: 300 }, (_, index) =>
        privilege(`${index}::last(4)`, {
          AND: [leaf('column', 'EQUALS', ['ssn']), leaf('c', 'EQUALS', [`x${index}`])],
        }),
      ),
    ),
  ),
  shape(
    'name conditions over many distinct names',
    manyNames,
    decision(
      [],
      [
        privilege('MASK', leaf('column', 'STARTS_WITH', ['x'])),
        privilege('MASK', leaf('column', 'CONTAINS', ['yy'])),
      ],
    ),
  ),
  shape(
    '40 name conditions over many distinct names',
    manyNames,
    decision(
      [],
      Array.from({ length: 40 }, (_, index) => privilege('MASK', leaf('column', 'CONTAINS', [`y${index}`]))),
    ),
  ),
  shape(
    '40 name conditions of each kind over many distinct names',
    manyNames,
    decision(
      [],
      Array.from({ length: 40 }, (_, index) => index).flatMap((index) => [
        privilege('MASK', leaf('column', 'STARTS_WITH', [`y${index}`])),
        privilege('MASK', leaf('column', 'ENDS_WITH', [`y${index}`])),
        privilege('MASK', {
          AND: [leaf('column', 'NOT_CONTAINS', ['name']), leaf('column', 'NOT_IN', [`y${index}`])],
        }),
      ]),
    ),
  ),
  shape(
    '200 wildcards over many distinct names',
    manyNames,
    each(200, (index) => `*y${index}*z`),
  ),
  shape(
    'name conditions over distinct names in records',
    (bytes) => list(bytes, (index) => `{"n${index}":{"m${index}":1}}`),
    decision([], [privilege('MASK', leaf('column', 'STARTS_WITH', ['x']))]),
  ),
  shape(
    '200 open conditions over distinct names',
    manyNames,
    decision(
      [],
      Array.from({ length: 200 }, (_, index) => privilege('MASK', leaf('c', 'EQUALS', [`y${index}`]))),
    ),
  ),
  shape('root of many objects', (bytes) => object(bytes, (index) => `"k${index}":{"ssn":"1"}`), MASKS, {
    root: 'k*',
  }),
  shape('a big mask string', (bytes) => `{"ssn":${list(bytes, () => '"x"')}}`, partial('MASK', 'ssn.#'), {
    maskString: '*'.repeat(256),
  }),
  shape(
    'a mask string of a few characters',
    (bytes) => `{"ssn":${list(bytes, () => '"abcdef"')}}`,
    partial('MASK', 'ssn.#'),
    { maskString: '********' },
  ),
  shape('whitespace', (bytes) => `[${' '.repeat(bytes)}]`),
  shape('whitespace between values', (bytes) => list(bytes, () => '    \n   {    "ssn"   :    "1"   }   ')),
  shape(
    'whitespace around masked values',
    (bytes) => `{"ssn":${list(bytes / 200, () => `${' '.repeat(100)}1${' '.repeat(100)}`)}}`,
    partial('MASK', 'ssn.#'),
  ),
  shape('context mode', (bytes) => list(bytes, (index) => `{"id":${index}}`), decision([]), {
    calculationType: 'context',
    assetId: 'id',
    protectedObject: 'customers',
  }),
  shape('context mode, one id', (bytes) => list(bytes, () => '{"id":1}'), decision([]), {
    calculationType: 'context',
    assetId: 'id',
    protectedObject: 'customers',
  }),
  shape(
    'context mode, ids as a list',
    (bytes) => `[{"id":${list(bytes, (index) => `"i${index}"`)}}]`,
    decision([]),
    { calculationType: 'context', assetId: 'id', protectedObject: 'customers' },
  ),
  shape(
    'context mode, ids as a list, a property for each asset',
    (bytes) =>
      `[{"id":${list(bytes, (index) => `"i${index}"`)},${filled(2000, (index) => `"p${index}":1`)}}]`,
    decision(
      Array.from({ length: 200 }, (_, index) => ({
        resourceType: 'customers',
        path: `i${index}`,
        attributes: { column: [`p${index}`] },
        actions: [{ action: 'MASK' }],
      })),
    ),
    { calculationType: 'context', assetId: 'id', protectedObject: 'customers' },
  ),
  shape(
    'context mode, a thousand rules about one asset, behind conditions',
    (bytes) => list(bytes, () => '{"id":"x","ssn":"1"}'),
    decision(
      Array.from({ length: 1000 }, () => ({
        resourceType: 'customers',
        path: 'x',
        attributes: { column: ['ssn'] },
        actions: [{ action: '1::MASK' }],
      })),
      [
        privilege('0::MASK', {
          AND: [leaf('column', 'EQUALS', ['ssn']), leaf('id', 'EQUALS', ['y'])],
        }),
      ],
    ),
    { calculationType: 'context', assetId: 'id', protectedObject: 'customers' },
  ),
  shape(
    'context mode over nested arrays',
    (bytes) => list(bytes, () => '['.repeat(400) + '{"id":1}' + ']'.repeat(400)),
    decision([]),
    { calculationType: 'context', assetId: 'id', protectedObject: 'customers' },
  ),
  shape(
    'context mode, ids in nested arrays',
    (bytes) => list(bytes, () => `{"id":${'['.repeat(400)}1${']'.repeat(400)}}`),
    decision([]),
    { calculationType: 'context', assetId: 'id', protectedObject: 'customers' },
  ),
  shape('context mode, .. steps', (bytes) => tree(bytes, '{"a":', '}', 400, '{"id":1}'), decision([]), {
    calculationType: 'context',
    assetId: `$${'..a'.repeat(1000)}`,
    protectedObject: 'customers',
  }),
  shape('context mode, wildcard', (bytes) => list(bytes, (index) => `{"id${index}":1}`), decision([]), {
    calculationType: 'context',
    assetId: '*',
    protectedObject: 'customers',
  }),
  shape('a root of a thousand .. steps', (bytes) => tree(bytes, '{"a":', '}', 490, '{"ssn":"1"}'), MASKS, {
    root: `$${'..a'.repeat(1000)}`,
  }),
  shape('a root of a thousand ..*', (bytes) => tree(bytes, '{"a":', '}', 490, '{"ssn":"1"}'), MASKS, {
    root: `$${'..*'.repeat(1000)}`,
  }),
  shape('a root of many unions', (bytes) => list(bytes, () => '{"ssn":"1"}'), MASKS, {
    root: `$[${Array.from({ length: 1000 }, (_, index) => index).join(',')}]`,
  }),
  shape(
    'a root of a thousand names over names',
    (bytes) => object(bytes, (index) => `"k${index}":1`),
    MASKS,
    { root: '$..k1' },
  ),
  shape(
    'a property named like the payload’s parts',
    (bytes) => object(bytes, (index) => `"json${index}":{"json":1}`),
    MASKS,
    { root: 'json*' },
  ),
  {
    name: 'a request after one with many names, under name conditions',
    request: (bytes) => ({
      before: manyNames(400_000),
      payload: customers(bytes),
      decision: decision([access('*ssn')], [privilege('MASK', leaf('column', 'ENDS_WITH', ['phone']))]),
    }),
  },
  shape(
    'parameters and names of parts repeated',
    (bytes) => `[${filled(bytes, () => '{"json":1}')}]`,
    MASKS,
    { root: 'json' },
  ),
];

import { shape } from './payload-shapes.ts';
import { access, decision, leaf, list, object, privilege, type Leaf, type Shape } from './shape.ts';

/** How many conditions there are. */
const MANY = 200;
/** The same of those that may be about any property. */
const FEWER = 40;

const SSN = leaf('column', 'EQUALS', ['ssn']);

/** As many masks of `ssn`, each under a condition of its own. */
function masks(condition: (index: number) => Leaf): object {
  return decision(
    [],
    many((index) => privilege('MASK', { AND: [SSN, condition(index)] })),
  );
}

function many<T>(item: (index: number) => T): T[] {
  return Array.from({ length: MANY }, (_, index) => item(index));
}

/** As many masks of properties whose paths compare so with digits. */
function masksByDigits(attribute: string, operator: string, type?: string): object[] {
  return Array.from({ length: FEWER }, (_, index) =>
    privilege('MASK', leaf(attribute, operator, [String(index)], type)),
  );
}

/** Masks of properties with certain paths, each for records with other values. */
function masksUnlessX(attribute: string, operator: string, value: (index: number) => string): object[] {
  return Array.from({ length: FEWER }, (_, index) =>
    privilege('MASK', {
      AND: [leaf(attribute, operator, [value(index)]), leaf('x', 'NOT_EQUALS', [String(index)])],
    }),
  );
}

/** Masks of what a path leads to, each for records with another value. */
function ofEverything(column: string): object {
  const named = leaf('column', 'EQUALS', [column]);
  return decision(
    [],
    many((index) => privilege('MASK', { AND: [named, leaf('c', 'EQUALS', [String(index)])] })),
  );
}

function deepArrays(bytes: number): string {
  return list(bytes, () => `${'['.repeat(480)}{"c":0}${']'.repeat(480)}`);
}

function filters(operator: string): object[] {
  return many((index) => privilege('FILTER', leaf(`a${index}`, operator, ['1'])));
}

function empty(bytes: number): string {
  return list(bytes, () => '{}');
}

function small(bytes: number): string {
  return list(bytes, () => '{"ssn":1}');
}

/** Small records, each with another value. */
function distinct(bytes: number): string {
  return list(bytes, (index) => `{"c":${index},"ssn":1}`);
}

/** One record with a long list that a condition on each of its other properties reads. */
function longList(name: string, item: (index: number) => string, condition: (index: number) => Leaf): Shape {
  const properties = many((index) => `"p${index}":1`).join(',');
  const rules = many((index) =>
    privilege('MASK', { AND: [leaf('column', 'EQUALS', [`p${index}`]), condition(index)] }),
  );
  return shape(name, (bytes) => `[{"c":${list(bytes, item)},${properties}}]`, decision([], rules));
}

/** One record of distinct names that may read as a type. */
function typedNames(name: string, nameOf: (index: number) => string, condition: Leaf): Shape {
  const payload = (bytes: number) => `[${object(bytes, (index) => `"${nameOf(index)}":1`)}]`;
  return shape(name, payload, decision([], [privilege('MASK', condition)]));
}

/** An instant without an offset: as many seconds after a certain one. */
function instant(index: number): string {
  return new Date(Date.UTC(2031, 4, 6) + index * 1000).toISOString().slice(0, 19);
}

/** Pairs of properties under conditions on as many attributes that the index of an element may matter for. */
function byElement(name: string, attribute: (index: number) => string): Shape {
  return shape(
    name,
    (bytes) => list(bytes, () => '{"ssn":1,"b":2}'),
    masks((index) => leaf(attribute(index), 'EQUALS', ['1'])),
  );
}

/** Small records under many conditions, none of which holds for them or all of which do. */
export const CONDITION_SHAPES: readonly Shape[] = [
  shape('filters on many attributes', empty, decision([], filters('EQUALS'))),
  shape('negated filters on many attributes', empty, decision([], filters('NOT_IN'))),
  shape('denied filters on many attributes', small, decision([], [], filters('EQUALS'))),
  shape(
    'conditions on many attributes',
    small,
    masks((index) => leaf(`a${index}`, 'EQUALS', ['1'])),
  ),
  shape(
    'conditions on attributes anywhere in records',
    small,
    masks((index) => leaf(`$..a${index}`, 'EQUALS', ['1'])),
  ),
  shape(
    'conditions on attributes by wildcards',
    small,
    masks((index) => leaf(`a${index}*`, 'EQUALS', ['1'])),
  ),
  shape(
    'conditions on many attributes of the payload',
    (bytes) => `{"rows":${small(bytes)}}`,
    masks((index) => leaf(`json.a${index}`, 'EQUALS', ['1'])),
    { root: 'rows' },
  ),
  shape(
    'conditions on many attributes over many roots',
    (bytes) => object(bytes, (index) => `"k${index}":{"ssn":1}`),
    masks((index) => leaf(`a${index}`, 'EQUALS', ['1'])),
    { root: 'k*' },
  ),
  shape(
    'conditions of many properties over many roots',
    (bytes) => object(bytes, (index) => `"k${index}":{"p${index % MANY}":1}`),
    decision(
      [],
      many((index) =>
        privilege('MASK', {
          AND: [leaf('column', 'EQUALS', [`p${index}`]), leaf(`a${index}`, 'EQUALS', ['1'])],
        }),
      ),
    ),
    { root: 'k*' },
  ),
  shape('one condition of many leaves', small, {
    response: [
      {
        access: [],
        privileges: {
          allowed: [
            privilege('MASK', {
              AND: [
                SSN,
                { OR: many((index) => leaf(`a${index}`, 'EQUALS', ['1'])) },
                { AND: many((index) => leaf(`b${index}`, 'NOT_EQUALS', ['1'])) },
              ],
            }),
          ],
          denied: [],
        },
      },
    ],
  }),
  shape(
    'values under many bounds',
    distinct,
    masks((index) => leaf('c', 'LESS', [`-${index + 1}`], 'NUMBER')),
  ),
  shape(
    'values that many conditions exclude',
    distinct,
    masks((index) => leaf('c', 'IN', [`-${index + 1}`], 'NUMBER')),
  ),
  shape(
    'values compared with many parts',
    (bytes) => list(bytes, (index) => `{"c":"x${index}","ssn":1}`),
    masks((index) => leaf('c', 'CONTAINS', [`y${index}`])),
  ),
  longList(
    'parts that many properties ask of a long list',
    (index) => `"x${index}"`,
    (index) => leaf('c', 'CONTAINS', [`y${index}`]),
  ),
  longList(
    'bounds that many properties ask of a long list',
    (index) => `${index}`,
    (index) => leaf('c', 'LESS', [`-${index + 1}`], 'NUMBER'),
  ),
  longList(
    'dates that many properties ask of a list of numbers',
    (index) => `${index}`,
    (index) => leaf('c', 'LESS', [`1${String(index).padStart(3, '0')}-01-01`], 'DATE'),
  ),
  shape(
    'dates under many bounds',
    (bytes) => list(bytes, (index) => `{"c":"2${String(index % 1000).padStart(3, '0')}-01-01","ssn":1}`),
    masks((index) => leaf('c', 'LESS', [`1${String(index).padStart(3, '0')}-01-01`], 'DATE')),
  ),
  shape(
    'wildcards as attributes over many distinct names',
    (bytes) => list(bytes, (index) => `{"c${index}":${index},"ssn":1}`),
    masks((index) => leaf(`*${index}`, 'EQUALS', ['-1'], 'NUMBER')),
  ),
  shape(
    'wildcards as attributes over one record of distinct names',
    (bytes) => `[{"ssn":1,${object(bytes, (index) => `"c${index}":${index}`).slice(1)}]`,
    masks((index) => leaf(`*${index}`, 'EQUALS', ['-1'], 'NUMBER')),
  ),
  shape(
    'wildcards in paths of attributes over many distinct names',
    (bytes) => list(bytes, (index) => `{"c${index}":{"d":1},"ssn":1}`),
    masks((index) => leaf(`*${index}.d`, 'EQUALS', ['x'])),
  ),
  shape(
    'attributes anywhere in records of distinct names',
    (bytes) => list(bytes, (index) => `{"c${index}":${index},"ssn":1}`),
    masks((index) => leaf(`$..c${index}`, 'EQUALS', ['x'])),
  ),
  shape(
    'many distinct names compared as numbers',
    (bytes) => list(bytes, (index) => `{"a${index}":1}`),
    decision([], [privilege('MASK', leaf('column', 'LESS', ['1'], 'NUMBER'))]),
  ),
  typedNames(
    'distinct instants as names',
    (index) => `${instant(index)}Z`,
    leaf('column', 'LESS', ['2020-01-01'], 'DATE'),
  ),
  typedNames(
    'distinct seconds as names, near the bound',
    (index) => instant(index),
    leaf('column', 'LESS', ['2031-05-07'], 'DATETIME'),
  ),
  typedNames(
    'distinct instants with offsets as names',
    (index) => `${instant(index)}.5+01:00`,
    leaf('column', 'LESS', ['2020-01-01'], 'DATETIME'),
  ),
  typedNames(
    'distinct numbers with exponents as names',
    (index) => `${index}e-5`,
    leaf('column', 'LESS', ['12.5'], 'NUMBER'),
  ),
  typedNames(
    'distinct exponents as names',
    (index) => `5e-${index}`,
    leaf('column', 'LESS', ['12.5'], 'NUMBER'),
  ),
  typedNames('distinct integers as names', String, leaf('column', 'LESS', ['12.5'], 'NUMBER')),
  typedNames(
    'distinct numbers as names',
    (index) => `${index}.25`,
    leaf('column', 'LESS', ['12.5'], 'NUMBER'),
  ),
  shape(
    'distinct integers as names under many bounds',
    (bytes) => `[${object(bytes, (index) => `"${index}":1`)}]`,
    decision(
      [],
      Array.from({ length: 20 }, (_, index) =>
        privilege('MASK', leaf('column', 'LESS', [`${index * 1000 + 12.5}`], 'NUMBER')),
      ),
    ),
  ),
  shape(
    'distinct names under many bounds',
    (bytes) => `[${object(bytes, (index) => `"n${index}":1`)}]`,
    decision(
      [],
      Array.from({ length: 20 }, (_, index) =>
        privilege('MASK', leaf('column', 'LESS', [`n${index * 1000}`])),
      ),
    ),
  ),
  shape(
    'a thousand wildcards as attributes',
    (bytes) => `[{"ssn":1,${object(bytes, (index) => `"c${index}":${index}`).slice(1)}]`,
    decision(
      [],
      Array.from({ length: 1000 }, (_, index) =>
        privilege('MASK', { AND: [SSN, leaf(`*${index}`, 'EQUALS', ['-1'], 'NUMBER')] }),
      ),
    ),
  ),
  shape(
    'paths with indexes compared as texts',
    (bytes) => list(bytes, (index) => `{"a${index}":1}`),
    decision([], [privilege('MASK', leaf('column', 'STARTS_WITH', ['1']))]),
  ),
  shape(
    'texts compared in order with thousands',
    (bytes) => list(bytes, (index) => `{"ssn":"a${index}"}`),
    decision(
      [],
      [
        privilege(
          'MASK',
          leaf(
            'ssn',
            'LESS',
            Array.from({ length: 5000 }, (_, index) => `Z${index}`),
          ),
        ),
      ],
    ),
  ),
  shape(
    'indexes compared with many numbers',
    (bytes) => list(bytes, () => '[{},{},{},{},{},{},{},{}]'),
    decision([], masksByDigits('column', 'LESS', 'NUMBER')),
  ),
  shape(
    'paths that end in many digits',
    (bytes) => list(bytes, (index) => `{"n${index}":{"ssn":1}}`),
    decision([], masksByDigits('column', 'ENDS_WITH')),
  ),
  shape(
    'prefixes that contain many digits',
    (bytes) => list(bytes, (index) => `{"a":{"ssn":${index}}}`),
    decision([], masksByDigits('table', 'CONTAINS')),
  ),
  shape(
    'paths that contain many digits',
    (bytes) => list(bytes, (index) => `{"n${index}":{"ssn":${index}}}`),
    decision([], masksByDigits('column', 'CONTAINS')),
  ),
  shape(
    'prefixes that contain digits, with values',
    (bytes) => list(bytes, (index) => `{"a":{"ssn":${index}}}`),
    decision([], masksUnlessX('table', 'CONTAINS', String)),
  ),
  shape(
    'paths without many digits',
    (bytes) => list(bytes, (index) => `{"n${index}":{"ssn":${index}}}`),
    decision([], masksByDigits('column', 'NOT_CONTAINS')),
  ),
  shape(
    'wildcards as prefixes, with values',
    (bytes) => list(bytes, (index) => `{"n${index}":{"ssn":${index}}}`),
    decision(
      [],
      masksUnlessX('table', 'EQUALS', (index) => `*${index}*`),
    ),
  ),
  shape(
    'paths without many digits, in one record',
    (bytes) => object(bytes, (index) => `"n${index}":{"ssn":${index}}`),
    decision([], masksByDigits('column', 'NOT_CONTAINS')),
  ),
  shape(
    'prefixes that contain digits, in a list of one record',
    (bytes) => `{"r":${list(bytes, (index) => `{"a${index}":{"ssn":${index}}}`)}}`,
    decision([], masksUnlessX('table', 'CONTAINS', String)),
  ),
  shape(
    'names that are compared with many numbers, in lists in lists',
    (bytes) => list(bytes, () => '[1,[2,[]]]'),
    decision([], masksByDigits('column', 'LESS', 'NUMBER')),
  ),
  shape(
    'thousands of paths with an index excluded',
    (bytes) => list(bytes, () => '{"a":1,"b":2}'),
    decision(
      [],
      [
        privilege(
          'MASK',
          leaf(
            'column',
            'NOT_IN',
            Array.from({ length: 2000 }, (_, index) => `${index}.a`),
          ),
        ),
      ],
    ),
  ),
  shape(
    'a thousand unions excluded over nested lists',
    (bytes) => list(bytes, () => '[{"a":1},[{"a":2}],{"b":3}]'),
    decision(
      [],
      [
        privilege(
          'MASK',
          leaf(
            'column',
            'NOT_IN',
            Array.from({ length: 1000 }, (_, index) => `$[${index},${index + 5}].a`),
          ),
        ),
      ],
    ),
  ),
  shape(
    'hundreds of attributes with an index',
    (bytes) => list(bytes, () => '{"a":1,"b":2}'),
    decision(
      [],
      Array.from({ length: 500 }, (_, index) =>
        privilege('MASK', { AND: [leaf('column', 'EQUALS', ['a']), leaf(`${index}.b`, 'EQUALS', ['1'])] }),
      ),
    ),
  ),
  shape(
    'hundreds of names below prefixes',
    small,
    decision(
      [],
      Array.from({ length: 1000 }, (_, index) =>
        privilege('MASK', { AND: [leaf('table', 'EQUALS', [`t${index}`]), SSN] }),
      ),
    ),
  ),
  shape(
    'attributes anywhere, beside the root',
    (bytes) => `{"rows":${small(bytes / 2)},"others":${small(bytes / 2)}}`,
    masks((index) => leaf(`$..a${index}`, 'EQUALS', ['1'])),
    { root: 'rows' },
  ),
  shape(
    'attributes anywhere, of roots that are elements',
    (bytes) => small(bytes),
    masks((index) => leaf(`$..a${index}`, 'EQUALS', ['1'])),
    { root: '#' },
  ),
  shape(
    'conditions on what is in distinct values',
    (bytes) => list(bytes, (index) => `{"a":${index},"ssn":1}`),
    masks((index) => leaf(`a.b.c${index}`, 'EQUALS', ['1'])),
  ),
  shape(
    'conditions on what is in lists of distinct objects',
    (bytes) => list(bytes, (index) => `{"a":[{"b":${index}},{"b":2}],"c":{"a":1},"ssn":1}`),
    masks((index) => leaf(`$..a${index}`, 'EQUALS', ['1'])),
  ),
  shape(
    'a long text in which many conditions look for others',
    (bytes) => `[{"a":"${'ab'.repeat(bytes / 2)}","ssn":1}]`,
    masks((index) => leaf('a', 'CONTAINS', [`abab${index}`])),
  ),
  shape(
    'a long number that many conditions compare',
    (bytes) => `[{"a":${'1'.repeat(bytes)},"ssn":1}]`,
    masks((index) => leaf('a', 'LESS', [String(index)], 'NUMBER')),
  ),
  byElement('unions of names as attributes', (index) => `$['a${index}','c${index}'].b`),
  byElement('indexes anywhere as attributes', (index) => `$..[${index}].b`),
  byElement('elements of nested lists as attributes', (index) => `#.#.a${index}`),
  shape(
    'absent literals beside conditions on indexes',
    (bytes) => list(bytes, () => '[[{}]]'),
    decision(
      Array.from({ length: FEWER }, (_, index) => access(`ssn${index}`, 'set')),
      masksByDigits('table', 'STARTS_WITH'),
    ),
    { root: '#' },
  ),
  shape('conditions on everything, in deep arrays', deepArrays, ofEverything('$..*')),
  shape('conditions on elements anywhere, in deep arrays', deepArrays, ofEverything('$..[0]')),
  shape(
    'conditions on everything, in lists in lists',
    (bytes) => list(bytes, () => '[{}]'),
    ofEverything('$..*'),
  ),
];

import * as fc from 'fast-check';
import { joined, propertyTree, recordTree, type Said, type SaidObject } from './conditions.ts';
import type { Payload } from './payload.ts';
import { pathsInto, type Paths } from './paths.ts';

/** A mask: what it does never depends on what is absent. */
const MASKS = [
  'MASK',
  ' mask ',
  'first(2)',
  'middle',
  'middle(3)',
  'last4',
  'LAST( 1 )',
  'edges(1)',
  'edges(2, x)',
  'last(, 0)',
  'first(0)',
  'first(1, 👍🏽)',
  'last(2,5)',
  'middle(0,0)',
  'remove()',
  'Remove( )',
  'null()',
  'empty()',
  'email()',
  'email( Domain )',
  'card()',
  'shape()',
  'year()',
  'month()',
  'round(10)',
  'round(0.05)',
  'round(7)',
  'bucket(0, 10.5 ,65)',
  'bucket(-100)',
  'hash(pepper)',
] as const;

/** What sets a value: everything else is a literal, also what nearly is a mask. */
const LITERALS = [
  'XXX',
  'n/a',
  'mask it',
  'last seen',
  'hash',
  'remove ()',
  'email',
  'x::y',
  '"é\n',
  'value(0)',
  'value( {"a":[1,{}]} )',
  'value(null)',
  'value("x")',
] as const;

/** Every action that is generated. */
export const GENERATED_ACTIONS: readonly string[] = [...MASKS, ...LITERALS];

/** What is neither an action nor a literal. */
const BROKEN_ACTIONS = [
  'last(4',
  'last(-1)',
  'last(4, ab)',
  'last (4,)',
  'last 4',
  'first(1)x',
  'x::MASK',
  '-1::MASK',
  '1::2::last4',
  'MASK()',
  'filter(x)',
  'remove(1)',
  'null(',
  'empty(0)',
  'value()',
  'value({"a":1)',
  'email(user)',
  'card(4)',
  'shape(x)',
  'year(2)',
  'month(1)',
  'round()',
  'round(0)',
  'round(-5)',
  'round(x)',
  'bucket()',
  'bucket(1,)',
  'bucket(a)',
  'hash()',
  'hash(unknown)',
  '5::remove()x',
] as const;

const DRY_RUN = [
  { name: 'Dry', metadata: { DRY_RUN: 'id' } },
  { policyName: 'Dry by list', metadata: [{ key: 'DRY_RUN', value: ['id'] }] },
  { name: 'Dry by path', metadata: { DRY_RUN: 'customer.ssn' } },
  { name: 'Dry by several', metadata: { DRY_RUN: 'accounts.#.iban' } },
  { name: 'Dry by the payload', metadata: { DRY_RUN: 'json.id' } },
] as const;
const EFFECTIVE = [{ name: 'Effective', metadata: {} }, { name: 'Bare' }] as const;

const anyPriority = fc.option(fc.constantFrom('0::', '3::', ' 12 ::', '007::', '99999999999999999999::'), {
  freq: 3,
});

/** A decision in which most rules hit something. */
export function decisionOn(payload: Payload, assetIds: readonly string[]): fc.Arbitrary<Said> {
  const paths = pathsInto(payload);
  const types = ['columns', 'columns', ...(assetIds.length > 0 ? ['Customer'] : ['rows'])];
  const access = fc.array(accessEntry(paths, assetIds), { maxLength: 4 });
  const allowed = fc.array(privilege(paths, types), { maxLength: 3 });
  const denied = fc
    .option(privilege(paths, types), { freq: 5 })
    .map((entry) => (entry === null ? [] : [entry]));
  const part = fc.record({ access, privileges: fc.record({ allowed, denied }) });
  const whole = fc.array(part, { minLength: 1, maxLength: 2 }).chain((response) => {
    return fc.constantFrom<Said>({ response }, { tokenValidity: 300, response }, { data: { response } });
  });
  return fc.tuple(whole, absences).map(([said, names]) => withNulls(said, names));
}

const MAY_BE_NULL =
  'AND OR attribute operator values type match access actions action asset-attributes-filter attributes metadata path policies'.split(
    ' ',
  );

/** Members that PDPs with one class for several parts write in all of them, as null in most. */
const absences = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  {
    weight: 1,
    arbitrary: fc.subarray(MAY_BE_NULL),
  },
);

/** What is said, with null in each object for the members of these names that it has not. */
function withNulls(said: Said, names: readonly string[]): Said {
  if (said === null || typeof said !== 'object') return said;
  if (isList(said)) return said.map((one) => withNulls(one, names));
  const members = Object.entries(said).map(([name, value]) => [name, withNulls(value, names)] as const);
  return Object.fromEntries([...names.map((name) => [name, null] as const), ...members]);
}

function isList(said: Said): said is readonly Said[] {
  return Array.isArray(said);
}

/** A decision in which something is not understood. */
export const brokenDecision: fc.Arbitrary<Said> = fc.oneof(
  fc.constantFrom(...BROKEN_ACTIONS).map((action) => accessWith('ssn', { action })),
  fc
    .record({
      attributes: fc.constantFrom<SaidObject>(
        { column: ['ssn', ''] },
        { column: 'ssn', table: '' },
        { column: 'ssn..id' },
      ),
      actions: fc.constantFrom<Said>([], [{ action: 'FILTER' }]),
    })
    .map((parts) => ({ response: [{ access: [{ path: 'ssn', resourceType: 'columns', ...parts }] }] })),
  fc.constant({ response: [], data: { response: [] } }),
  fc.constantFrom<Said>({}, { response: {} }, { response: null }, { data: [] }, [], null, 'MASK'),
  fc
    .constantFrom<SaidObject>(
      { operator: 'RESEMBLES', values: ['x'] },
      { operator: 'EQUALS', values: [] },
      { operator: 'EQUALS' },
      { values: ['x'] },
      { operator: 'EQUALS', values: ['x'], type: 'COLOUR' },
      { operator: 'EQUALS', values: ['x'], type: 'INTEGER' },
      { operator: 'EQUALS', values: ['2024-13-01'], type: 'DATE' },
      { operator: 'LESS', values: ['true'], type: 'BOOLEAN' },
    )
    .map((leaf) => conditional({ AND: [{ attribute: 'status', ...leaf }] })),
  fc
    .constantFrom<SaidObject>({}, { AND: [], OR: [] }, { AND: [{}] }, { operator: 'EQUALS', values: ['x'] })
    .map(conditional),
  fc.constantFrom<SaidObject>({}, { action: '' }, { value: null }).map((action) => accessWith('ssn', action)),
  fc.constant(accessWith('ssn', { action: 'FILTER' })),
  fc
    .constantFrom<SaidObject[]>(
      [{ key: 'DRY_RUN', value: ['id', 'ssn'] }],
      [{ key: 'DRY_RUN', value: [] }],
      [{ key: 'DRY_RUN' }],
      [
        { key: 'DRY_RUN', value: 'id' },
        { key: 'DRY_RUN', value: 'id' },
      ],
    )
    .map((metadata) => accessWith('ssn', { action: 'MASK', policies: [{ name: 'Dry', metadata }] })),
  fc.constantFrom(...BROKEN_ACTIONS).map((action) => accessWith('ssn', { action })),
  fc.constantFrom(...BROKEN_ACTIONS).map((value) => accessWith('ssn', { action: 'Named', value })),
  fc.constantFrom('ssn\\', '$.a[').map((path) => accessWith(path, { action: 'MASK' })),
);

/** The text of a decision in which a name occurs twice. */
export const repeatingDecision: fc.Arbitrary<string> = fc.constantFrom(
  '{"response":[],"response":[]}',
  '{"tokenValidity":1,"tokenValidity":1,"response":[]}',
  '{"response":[{"access":[],"acces\\u0073":[]}]}',
  '{"response":[{"access":[{"resourceType":"rows","resourceType":"rows"}]}]}',
  '{"response":[{"access":[{"resourceType":"rows","attributes":{"column":"a","column":"b"}}]}]}',
  '{"response":[],"unknown":[[{"a":1,"b":{},"a":1}]]}',
);

function conditional(tree: SaidObject): Said {
  const actions = [{ action: 'MASK', 'asset-attributes-filter': tree }];
  return { response: [{ privileges: { allowed: [{ resourceType: 'columns', actions }], denied: [] } }] };
}

function accessWith(path: string, action: SaidObject): Said {
  return {
    response: [
      { access: [{ path, resourceType: 'columns', attributes: { column: [path] }, actions: [action] }] },
    ],
  };
}

/** An entry of the asset type, of the protected object where there are identifiers, or of neither. */
function accessEntry(paths: Paths, assetIds: readonly string[]): fc.Arbitrary<SaidObject> {
  const ofColumns = fc.oneof(
    { weight: 9, arbitrary: maskEntry(paths) },
    { weight: 2, arbitrary: literalEntry(paths) },
  );
  const columns = ofColumns.map((entry) => joined(entry, { resourceType: 'columns' }));
  const others = fc.oneof(ofColumns, brokenEntry).map((entry) => joined(entry, { resourceType: 'rows' }));
  const usual = fc.oneof({ weight: 9, arbitrary: columns }, { weight: 1, arbitrary: others });
  if (assetIds.length === 0) return usual;
  const authorizing = withActions(fc.constant({ attributes: {} }), fc.constant('FILTER'));
  const asset = fc
    .tuple(fc.oneof(ofColumns, authorizing), fc.constantFrom(...assetIds))
    .map(([entry, path]) => joined(entry, { path, resourceType: 'Customer' }));
  return fc.oneof(usual, asset);
}

/** What is none of our business may be whatever it is. */
const brokenEntry: fc.Arbitrary<SaidObject> = fc.constantFrom(
  {},
  { actions: [{}] },
  { path: 'ssn\\', actions: [{ action: 'MASK' }] },
);

function maskEntry(paths: Paths): fc.Arbitrary<SaidObject> {
  const masked = withActions(named(paths, paths.path), prioritized(fc.constantFrom(...MASKS)));
  const bare = fc.tuple(named(paths, paths.path), fc.constantFrom<SaidObject>({}, { actions: [] }));
  return fc.oneof(
    { weight: 9, arbitrary: masked },
    { weight: 1, arbitrary: bare.map((parts) => joined(...parts)) },
  );
}

function literalEntry(paths: Paths): fc.Arbitrary<SaidObject> {
  return withActions(named(paths, paths.literalPath), prioritized(fc.constantFrom(...LITERALS)));
}

/** The properties of an entry: full paths, or columns below a prefix. */
function named({ split }: Paths, path: fc.Arbitrary<string>): fc.Arbitrary<SaidObject> {
  const full = fc
    .array(path, { minLength: 1, maxLength: 3 })
    .map((column) => ({ path: column, attributes: { column } }));
  const single = path.map((column) => ({ path: column, attributes: { column } }));
  const below = split.map(({ prefix, column }) => ({
    path: `${prefix}.${column}`,
    attributes: { table: [prefix], column: [column] },
  }));
  const byPath = fc
    .tuple(path, split)
    .chain(([bare, { prefix }]) =>
      fc.constantFrom<SaidObject>({ path: bare }, { path: bare, attributes: { table: prefix } }),
    );
  return fc.oneof(
    { weight: 3, arbitrary: full },
    { weight: 1, arbitrary: single },
    { weight: 2, arbitrary: below },
    { weight: 1, arbitrary: byPath },
  );
}

function prioritized(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(anyPriority, value).map(([priority, text]) => (priority ?? '') + text);
}

function withActions(entry: fc.Arbitrary<SaidObject>, value: fc.Arbitrary<string>): fc.Arbitrary<SaidObject> {
  return fc.tuple(entry, anAction(value), policies('entry')).map(([some, action, policy]) => {
    return joined(some, policy, { actions: [action] });
  });
}

/** An action has its value in its name, or apart, or an empty one that does not count. */
function anAction(value: fc.Arbitrary<string>): fc.Arbitrary<SaidObject> {
  return fc
    .tuple(value, fc.constantFrom('name', 'name', 'value', 'value', 'empty'))
    .map(([text, place]): SaidObject => {
      if (place === 'value') return { action: 'Named', value: text };
      return place === 'name' ? { action: text } : { action: text, value: '' };
    });
}

function policies(place: 'entry' | 'action'): fc.Arbitrary<SaidObject> {
  const lists = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Said[]>([]) },
    { weight: 1, arbitrary: fc.constantFrom<Said[]>(...EFFECTIVE.map((policy) => [policy])) },
    { weight: 2, arbitrary: fc.constantFrom<Said[]>(...DRY_RUN.map((policy) => [policy])) },
    { weight: 1, arbitrary: fc.constantFrom<Said[]>([...DRY_RUN], [DRY_RUN[0], EFFECTIVE[0]]) },
  );
  return lists.map((list) => {
    if (list.length === 0) return {};
    return place === 'entry' ? { policies: list } : { accessPolicies: list };
  });
}

function privilege(paths: Paths, types: readonly string[]): fc.Arbitrary<SaidObject> {
  const mask = conditionalAction(prioritized(fc.constantFrom(...MASKS)), propertyTree(paths, paths.path));
  const literal = conditionalAction(
    prioritized(fc.constantFrom(...LITERALS)),
    propertyTree(paths, paths.literalPath),
  );
  const filter = conditionalAction(fc.constantFrom('FILTER', 'filter', '1::FILTER'), recordTree(paths));
  const everything = fc
    .tuple(
      fc.constantFrom({ action: 'FILTER' }, { action: 'MASK' }, { action: 'last(2)' }),
      policies('action'),
    )
    .map((parts) => joined(...parts));
  const action = fc.oneof(
    { weight: 4, arbitrary: mask },
    { weight: 2, arbitrary: literal },
    { weight: 3, arbitrary: filter },
    { weight: 1, arbitrary: everything },
  );
  const type = fc.constantFrom(...types);
  const actions = fc.oneof(
    { weight: 19, arbitrary: fc.array(action, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constant<SaidObject[]>([]) },
  );
  return fc.record({ resourceType: type, actions });
}

function conditionalAction(value: fc.Arbitrary<string>, tree: fc.Arbitrary<Said>): fc.Arbitrary<SaidObject> {
  return fc.tuple(anAction(value), tree, policies('action')).map(([action, condition, policy]) => {
    return joined(action, policy, { 'asset-attributes-filter': condition });
  });
}

import * as fc from 'fast-check';
import { joined, type Said, type SaidObject } from './conditions.ts';

const dottedSegment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'r', 'json') },
  { weight: 2, arbitrary: fc.constant('#') },
  { weight: 1, arbitrary: fc.constantFrom('0', '1', '*', '?', String.raw`\#`, 'r*') },
);
const JSON_PATH_SEGMENTS = [
  '.a',
  '.r',
  '.json',
  '.#',
  '.*',
  '[*]',
  '[0]',
  '..a',
  '..*',
  "['0']",
  "['a','r']",
  '[-1]',
  '[0:1]',
] as const;

/** A path of names that a small payload has. */
export const smallPath: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(dottedSegment, { minLength: 1, maxLength: 3 }).map((all) => all.join('.')),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...JSON_PATH_SEGMENTS), { maxLength: 3 })
      .map((all) => `$${all.join('')}`),
  },
);

const WHOLE = ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'] as const;
const IN_PART = ['CONTAINS', 'NOT_CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'LESS', 'GREATER'] as const;
const PARTS = ['a', 'b', 'r', 'a.', '.a', 'r.a', 'json', 'json.r', 'json.a', '#', '0', 'a.#', 'r.0'] as const;

const comparison = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...WHOLE), smallPath) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...IN_PART), fc.constantFrom(...PARTS)) },
);
const nameLeaf = fc
  .tuple(fc.constantFrom('column', 'table'), comparison)
  .map(([attribute, [operator, value]]): Said => ({ attribute, operator, values: [value] }));
const recordLeaf = fc
  .tuple(
    smallPath,
    fc.constantFrom('EQUALS', 'NOT_EQUALS'),
    fc.constantFrom('x', '1'),
    fc.constantFrom<SaidObject>({}, {}, { match: 'ALL' }),
  )
  .map(([attribute, operator, value, match]): Said =>
    joined({ attribute, operator, values: [value] }, match),
  );

const all = (some: fc.Arbitrary<Said>): fc.Arbitrary<Said> =>
  fc.array(some, { maxLength: 3 }).map((AND) => ({ AND }));
const leaf = fc.oneof({ weight: 6, arbitrary: nameLeaf }, { weight: 1, arbitrary: recordLeaf });
const { conjunction, tree } = fc.letrec<{ readonly conjunction: Said; readonly tree: Said }>((tie) => {
  const any = fc.array(tie('tree'), { maxLength: 2 }).map((OR): Said => ({ OR }));
  return {
    conjunction: fc.oneof({ maxDepth: 2 }, leaf, all(tie('conjunction'))),
    tree: fc.oneof(
      { maxDepth: 2 },
      { weight: 4, arbitrary: leaf },
      { weight: 3, arbitrary: all(tie('tree')) },
      { weight: 1, arbitrary: any },
    ),
  };
});
const conjunctions = fc.array(conjunction, { maxLength: 2 }).map((OR): Said => ({ OR }));

const MASKS = ['MASK', 'MASK', 'MASK', 'remove()', '1::last(1)'] as const;
const LITERALS = ['L', 'L', '1::M', 'value(0)'] as const;
const policies = fc.oneof(
  { weight: 5, arbitrary: fc.constant<SaidObject>({}) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('a', 'r.a', 'json.a', '#.a', 'a.#.b')
      .map((path): SaidObject => ({ policies: [{ name: 'P', metadata: { DRY_RUN: path } }] })),
  },
);

/** An action under a condition. */
function conditional(action: fc.Arbitrary<string>, condition: fc.Arbitrary<Said>): fc.Arbitrary<Said> {
  return fc.tuple(action, condition, policies).map(([name, filter, policy]) => ({
    resourceType: 'columns',
    actions: [joined({ action: name, 'asset-attributes-filter': filter }, policy)],
  }));
}

const privilege = fc.oneof(
  { weight: 3, arbitrary: conditional(fc.constantFrom(...MASKS), tree) },
  // Whether alternatives beside other leaves on names have each other's names created is left open.
  { weight: 2, arbitrary: conditional(fc.constantFrom(...LITERALS), fc.oneof(conjunction, conjunctions)) },
  {
    weight: 1,
    arbitrary: conditional(
      fc.constant('FILTER'),
      recordLeaf.map((one) => ({ AND: [one] })),
    ),
  },
);

/** Privileges of one kind: they differ in the values of one leaf on names, and in what they ask of records. */
const alike: fc.Arbitrary<Said[]> = fc
  .tuple(
    fc.constantFrom('column', 'table'),
    fc.oneof(
      fc.tuple(fc.constantFrom(...WHOLE), fc.constant(smallPath)),
      fc.tuple(fc.constantFrom(...IN_PART), fc.constant(fc.constantFrom(...PARTS))),
    ),
    fc.array(nameLeaf, { maxLength: 1 }),
  )
  .chain(([attribute, [operator, value], common]) => {
    const values = fc.array<string>(value, { minLength: 1, maxLength: 2 });
    const condition = fc
      .tuple(values, fc.array(recordLeaf, { maxLength: 1 }))
      .map(([own, rest]): Said => ({ AND: [{ attribute, operator, values: own }, ...common, ...rest] }));
    return fc.array(conditional(fc.constantFrom(...MASKS, ...LITERALS), condition), {
      minLength: 2,
      maxLength: 4,
    });
  });

/** An entry of the asset type, or of the type of the protected object. */
const entry = fc
  .tuple(
    fc.constantFrom(...MASKS, ...LITERALS),
    smallPath,
    fc.oneof(
      fc.constant<SaidObject>({}),
      smallPath.map((table): SaidObject => ({ table })),
    ),
    fc.constantFrom<SaidObject>(
      { path: 'a', resourceType: 'columns' },
      { path: 'a', resourceType: 'columns' },
      { path: 'x', resourceType: 'rows' },
    ),
    policies,
  )
  .map(([action, column, table, about, policy]): Said =>
    joined(about, policy, { attributes: joined({ column }, table), actions: [{ action }] }),
  );

/** A decision of few rules on names that small payloads have. */
export const smallDecision: fc.Arbitrary<Said> = fc
  .record({
    access: fc.array(entry, { maxLength: 1 }),
    privileges: fc.record({
      allowed: fc.oneof(
        { weight: 2, arbitrary: fc.array(privilege, { maxLength: 2 }) },
        { weight: 1, arbitrary: alike },
      ),
      denied: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Said[]>([]) },
        { weight: 1, arbitrary: fc.array(privilege, { maxLength: 1 }) },
      ),
    }),
  })
  .map((part) => ({ response: [part] }));

import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePath, scan, TOP } from '../../src/core/index.ts';
import { findRoots } from '../../src/enforcement/roots.ts';

type Step = 'name' | 'each' | 'wildcard';

/** What is beside the way to the root, much of it empty. */
const BESIDE = fc.constantFrom<unknown>([], [[]], {}, null, 1, { tags: [] }, [{ lines: [] }]);

/** A payload with at least one value at the end of the steps, and much that is empty around it. */
function payloadOf(steps: readonly Step[], at = 0): fc.Arbitrary<unknown> {
  const step = steps[at];
  if (step === undefined) return fc.constant({ ssn: '1' });
  const inside = payloadOf(steps, at + 1);
  if (step === 'each')
    return fc.tuple(fc.array(BESIDE, { maxLength: 2 }), inside).map(([others, one]) => others.concat([one]));
  return fc
    .tuple(fc.array(BESIDE, { maxLength: 2 }), inside)
    .map(([others, one]) =>
      Object.fromEntries([...others.map((other, i) => [`other${i}`, other]), [nameOf(at), one]]),
    );
}

function nameOf(at: number): string {
  return `name${at}`;
}

function written(steps: readonly Step[], misspelt?: number): string {
  const text = steps.map((step, at) => {
    if (step === 'name') return at === misspelt ? 'nmae' : nameOf(at);
    return step === 'each' ? '#' : '*';
  });
  return text.join('.');
}

const problem = fc
  .tuple(
    fc.array(fc.constantFrom<Step>('name', 'each', 'wildcard'), { maxLength: 3 }),
    fc.array(fc.constantFrom<Step>('each', 'wildcard'), { maxLength: 1 }),
  )
  .map(([before, after]) => before.concat('name', after))
  .chain((steps) => {
    const names = steps.flatMap((step, at) => (step === 'name' ? [at] : []));
    return fc.record({
      payload: payloadOf(steps),
      root: fc.constant(written(steps)),
      misspelt: fc
        .tuple(fc.constantFrom('', '$..'), fc.constantFrom(...names))
        .map(([descent, at]) => descent + written(steps, at)),
    });
  });

/** What is wrong with a root. */
function problemWith(root: string, payload: unknown): string | undefined {
  const doc = scan(Buffer.from(JSON.stringify(payload)), 100);
  try {
    findRoots({ doc, node: TOP }, parsePath(root), undefined);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test('a root that is misspelt in one name points at nothing, whatever is empty in the payload', () => {
  fc.assert(
    fc.property(problem, ({ payload, root, misspelt }) => {
      expect(problemWith(misspelt, payload)).toContain('points at nothing');
      expect(problemWith(root, payload) ?? '').not.toContain('points at nothing');
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, object]>([
  ['$..a', { a: { a: {} } }],
  ['$..a', { a: { b: { a: {} } } }],
  ['$..a', { a: [{ a: [] }] }],
])('a root that points at places within each other is refused: %s in %j', (root, payload) => {
  expect(problemWith(root, payload)).toContain('points at places that lie within each other');
});

test('a root may point at places beside each other', () => {
  expect(problemWith('$..a', { a: {}, b: { a: {} } })).toBeUndefined();
});

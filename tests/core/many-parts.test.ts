import { describe, expect, test } from '@jest/globals';
import type { ExplainedCondition } from '../../src/core/index.ts';
import { coreExplain } from './core.ts';

type Tree = Record<string, unknown>;

function leaf(attribute: string, operator: string, value: string): Tree {
  return { attribute, operator, values: [value] };
}

function many(count: number, part: (index: number) => Tree): readonly Tree[] {
  return Array.from({ length: count }, (_, index) => part(index));
}

/** Of every condition, names are a part that no list of names says. */
const TREES: Record<string, (count: number) => Tree> = {
  'any beside a name that is excluded': (count) => ({
    AND: [
      leaf('column', 'NOT_EQUALS', 'id'),
      {
        OR: many(count, (index) => ({
          AND: [
            leaf('column', 'STARTS_WITH', index % 2 === 0 ? 'n1' : 'n'),
            leaf('s', 'EQUALS', `x${index}`),
          ],
        })),
      },
    ],
  }),
  'any below a prefix': (count) => ({
    AND: [
      leaf('table', 'EQUALS', 'n1'),
      {
        OR: many(count, (index) => ({
          AND: [leaf('column', 'NOT_EQUALS', `c${index}`), leaf('s', 'EQUALS', `x${index}`)],
        })),
      },
    ],
  }),
  'all, each of which is any of two': (count) => ({
    AND: [
      leaf('column', 'CONTAINS', 'n2'),
      ...many(count, (index) => ({
        OR: [leaf('column', 'EQUALS', `c${index}`), leaf('s', 'NOT_EQUALS', `y${index}`)],
      })),
    ],
  }),
  'any of prefixes, and any of names': (count) => ({
    AND: [
      {
        OR: many(count, (index) => ({
          AND: [leaf('table', 'LESS', `n2${index}`), leaf('s', 'EQUALS', `x${index}`)],
        })),
      },
      {
        OR: many(count, (index) => ({
          AND: [leaf('column', 'GREATER', `n${index % 2}`), leaf('s', 'NOT_EQUALS', `y${index}`)],
        })),
      },
    ],
  }),
};

const PAYLOAD = [{ n1: { n2: 1 }, s: 'x2' }];

function explained(tree: Tree) {
  return coreExplain(
    {
      config: { attrName: 'column', object: 'table', filter: false },
      parameters: {},
      vendor: { entityId: 'jane' },
      jsonText: JSON.stringify(PAYLOAD),
      decision: {
        response: [
          {
            access: [],
            privileges: {
              allowed: [
                { resourceType: 'columns', actions: [{ action: 'MASK', 'asset-attributes-filter': tree }] },
              ],
              denied: [],
            },
          },
        ],
      },
    },
    { maxExplained: 10, maxBytes: 16_000_000 },
  );
}

function textOf(answer: Awaited<ReturnType<typeof explained>>): string {
  return answer.status === 200 ? answer.text : String(answer.status);
}

/** How deep groups are in each other. */
function depthOf(condition: ExplainedCondition | undefined): number {
  if (condition === undefined || 'read' in condition) return 0;
  const parts = 'AND' in condition ? condition.AND : condition.OR;
  return 1 + Math.max(0, ...parts.map(depthOf));
}

describe.each(Object.entries(TREES))('a condition of many parts: %s', (_name, tree) => {
  test('holds as one of few does', async () => {
    const few = await explained(tree(5));
    const lots = await explained(tree(1000));
    expect(few.counts?.masked).toBeGreaterThan(0);
    expect(textOf(lots)).toBe(textOf(few));
  });

  test('is explained with few groups in each other', async () => {
    const { explained: few } = await explained(tree(5));
    const { explained: more } = await explained(tree(50));
    const depths = [few, more].map((one) =>
      Math.max(...(one?.changes ?? []).map(({ condition }) => depthOf(condition))),
    );
    expect(depths[0]).toBeGreaterThan(0);
    expect(depths[1]).toBeLessThanOrEqual(6);
  });
});

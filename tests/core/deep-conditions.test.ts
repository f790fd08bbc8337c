import { describe, expect, test } from '@jest/globals';
import { coreExplain } from './core.ts';

function leaf(attribute: string, operator: string, value: string): object {
  return { attribute, operator, values: [value] };
}

/** What holds at `ssn` of each record, and what holds at none, by what they are about. */
const LEAVES: Readonly<Record<string, readonly [holds: object, fails: object]>> = {
  records: [leaf('s', 'STARTS_WITH', 'x'), leaf('s', 'EQUALS', 'y')],
  names: [leaf('column', 'EQUALS', 'ssn'), leaf('column', 'EQUALS', 'id')],
  'negated names': [leaf('column', 'NOT_EQUALS', 'id'), leaf('column', 'NOT_CONTAINS', 's')],
  prefixes: [leaf('table', 'NOT_CONTAINS', 'q'), leaf('table', 'CONTAINS', 'q')],
};

/** A condition so many levels deep that holds where the innermost does. */
function nested(levels: number, [holds, fails]: readonly [object, object], innermost: object): object {
  let condition = innermost;
  for (let level = 0; level < levels; level++)
    condition = level % 2 === 0 ? { AND: [holds, condition] } : { OR: [fails, condition] };
  return condition;
}

function enforced(condition: object, action: string, isExplained: boolean) {
  const privilege = {
    resourceType: 'columns',
    actions: [{ action, 'asset-attributes-filter': { AND: [leaf('column', 'EQUALS', 'ssn'), condition] } }],
  };
  return coreExplain(
    {
      config: { attrName: 'column', object: 'table', filter: false },
      parameters: {},
      vendor: { entityId: 'jane' },
      jsonText: '[{"ssn":"1","s":"x1"},{"ssn":"2","s":"x2"},{"s":"x1"}]',
      decision: { response: [{ access: [], privileges: { allowed: [privilege], denied: [] } }] },
    },
    isExplained ? { maxExplained: 10, maxBytes: 16_000_000 } : undefined,
  );
}

function textOf(answer: Awaited<ReturnType<typeof enforced>>): string {
  return answer.status === 200 ? answer.text : String(answer.status);
}

describe.each(Object.entries(LEAVES))('conditions about %s that lie in each other', (_name, leaves) => {
  const innermost = leaf('s', 'EQUALS', 'x1');

  test.each([5, 50, 500])('hold as the innermost does: %i levels', async (levels) => {
    const condition = nested(levels, leaves, innermost);
    expect(textOf(await enforced(condition, 'MASK', false))).toBe(
      '[{"ssn":"***","s":"x1"},{"ssn":"2","s":"x2"},{"s":"x1"}]',
    );
  });

  test('are explained, and set values', async () => {
    const answer = await enforced(nested(400, leaves, innermost), 'set', true);
    expect(textOf(answer)).toBe('[{"ssn":"set","s":"x1"},{"ssn":"2","s":"x2"},{"s":"x1","ssn":"set"}]');
    expect(answer.explained?.changes.map(({ pointer }) => pointer)).toContain('/2/ssn');
  });

  test('are not understood if they are deeper', async () => {
    expect((await enforced(nested(510, leaves, innermost), 'MASK', false)).status).toBe(502);
    expect((await enforced(nested(100_000, leaves, innermost), 'MASK', false)).status).toBe(502);
  });
});

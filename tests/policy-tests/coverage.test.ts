import { describe, expect, test } from '@jest/globals';
import type { Explanation } from '../../src/core/index.ts';
import { Coverage } from '../../src/policy-tests/coverage.ts';
import { policiesFrom } from '../pdp/protocols/embedded/ask.ts';

/** An explanation of a payload on which the rules of these policies had these changes and records. */
function explained(names: readonly string[], of: Partial<Explanation>): Explanation {
  const rules = names.map((policy, id) => {
    const written = { id, policy, action: 'MASK', effect: 'allowed', place: '', dryRun: false } as const;
    return { ...written, reached: 0, applied: 0 };
  });
  return { rules, changes: [], records: [], ...of };
}

/** A policy that masks under a condition. */
function conditional(when: string): string {
  return `attrName: column\nobject: table\npolicies: [{ name: P, properties: [a], action: MASK, when: ${when} }]`;
}

const READS = '{ attribute: k, operator: EQUALS, values: [x] }';
const NAMES = '{ attribute: column, operator: EQUALS, values: [a] }';
const PREFIXES = '{ attribute: table, operator: EQUALS, values: [t] }';

describe('coverage', () => {
  test('is rounded down, so that 100 % is everything', () => {
    const policies = Array.from(
      { length: 300 },
      (_, i) => `{ name: P${i}, properties: [p${i}], action: MASK }`,
    );
    const coverage = new Coverage(policiesFrom(`policies: [${policies.join(', ')}]`));
    const names = Array.from({ length: 299 }, (_, i) => `P${i}`);
    const changes = names.map((_, rule) => ({ pointer: '/p', effect: 'masked', rule, lost: [] }) as const);
    coverage.add(explained(names, { changes }));
    expect(coverage.report()).toMatchObject({ percent: 99, gaps: ['no test applied the policy "P299"'] });
  });

  test.each([
    ['never asked', []],
    ['never true', [false]],
    ['never false', [true]],
  ])('says of a condition that it was %s', (missing, outcomes) => {
    const coverage = new Coverage(policiesFrom(conditional(READS)));
    for (const held of outcomes) {
      const lost = held ? [] : [{ rule: 0, because: 'condition' } as const];
      const change = { pointer: '/a', effect: 'masked', lost, ...(held && { rule: 0 }) } as const;
      coverage.add(explained(['P'], { changes: [change] }));
    }
    expect(coverage.report().gaps).toContain(`the condition of "P" was ${missing}`);
  });

  test.each([
    [READS, 1],
    [NAMES, 0],
    [PREFIXES, 0],
    [`{ all: [${NAMES}, ${PREFIXES}] }`, 0],
    [`{ all: [${NAMES}, ${READS}] }`, 1],
    [`{ any: [${NAMES}, ${PREFIXES}] }`, 0],
    [`{ any: [${NAMES}, ${READS}] }`, 1],
    [`{ any: [${NAMES}, { all: [${READS}, ${NAMES}] }] }`, 1],
  ])('counts conditions that read the record, and not those about names alone: %s', (when, all) => {
    expect(new Coverage(policiesFrom(conditional(when))).report().conditions).toEqual({ covered: 0, all });
  });
});

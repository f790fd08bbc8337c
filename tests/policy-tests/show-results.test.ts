import { describe, expect, test } from '@jest/globals';
import { TOP } from '../../src/core/index.ts';
import { scan } from '../../src/core/json/scan.ts';
import { failureLines } from '../../src/policy-tests/show-results.ts';

/** The lines about why so many places are as they are, each of which has so many. */
function reasonsOf(count: number, linesEach: number): readonly string[] {
  const lost = Array.from({ length: linesEach - 1 }, () => ({ rule: 0, because: 'priority' }) as const);
  const places = Array.from({ length: count }, (_, i) => `/p${i}`);
  const rule = { id: 0, policy: 'P', action: 'MASK', effect: 'allowed', dryRun: false, place: '' } as const;
  const explanation = {
    rules: [{ ...rule, reached: 0, applied: 0 }],
    changes: places.map((pointer) => ({ pointer, effect: 'unchanged', lost }) as const),
    records: [],
  };
  const part = { doc: scan(Buffer.from('{}'), 1), node: TOP };
  const written = { file: 't.yaml', line: 1, name: 't', user: undefined, vendor: '{}', parameters: '{}' };
  const lines = failureLines({
    test: { ...written, payload: '{}', expected: { payload: '{}' } },
    seconds: 0,
    failure: { summary: 'other', payloads: { expected: part, actual: part, places } },
    explanation,
  });
  return lines.slice(lines.indexOf('Why:') + 1);
}

describe('the lines about a test that failed explain', () => {
  test.each([
    [50, 1, 50],
    [50, 10, 500],
  ])('%i places with %i lines each', (places, lines, shown) => {
    expect(reasonsOf(places, lines)).toHaveLength(shown);
    expect(reasonsOf(places, lines)).not.toContain('… and more');
  });

  test.each([
    ['the first 50 places', 51, 1, 50],
    ['500 lines', 50, 11, 500],
  ])('only %s, and say that there are more', (_name, places, lines, shown) => {
    const reasons = reasonsOf(places, lines);
    expect(reasons).toHaveLength(shown + 1);
    expect(reasons.at(-1)).toBe('… and more');
  });
});

import { describe, expect, test } from '@jest/globals';
import { enforcementCases } from './cases.ts';
import { referenceEnforce } from './enforce.ts';
import { compact } from './print.ts';

describe('the reference passes the conformance cases', () => {
  test.each(enforcementCases())('$name', ({ problem, expect: expected }) => {
    const answer = referenceEnforce(problem);
    expect(answer.status).toBe(expected.status);
    if (answer.status !== 200) return;
    expect(answer.text).toBe(compact(expected.raw ?? JSON.stringify(expected.json)));
    const log = answer.dryRun.join('\n');
    for (const line of expected.logs ?? []) expect(log).toContain(line);
    for (const line of expected.notLogs ?? []) expect(log).not.toContain(line);
  });
});

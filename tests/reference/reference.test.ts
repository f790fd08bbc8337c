import { describe, expect, test } from '@jest/globals';
import { enforcementCases } from './cases.ts';
import { referenceEnforce } from './enforce.ts';
import { compact } from './print.ts';

describe('the reference passes the conformance cases', () => {
  test.each(enforcementCases())('$name', ({ problem, expect: expected }) => {
    const answer = referenceEnforce(problem);
    expect(answer.status).toBe(expected.status);
    if (answer.status !== 200) return;
    const { json, raw = JSON.stringify(json), jsonAny = [] } = expected;
    const allowed = expected.jsonAny === undefined ? [raw] : jsonAny.map((one) => JSON.stringify(one));
    expect(allowed.map(compact)).toContain(answer.text);
    const log = answer.dryRun.map((line) => `INFO ${line}\n`).join('');
    for (const text of expected.logs ?? []) expect(log).toContain(text);
    for (const text of expected.notLogs ?? []) expect(log).not.toContain(text);
  });
});

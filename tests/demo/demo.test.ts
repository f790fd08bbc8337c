import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fencesIn } from '../docs/markdown.ts';
import { runScript } from './script.ts';

const ESCAPE = '\u001b[';

const STACKED = `
What Jane, an agent, gets:
  {
    "id": "c1",
~   "creditLimit": null,
~   "medicalNote": "***"
  }

What Max, a manager, gets:
  {
    "id": "c1",
    "creditLimit": 12500.0,
~   "medicalNote": "***"
  }
`;

describe('the demonstration', () => {
  test('shows every policy at work and ends well', async () => {
    const { exitCode, stdout, stderr } = await runScript('demo.ts', { COLUMNS: '120' });
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    const titles = [...stdout.matchAll(/^\d of 9 {2}(.*)$/gmu)].map(([, title]) => title);
    expect(titles).toEqual([
      'Masking',
      'Partial masks',
      'Priority',
      'Conditional masking',
      'Filter',
      'Set a value',
      'Data mapper',
      'Context',
      'Dry run',
    ]);
    for (const line of EXPECTED_LINES) expect(stdout).toContain(`\n${line}\n`);
  });

  test('prints what the README shows of it', async () => {
    const shown = fencesIn(readFileSync('README.md', 'utf8')).find(({ info }) => info === 'text demo');
    expect((await runScript('demo.ts')).stdout).toContain(shown?.text);
  });

  test.each([
    [undefined, 80],
    ['80', 80],
    ['100', 100],
    ['nonsense', 80],
  ])('is plain and, with COLUMNS %s, fits %i columns', async (COLUMNS, width) => {
    const { stdout } = await runScript('demo.ts', { COLUMNS });
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout.split('\n').filter((line) => line.length > width)).toEqual([]);
  });

  test('shows the answers below each other if they do not fit side by side', async () => {
    const { stdout } = await runScript('demo.ts', { COLUMNS: '80' });
    expect(stdout).toContain(STACKED);
  });

  test('shows the YAML of each policy above its table', async () => {
    const { stdout } = await runScript('demo.ts');
    const policies = readFileSync('examples/policies/demo.yaml', 'utf8').split('\nmappers:')[0] ?? '';
    const names = [...policies.matchAll(/^ {2}- name: (.*)$/gmu)].map(([line]) => line);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(stdout).toContain(`\n${name}\n    `);
    expect(stdout).toContain('\n    identity.ssn: person.documents.#.ssn\n');
  });

  test('colors what changed if FORCE_COLOR is set', async () => {
    const { stdout } = await runScript('demo.ts', { FORCE_COLOR: '1' });
    expect(stdout).toContain(`${ESCAPE}33m~   "medicalNote": "***"${ESCAPE}39m`);
  });

  test('has no colors if NO_COLOR is set', async () => {
    const { stdout } = await runScript('demo.ts', { NO_COLOR: '1' });
    expect(stdout).not.toContain(ESCAPE);
  });
});

const EXPECTED_LINES = [
  '  "creditLimit": 12500.0,     ~   "creditLimit": null,        "creditLimit": 12500.0,',
  '  "medicalNote": "Needs ramp" ~   "medicalNote": "***"    ~   "medicalNote": "***"',
  '  "phone": "+1 202 555 0143",   ~   "phone": "+1 xxxxxxxxx143",       "phone": "+1 202 555 0143",',
  '      "number": "4222222222222" ~       "number": "*********2222" ~       "number": "*********2222"',
  '    "ssn": "123-45-6789" ~     "ssn": "***"          ~     "ssn": "*******6789"',
  '    "name": "Bob Ray", ~     "name": "Confidential",       "name": "Bob Ray",',
  '    "id": "c3",        -                                 "id": "c3",',
  '    "id": "c4",        -                           -',
  '                      +       "marketing": "unknown" +       "marketing": "unknown"',
  '        "ssn": "987-65-4321" ~         "ssn": "***"            ~         "ssn": "*******4321"',
  '    "balance": 98000.1 ~     "balance": null             "balance": 98000.1',
  '    "id": "a3",        -                                 "id": "a3",',
  '  "email": "ann@example.com"     "email": "ann@example.com"     "email": "ann@example.com"',
  'INFO Enforcement by Policy Email addresses will be masked on id c1 was skipped for User jane',
];

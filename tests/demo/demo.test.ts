import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fencesIn } from '../docs/markdown.ts';
import { runScript } from './script.ts';

const ESCAPE = '\u001b[';

describe('the demonstration', () => {
  test('shows every policy at work and ends well', async () => {
    const { exitCode, stdout, stderr } = await runScript('demo.ts');
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

  test('is plain and fits 100 columns where it is not printed on a terminal', async () => {
    const { stdout } = await runScript('demo.ts');
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('colours what changed where colours are wanted', async () => {
    const { stdout } = await runScript('demo.ts', { FORCE_COLOR: '1' });
    expect(stdout).toContain(`${ESCAPE}33m~   "medicalNote": "***"${ESCAPE}39m`);
  });

  test('has no colours where NO_COLOR asks for none', async () => {
    const { stdout } = await runScript('demo.ts', { NO_COLOR: '1' });
    expect(stdout).not.toContain(ESCAPE);
  });
});

const EXPECTED_LINES = [
  '  "creditLimit": 12500.0,       ~   "creditLimit": null,              "creditLimit": 12500.0,',
  '  "medicalNote": "Needs ramp"   ~   "medicalNote": "***"          ~   "medicalNote": "***"',
  '  "phone": "+1 202 555 0143",   ~   "phone": "+1 xxxxxxxxx143",       "phone": "+1 202 555 0143",',
  '      "number": "4222222222222" ~       "number": "*********2222" ~       "number": "*********2222"',
  '    "ssn": "123-45-6789"        ~     "ssn": "***"                ~     "ssn": "*******6789"',
  '    "name": "Bob Ray",          ~     "name": "Confidential",           "name": "Bob Ray",',
  '    "id": "c3",                 -                                       "id": "c3",',
  '    "id": "c4",                 -                                 -',
  '                                +       "marketing": "unknown"    +       "marketing": "unknown"',
  '        "ssn": "987-65-4321"    ~         "ssn": "***"            ~         "ssn": "*******4321"',
  '    "balance": 98000.1          ~     "balance": null                   "balance": 98000.1',
  '    "id": "a3",                 -                                       "id": "a3",',
  '  "email": "ann@example.com"        "email": "ann@example.com"        "email": "ann@example.com"',
  'INFO Enforcement by Policy Email addresses will be masked on id c1 was skipped for User jane',
];

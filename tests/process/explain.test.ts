import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { fileWith } from '../support/folder.ts';
import { run, runOn } from '../support/process.ts';

afterEach(closeAll);

const DEMO = ['explain', '-p', path.resolve('examples/policies/demo.yaml'), '--as', 'Agent/jane'];
const CUSTOMERS = JSON.stringify([
  { id: 'c1', name: 'Ann Lee', country: 'US', vip: false, creditLimit: 12_500 },
  { id: 'c2', name: 'Eva Sol', country: 'ES', vip: true },
]);

describe('authz-jsonmasking explain', () => {
  test('prints a tree of what each rule came to', async () => {
    const { code, stdout } = await run(...DEMO, await fileWith(CUSTOMERS));
    expect(stdout).toBe(`/0: record kept
├─ "Customers under legal hold are not shown" (FILTER, denied) does not hold
│  └─ legalHold EQUALS: does not hold (absent)
└─ "Agents see customers of their region" (FILTER) holds
   └─ country IN: holds (present)
/1: record removed
├─ "Customers under legal hold are not shown" (FILTER, denied) does not hold
│  └─ legalHold EQUALS: does not hold (absent)
└─ "Agents see customers of their region" (FILTER) does not hold
   └─ country IN: does not hold (present)
/0/name: unchanged
└─ not "Names of important customers are confidential" (Confidential): its condition does not hold
   └─ vip EQUALS: does not hold (present)
/0/creditLimit: masked by "Credit limits are for managers" (MASK)
/0/consent/marketing: created by "Consent must be asked for" (unknown)
`);
    expect(code).toBe(0);
  });

  test('prints one place with what is around it, also of standard input', async () => {
    const { stdout } = await runOn(
      CUSTOMERS,
      ...DEMO,
      '--parameters',
      '{"filter":false}',
      '-',
      '/0/creditLimit',
    );
    expect(stdout).toBe('/0/creditLimit: masked by "Credit limits are for managers" (MASK)\n');
  });

  test('says so if no rule is about a place', async () => {
    const { stdout } = await runOn(CUSTOMERS, ...DEMO, '--parameters', '{"filter":false}', '-', '/0/id');
    expect(stdout).toBe('/0/id: no rule is about it\n');
  });

  test.each([
    ['/0', ['/0: record kept', '└─ "F" (FILTER) holds', '   └─ k EQUALS: holds (present)']],
    [
      '/0/k',
      [
        '/0: record kept',
        '└─ "F" (FILTER) holds',
        '   └─ k EQUALS: holds (present)',
        '/0/k: no rule is about it',
      ],
    ],
    [
      '/1',
      ['/1: record removed', '└─ "F" (FILTER) does not hold', '   └─ k EQUALS: does not hold (present)'],
    ],
    [
      '/1/k',
      ['/1: record removed', '└─ "F" (FILTER) does not hold', '   └─ k EQUALS: does not hold (present)'],
    ],
  ])('says only of the rest of a kept record that no rule is about it: %s', async (place, lines) => {
    const policies = await fileWith(
      'policies: [{ name: F, action: FILTER, when: { attribute: k, operator: EQUALS, values: [a] } }]',
    );
    const options = ['explain', '-p', policies, '--as', 'Agent/jane', '-', place];
    expect(await runOn('[{"k":"a"},{"k":"b"}]', ...options)).toEqual({
      code: 0,
      stdout: `${lines.join('\n')}\n`,
      stderr: '',
    });
  });

  test.each(['/0/consent', '/0/consent/marketing'])('explains %s, which a rule creates', async (place) => {
    const filtered = ['--parameters', '{"filter":false}'];
    expect(await runOn(CUSTOMERS, ...DEMO, ...filtered, '-', place)).toEqual({
      code: 0,
      stdout: '/0/consent/marketing: created by "Consent must be asked for" (unknown)\n',
      stderr: '',
    });
  });

  test.each(['/0/zzz', '/7', '/00', '/0/id/x', '/0/creditLimit/x', '/-'])(
    'says so if the payload has no place %s',
    async (place) => {
      const { code, stdout, stderr } = await runOn(
        CUSTOMERS,
        ...DEMO,
        '--parameters',
        '{"filter":false}',
        '-',
        place,
      );
      expect(stdout).toBe('');
      expect(stderr).toContain(`${place}: the payload has no such place\n`);
      expect(code).toBe(1);
    },
  );

  test.each(['/a~1b', '/m~0n', '/twice/x', '/'])('finds %s in a payload', async (place) => {
    const payload = '{"a/b":1,"m~n":2,"twice":{"x":1},"twice":2,"":3}';
    const { stdout } = await runOn(payload, ...DEMO, '--parameters', '{"filter":false}', '-', place);
    expect(stdout).toBe(`${place}: no rule is about it\n`);
  });

  test('lets no name of a payload write to the terminal', async () => {
    const policies = await fileWith('policies: [{ name: All, properties: ["*"], action: MASK }]');
    const payload = JSON.stringify({ '\u001B[31mred': 'x' });
    const { stdout } = await runOn(payload, 'explain', '-p', policies, '--as', 'Agent/jane');
    expect(stdout).toContain('red: masked by "All" (MASK)');
    expect(stdout).not.toContain('\u001B');
  });

  test('writes no audit and no line of a dry run, as it serves nobody', async () => {
    const policies = await fileWith(`policies:
  - { name: Soon, properties: [ssn], action: MASK, metadata: { DRY_RUN: id } }
  - { name: Now, properties: [card], action: MASK }
`);
    const config = await fileWith(`policyFile: ${policies}\naudit: true\n`);
    expect(await runOn('[{"id":7,"ssn":"1","card":"2"}]', 'explain', '-c', config, '--as', 'A/jane')).toEqual(
      {
        code: 0,
        stdout: `/0/ssn: unchanged
└─ not "Soon" (MASK): it is in dry run
/0/card: masked by "Now" (MASK)
`,
        stderr: '',
      },
    );
  });

  test.each([
    ['a place that is no pointer', [...DEMO, '-', 'ssn'], 'has to be a JSON pointer'],
    ['a file that cannot be read', [...DEMO, 'no-such-file.json'], 'it does not exist'],
    ['no policies', ['explain'], 'no policies'],
  ])('refuses %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runOn(CUSTOMERS, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});

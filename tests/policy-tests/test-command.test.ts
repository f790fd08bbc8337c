import { readFileSync } from 'node:fs';
import { readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { eventually } from '../support/eventually.ts';
import { folderWith } from '../support/folder.ts';
import { run, starting } from '../support/process.ts';

afterEach(closeAll);

const POLICIES = `
policies:
  - { name: SSN, properties: [ssn], for: { entityTypes: [Agent] }, action: MASK, priority: 1 }
  - { name: EU, properties: [ssn], for: { claims: { $.region: [EU] } }, action: last(2), priority: 2 }
  - { name: Closed, properties: [name], action: MASK, when: { attribute: status, operator: EQUALS, values: [closed] } }
  - { name: Hash, properties: [mail], action: hash(pepper) }
`;
const AS = 'as: { entityTypeId: Agent, entityId: jane, claims: { region: EU } }';

async function tested(tests: string, ...options: readonly string[]) {
  const folder = await folderWith({ 'p.yaml': POLICIES, 't.yaml': `tests:\n${tests}` });
  const ended = await run(
    'test',
    `${folder}/p.yaml`,
    `${folder}/t.yaml`,
    ...options.map((one) => one.replace('{}', folder)),
  );
  return {
    ...ended,
    stdout: ended.stdout.replaceAll(folder, ''),
    stderr: ended.stderr.replaceAll(folder, ''),
    folder,
  };
}

describe('authz-jsonmasking test', () => {
  test('passes tests of payloads and of errors, whatever the order of names and the spelling of numbers', async () => {
    const { code, stdout, stderr } = await tested(`
  - { name: a, ${AS}, json: { n: 1.50, ssn: "12345", o: { b: 1, a: 2 } }, expect: { o: { a: 2, b: 1e0 }, ssn: "***", n: 1.5 } }
  - { name: b, ${AS}, parameters: { root: data }, json: { data: [ { ssn: "1" } ] }, expect: '{"data":[{"ssn":"***"}]}' }
  - { name: c, ${AS}, parameters: { root: data }, json: {}, expectError: root-not-found }
  - { name: d, vendor: { entityTypeId: Agent }, json: {}, expectError: pdp-unauthorized }
`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['/t.yaml', '  ok    a', '  ok    d', '4 passed, 0 failed']),
    );
  });

  test('takes the user of a test for one of the scope that it names, without its secret', async () => {
    const folder = await folderWith({
      'p.yaml': `
scopes: [{ clientId: app, clientSecret: s3cret, entityTypeId: Agent }]
policies: [{ name: SSN, properties: [ssn], for: { entityTypes: [Agent] }, action: MASK, scopes: [app] }]
tests:
  - { name: a, as: { entityId: jane }, vendor: { clientId: app }, json: { ssn: x }, expect: { ssn: "***" } }
  - { name: b, as: { entityTypeId: Clerk }, vendor: { clientID: app }, json: { ssn: x }, expect: { ssn: x } }
  - { name: c, as: { entityTypeId: Clerk }, vendor: { clientId: other }, json: {}, expectError: pdp-unauthorized }
  - { name: d, as: { entityTypeId: Clerk }, json: {}, expectError: pdp-unauthorized }
  - { name: e, vendor: { clientId: app }, json: {}, expectError: pdp-unauthorized }
`,
    });
    const { code, stdout } = await run('test', `${folder}/p.yaml`);
    expect(stdout).toContain('5 passed, 0 failed\n');
    expect(code).toBe(0);
  });

  test('lets no name write to the terminal', async () => {
    const folder = await folderWith({
      'p.yaml': String.raw`
policies:
  - { name: "Red\e[31m", properties: [a], action: MASK }
  - { name: "Never\u202e", properties: [b], action: MASK }
tests:
  - { name: "Bell\a\u009b", json: { a: x }, expect: { a: y } }
`,
    });
    const { code, stdout } = await run('test', `${folder}/p.yaml`);
    expect(code).toBe(1);
    for (const name of [String.raw`Bell\u0007\u009b`, String.raw`"Red\u001b[31m"`, String.raw`"Never\u202e"`])
      expect(stdout).toContain(name);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });

  test('lets no name of a test, a policy or a property begin another line, in the report neither', async () => {
    const folder = await folderWith({
      'p.yaml': JSON.stringify({
        policies: [{ name: 'A\n9 passed, 0 failed', properties: ['a'], action: 'MASK' }],
        tests: [
          { name: 'x\n  ok    y', json: { a: 'x' }, expect: { a: 'x\n9 passed, 0 failed' } },
          { name: 'z\u009b\u202e', json: { 'b\n9 passed, 0 failed': 1 }, expect: {} },
        ],
      }).replace('\u009b', String.raw`\u009b`),
    });
    const { stdout } = await run('test', `${folder}/p.yaml`, '--junit', `${folder}/junit.xml`);
    expect(stdout).not.toMatch(/^(?:9 passed|  ok {4}y)/mu);
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8');
    expect(xml).toContain(String.raw`<testcase name="x\n  ok    y"`);
    expect(xml).not.toMatch(/^9 passed|[^\P{Cc}\n]|\p{Bidi_Control}/mu);
  });

  test('shows how a test fails: a diff, and why each place is as it is', async () => {
    const { code, stdout } = await tested(
      `  - { name: wrong, ${AS}, json: { ssn: "12345", name: Ann }, expect: { ssn: "***45", name: Ann } }\n`,
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      [
        '/t.yaml',
        '  FAIL  wrong (line 2)',
        '        expected another payload: - expected, + answered',
        '         {',
        '        -  "ssn": "***45",',
        '        +  "ssn": "***",',
        '           "name": "Ann"',
        '         }',
        '        Why:',
        '        /ssn: masked by "SSN" (MASK, priority 1)',
        '        └─ not "EU" (last(2), priority 2): another rule comes first',
        '',
      ].join('\n'),
    );
    expect(stdout).toContain('0 passed, 1 failed\n');
  });

  test('explains each place that differs, also behind many others, and not those that are right', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ ssn: String(i), note: 'x' }));
    const expected = rows.map(() => ({ ssn: '***', note: 'x' })).with(55, { ssn: '***', note: 'y' });
    const { stdout } = await tested(
      `  - { name: wrong, ${AS}, json: ${JSON.stringify(rows)}, expect: ${JSON.stringify(expected)} }\n`,
    );
    const reasons = stdout.slice(stdout.indexOf('Why:'));
    expect(reasons.split('\n')).toEqual(
      expect.arrayContaining(['Why:', '        /55/note: no rule is about it']),
    );
    expect(reasons).not.toContain('/ssn');
  });

  test('says that a filter is in dry run, and shows texts alike whatever their escapes', async () => {
    const folder = await folderWith({
      'p.yaml': `
policies:
  - { name: F, action: FILTER, metadata: { DRY_RUN: id }, when: { attribute: a, operator: EQUALS, values: [x] } }
tests:
  - { name: wrong, parameters: { filter: true }, json: '[{"a":"\\u0041"}]', expect: [ { a: A, b: 1 } ] }
`,
    });
    const { stdout, stderr } = await run('test', `${folder}/p.yaml`);
    expect(stderr).toBe('');
    expect(stdout).toContain('"F" (FILTER) does not hold, in dry run\n');
    expect(stdout).toContain('             "a": "A"');
  });

  test.each([
    [`json: { x: 1 }, expectError: root-not-found`, 'expected the error root-not-found, got a payload'],
    [
      `parameters: { root: a }, json: {}, expect: {}`,
      'expected a payload, got the error root-not-found: The root points at nothing in the payload. (/parameters/root)\n',
    ],
    [
      `parameters: { root: a }, json: {}, expectError: pdp-timeout`,
      'expected the error pdp-timeout, got the error root-not-found',
    ],
  ])('says what came instead: %s', async (rest, said) => {
    const { code, stdout } = await tested(`  - { name: wrong, ${AS}, ${rest} }\n`);
    expect(code).toBe(1);
    expect(stdout).toContain(said);
  });

  const HALF = `  - { name: a, ${AS}, json: { ssn: "1", name: x, status: closed }, expect: { ssn: "***", name: "***", status: closed } }\n`;

  test('lists the policies that no test applied, and conditions that were not both true and false', async () => {
    const { code, stdout } = await tested(HALF);
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        'Coverage: 40 % (2 of 4 policies applied, 0 of 1 conditions both true and false)',
        '  no test applied the policy "EU"',
        '  no test applied the policy "Hash"',
        '  the condition of "Closed" was never false',
        '1 passed, 0 failed',
      ].join('\n'),
    );
  });

  test.each([
    ['40', 0],
    ['41', 1],
    ['100', 1],
  ])('with --coverage %s ends with %i', async (percent, code) => {
    expect(await tested(HALF, '--coverage', percent)).toMatchObject({ code });
  });

  const RULES = { properties: ['ssn'], action: 'MASK' };
  test.each([
    [
      'a policy in dry run behind an effective one',
      [RULES, { ...RULES, priority: 2, metadata: { DRY_RUN: 'id' } }],
      '"1"',
      50,
    ],
    [
      'a policy in dry run before an effective one',
      [RULES, { ...RULES, priority: 0, metadata: { DRY_RUN: 'id' } }],
      '"1"',
      100,
    ],
    ['a policy in dry run alone', [{ ...RULES, metadata: { DRY_RUN: 'id' } }], '"1"', 100],
    ['a mask that leaves a value as it is', [RULES], 'null', 0],
    ['a mask that changes one value of two', [RULES], '["1", null]', 100],
  ])('counts %s', async (_, rules, value, percent) => {
    const policies = rules.map((rule, i) => ({ priority: 1, ...rule, name: `P${i}` }));
    const tests = [{ name: 'a', json: `[{ "id": 1, "ssn": ${value} }]`, expectError: 'pdp-timeout' }];
    const folder = await folderWith({ 'p.yaml': JSON.stringify({ policies, tests }) });
    const { stdout } = await run('test', `${folder}/p.yaml`);
    expect(stdout).toContain(`Coverage: ${percent} %`);
    expect(stdout.includes('changed nothing in any test')).toBe(percent === 0);
  });

  test('writes JUnit XML', async () => {
    const wrong = `  - { name: 'a < "b"', ${AS}, json: { ssn: "1" }, expect: {} }\n`;
    const { folder } = await tested(HALF + wrong, '--junit', '{}/junit.xml');
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8')
      .replaceAll(folder, '')
      .replaceAll(/time="[\d.]+"/gu, 'time=""');
    expect(xml).toContain('<testsuites tests="2" failures="1" errors="0" skipped="0" time="">');
    expect(xml).toContain('<testcase name="a" classname="/t.yaml" file="/t.yaml" line="2" time=""/>');
    expect(xml).toContain(
      '<testcase name="a &lt; &quot;b&quot;" classname="/t.yaml" file="/t.yaml" line="3" time="">',
    );
    expect(xml).toContain('<failure message="expected another payload">');
  });

  test.each([
    ['the policies', 'p.yaml'],
    ['the tests', 't.yaml'],
    ['a file of another kind', 'notes.txt'],
  ])('does not overwrite %s with JUnit XML', async (_, name) => {
    const files = { 'p.yaml': POLICIES, 't.yaml': `tests:\n${HALF}`, 'notes.txt': 'mine' };
    const folder = await folderWith(files);
    const file = `${folder}/${name}`;
    const before = readFileSync(file, 'utf8');
    expect(await run('test', `${folder}/p.yaml`, `${folder}/t.yaml`, '--junit', file)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${file} is not a report, and is not overwritten.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test.each([
    ['nothing', ''],
    ['the report of another run', '<?xml version="1.0"?>\n<testsuites name="before"/>\n'],
  ])('writes JUnit XML through a link to a file with %s, and keeps the link', async (_, before) => {
    const folder = await folderWith({ 'p.yaml': POLICIES, 't.yaml': `tests:\n${HALF}`, 'junit.xml': before });
    await symlink('junit.xml', `${folder}/link`);
    await run('test', `${folder}/p.yaml`, `${folder}/t.yaml`, '--junit', `${folder}/link`);
    expect(await readlink(`${folder}/link`)).toBe('junit.xml');
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8');
    expect(xml).toContain('<testsuites tests="1" ');
    expect(xml).not.toContain('before');
  });

  test('the JUnit XML of a run that does not begin has its error, and nothing of the run before', async () => {
    const { folder } = await tested(HALF, '--junit', '{}/junit.xml');
    await writeFile(`${folder}/p.yaml`, 'policies: wrong\n');
    const { stderr } = await run(
      'test',
      `${folder}/p.yaml`,
      `${folder}/t.yaml`,
      '--junit',
      `${folder}/junit.xml`,
    );
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8');
    expect(xml).toContain('<testsuites tests="1" failures="0" errors="1" ');
    expect(xml).toContain(`p.yaml: 1 problem">${stderr.trimEnd()}</error>`);
    expect(xml).not.toContain('name="a"');
  });

  test('the JUnit XML has a mistake in a file of tests at the line of that file', async () => {
    const { folder } = await tested(`${HALF}  - { name: b, json: {} }\n`, '--junit', '{}/junit.xml');
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8').replaceAll(folder, '');
    expect(xml).toContain('<testcase name="Loading" classname="/t.yaml" file="/t.yaml" line="3" ');
    expect(xml).not.toContain('p.yaml');
  });

  test('the JUnit XML has what is wrong with the whole run at the first line of the policies', async () => {
    const folder = await folderWith({ 'p.yaml': POLICIES });
    await run('test', `${folder}/p.yaml`, '--junit', `${folder}/junit.xml`);
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8').replaceAll(folder, '');
    expect(xml).toContain('<testcase name="Loading" classname="/p.yaml" file="/p.yaml" line="1" ');
  });

  test.each([
    ['40', 'tests="1" failures="0"'],
    ['41', 'tests="2" failures="1"'],
  ])('the JUnit XML says whether a coverage of %s is reached', async (percent, totals) => {
    const { folder } = await tested(HALF, '--coverage', percent, '--junit', '{}/junit.xml');
    const xml = readFileSync(`${folder}/junit.xml`, 'utf8');
    expect(xml).toContain(`<testsuites ${totals}`);
    expect(xml.includes('The coverage is 40 %, less than 41 %.\nno test applied')).toBe(percent === '41');
  });

  test.each([
    ['{}', 'it is a folder'],
    ['{}/nowhere/junit.xml', 'its folder does not exist'],
  ])('says why JUnit XML cannot be written to %s', async (file, reason) => {
    expect(await tested(HALF, '--junit', file)).toMatchObject({
      code: 1,
      stderr: `${file.replace('{}', '')} cannot be written: ${reason}.\n`,
    });
  });

  test('with --watch, runs again after each change of a file, also of one that is wrong', async () => {
    const tests = `tests: [{ name: a, ${AS}, json: { ssn: "12345" }, expect: { ssn: "***" } }]\n`;
    const folder = await folderWith({ 'p.yaml': POLICIES, 't.yaml': tests });
    const policies = path.join(folder, 'p.yaml');
    const { printed, signal, ended } = starting('test', policies, `${folder}/t.yaml`, '--watch');
    await eventually(() => printed().includes('1 passed, 0 failed'));
    await writeFile(policies, POLICIES.replace('action: MASK', 'action: last(1)'));
    await eventually(() => printed().includes('0 passed, 1 failed'));
    await writeFile(policies, 'policies: wrong\n');
    await eventually(() => printed().includes('policies must be a list'));
    await writeFile(policies, POLICIES);
    await eventually(() => printed().match(/1 passed, 0 failed/gu)?.length === 2);
    signal('SIGINT');
    await expect(ended).resolves.toMatchObject({ stderr: '' });
  });

  test('runs the tests in the policy file itself, which the service ignores', async () => {
    const own = `${POLICIES}tests:\n${HALF}`;
    const folder = await folderWith({ 'p.yaml': own });
    expect(await run('test', `${folder}/p.yaml`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('pdp', '-p', `${folder}/p.yaml`, '--check')).toMatchObject({ code: 0 });
  });

  test('reports every problem of a file of tests with its line, its key and the nearest name', async () => {
    const { code, stdout, stderr } = await tested(`
  - { nam: a, json: {}, expect: {} }
  - { name: b, as: { entityTypId: A }, json: {}, expect: {} }
  - { name: c, json: {}, expectError: root-not-fond }
  - { name: d, parameters: { rot: x }, json: {}, expect: {} }
  - { name: e, json: {} }
  - { name: f, json: {}, expect: {}, expectError: root-not-found }
  - { name: g, json: {}, expectError: unlike-any }
  - { name: f, json: 1, expect: {} }
`);
    const twice = await tested(`
  - { name: a, json: '{"a":1,"\\u0061":2}', expect: {} }
  - { name: b, json: {}, expect: '[{"a":1,"a":2}]' }
  - { name: c, json: '{"a":1,"a":2}', expectError: pdp-unauthorized }
  - { name: d, as: { entityId: a }, vendor: { entityId: b }, json: {}, expect: {} }
`);
    expect(twice.stderr).toContain('3 problems');
    expect(twice.stderr).toContain('line 6: tests[3].vendor.entityId is given by as, too; keep one of them');
    for (const place of ['line 3: tests[0].json', 'line 4: tests[1].expect'])
      expect(twice.stderr).toContain(`${place} has a name twice in one object: only the last one`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    for (const problem of [
      'line 3: tests[0].nam is not a known key; the nearest one is name',
      'line 4: tests[1].as.entityTypId is not a known key; the nearest one is entityTypeId',
      'line 5: tests[2].expectError must be the code of an error (docs/errors.md); the nearest one is root-not-found\n',
      'line 9: tests[6].expectError must be the code of an error (docs/errors.md): one of body-not-json, ',
      'line 6: tests[3].parameters.rot is not a known key; the nearest one is root',
      'line 7: tests[4].expect is missing',
      'line 8: tests[5].expectError contradicts expect',
    ])
      expect(stderr).toContain(problem);
  });

  test.each([
    [
      'a policy file without tests',
      [],
      'has no tests; add some below its key tests, or name a file that has them.',
    ],
    ['a coverage that is no percentage', ['--coverage', '101'], 'error: option'],
  ])('refuses %s', async (_, options, said) => {
    const folder = await folderWith({ 'p.yaml': POLICIES });
    const { code, stdout, stderr } = await run('test', `${folder}/p.yaml`, ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(said);
  });
});

test('the policies of the demo pass their tests, which cover all of them', async () => {
  const files = ['examples/policies/demo.yaml', 'examples/policies/demo_test.yaml'];
  const { code, stdout } = await run('test', ...files, '--coverage', '100');
  expect(stdout).toMatch(/^Coverage: 100 %.*\n\d+ passed, 0 failed\n$/mu);
  expect(code).toBe(0);
});

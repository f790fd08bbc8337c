import { closeSync, openSync, readFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll } from '../pdp/transport/setup.ts';
import { startStub } from '../pdp/transport/setup.ts';
import { call } from '../support/caller.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { run, runOn } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const POLICIES = `
policies:
  - { name: SSN, properties: [ssn], except: { entityTypes: [Manager] }, action: MASK }
  - { name: US, for: { entityTypes: [Agent] }, action: FILTER, when: { attribute: country, operator: EQUALS, values: [US] } }
  - { name: All, for: { entityTypes: [Manager] }, action: FILTER }
`;
const PAYLOAD = '[ {"id":1.10,"ssn":"1","country":"US"}, {"id":2,"ssn":"2","country":"ES"} ]\n';
const DEEP = `${'[{"a":'.repeat(8)}{"ssn":"1"}${'}]'.repeat(8)}`;
const DEMO = ['-p', 'examples/policies/demo.yaml'];

describe('authz-jsonmasking enforce', () => {
  test('enforces a policy file on standard input for a user, without a configuration', async () => {
    const policies = await fileWith(POLICIES);
    expect(await runOn(PAYLOAD, 'enforce', '-p', policies, '--as', 'Agent/jane')).toEqual({
      code: 0,
      stdout: '[ {"id":1.10,"ssn":"***","country":"US"} ]\n',
      stderr: '',
    });
  });

  test('warns of texts in a policy file that were probably meant as more', async () => {
    const everyone = await fileWith(
      `policies: [{ name: P, for: { entityTypes: ['*'] }, properties: [ssn], action: MASK }]`,
    );
    const { stdout, stderr } = await runOn('[{"ssn":1}]', 'enforce', '-p', everyone, '--as', 'Agent/jane');
    expect(stdout).toBe('[{"ssn":1}]\n');
    expect(stderr).toMatch(/WARN Policies have texts .*\* is an id or a type like others/u);
  });

  test('says how a user is named if the policies need one', async () => {
    const answer = await runOn(PAYLOAD, 'enforce', '-p', await fileWith(POLICIES));
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toMatch(
      /depends on the entityTypeId .*\(pdp-unauthorized\)\n {2}Say who asks: --as names/u,
    );
  });

  test('answers what the service answers, byte for byte', async () => {
    const json = readFileSync('examples/payloads/customers.json', 'utf8');
    const service = await startService({ policyFile: 'examples/policies/demo.yaml', filter: true });
    const vendor = '{"entityTypeId":"Agent","entityId":"jane"}';
    const answer = await call(service.port, { body: `{"parameters":{},"vendor":${vendor},"json":${json}}` });
    const { code, stdout, stderr } = await runOn(json, 'enforce', ...DEMO, '--vendor', vendor);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${answer.text}\n` });
    expect(stderr).toMatch(/INFO Enforcement by Policy Email .* on id c1 was skipped for User jane\n/u);
  });

  test('takes a configuration with a remote PDP, and asks it what --vendor says', async () => {
    const pdp = await startStub();
    pdp.answer({ body: '{"response":[{"access":[{"path":"ssn","resourceType":"columns","actions":[]}]}]}' });
    const config = await fileWith(`port: 5002\npdpUrl: ${pdp.url.href}\nrootWord: rows\n`);
    const options = ['-c', config, '--vendor', '{"entityId":"jane"}', '--as', 'Agent/x'];
    expect(await runOn('{"rows":[{"ssn":"1"}]}', 'enforce', ...options)).toMatchObject({
      code: 1,
      stderr: '--as and --vendor both give entityId; keep one of them.\n',
    });
    const answer = await runOn('{"rows":[{"ssn":"1"}]}', 'enforce', ...options.slice(0, 4));
    expect(answer).toEqual({ code: 0, stdout: '{"rows":[{"ssn":"***"}]}\n', stderr: '' });
    expect(JSON.parse(pdp.requests[0]?.body.toString() ?? '')).toMatchObject({ entityId: 'jane' });
  });

  test('takes a configuration without a port, since nothing listens', async () => {
    const folder = await folderWith({
      'p.yaml': POLICIES,
      'config.yaml': 'policyFile: p.yaml\nfilter: true\n',
    });
    const options = ['-c', `${folder}/config.yaml`, '--as', 'Agent/jane'];
    expect(await runOn(PAYLOAD, 'enforce', ...options)).toMatchObject({ code: 0, stderr: '' });
    expect(await runOn(PAYLOAD, 'explain', ...options)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('port is required'),
    });
  });

  test('refuses a wrong port also where nothing listens, together with other mistakes', async () => {
    const config = await fileWith('port: x\nrootword: r\npolicyFile: p.yaml\n');
    expect(await runOn(PAYLOAD, 'enforce', '-c', config, '--as', 'Agent/jane')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 1: port must .*\n {2}line 2: rootword is not a known key/u),
    });
  });

  test('names each file before its differences if there are several', async () => {
    const folder = await folderWith({
      'p.yaml': POLICIES,
      'a.json': '{"ssn":"1","country":"US"}',
      'b.json': '[]',
      'c.json': '{"ssn":"3","country":"US"}',
    });
    const files = ['a', 'b', 'c'].map((name) => `${folder}/${name}.json`);
    const options = ['-p', `${folder}/p.yaml`, '--as', 'Agent/jane', ...files];
    const shown = async (...views: readonly string[]) =>
      (await run('enforce', ...views, ...options)).stdout.replaceAll(folder, '').split('\n');
    const [a, c] = ['1', '3'].map((ssn) => [
      ' {',
      `-  "ssn": "${ssn}",`,
      '+  "ssn": "***",',
      '   "country": "US"',
      ' }',
    ]);
    const [nameA, nameB, nameC] = ['a', 'b', 'c'].map((name) => [`--- /${name}.json`, `+++ /${name}.json`]);
    const place = '@@ -1,4 +1,4 @@';
    expect(await shown('--diff')).toEqual([nameA, place, a, nameC, place, c, ''].flat());
    expect(await shown('--diff', '--pretty')).toEqual([nameA, a, nameB, ' []', nameC, c, ''].flat());
  });

  test('shows what changed however deep it is', async () => {
    const policies = await fileWith('policies: [{ name: SSN, properties: ["$..ssn"], action: MASK }]\n');
    const options = ['-p', policies, '--as', 'Agent/jane', '--diff'];
    const { code, stdout } = await runOn(DEEP, 'enforce', ...options);
    expect({ code, lines: stdout.match(/^[-+] .*$/gmu)?.map((line) => line.replace(/ +/u, ' ')) }).toEqual({
      code: 0,
      lines: ['- "ssn": "1"', '+ "ssn": "***"'],
    });
  });

  test('enforces several files, one payload each', async () => {
    const folder = await folderWith({ 'p.yaml': POLICIES, 'a.json': '{"ssn":"1"}', 'b.json': '{"ssn":"2"}' });
    const files = [`${folder}/a.json`, '-', `${folder}/b.json`];
    const { stdout } = await runOn(
      '{"ssn":3}',
      'enforce',
      '-p',
      `${folder}/p.yaml`,
      '--as',
      'Manager/max',
      ...files,
    );
    expect(stdout).toBe('{"ssn":"1"}\n{"ssn":3}\n{"ssn":"2"}\n');
  });

  test.each([
    [['--pretty'], '[\n  {\n    "id": 1.10,\n    "ssn": "***",\n    "country": "US"\n  }\n]\n'],
    [
      ['--diff'],
      '@@ -1,12 +1,7 @@\n [\n   {\n     "id": 1.10,\n-    "ssn": "1",\n+    "ssn": "***",\n     "country": "US"\n-  },\n-  {\n-    "id": 2,\n-    "ssn": "2",\n-    "country": "ES"\n   }\n ]\n',
    ],
    [
      ['--pretty', '--diff'],
      ' [\n   {\n     "id": 1.10,\n-    "ssn": "1",\n+    "ssn": "***",\n     "country": "US"\n-  },\n-  {\n-    "id": 2,\n-    "ssn": "2",\n-    "country": "ES"\n   }\n ]\n',
    ],
  ])('shows the payload with %j', async (options, shown) => {
    const policies = await fileWith(POLICIES);
    const { stdout } = await runOn(PAYLOAD, 'enforce', '-p', policies, '--as', 'Agent/jane', ...options);
    expect(stdout).toBe(shown);
  });

  test('refuses standard input that is named twice', async () => {
    const policies = await fileWith(POLICIES);
    expect(await runOn('{}', 'enforce', '-p', policies, '--as', 'Agent/jane', '-', '-')).toEqual({
      code: 1,
      stdout: '',
      stderr: '- is given more than once, and standard input can be read once only\n',
    });
  });

  test.each([
    [['--pretty'], 1026],
    [['--diff'], 1027],
    [['--pretty', '--diff'], 1026],
  ])('shows what is deeper than payloads may be with %j', async (options, lines) => {
    const path = Array.from({ length: 512 }, () => 'a').join('.');
    const policies = await fileWith(
      `policies: [{name: P, properties: [${path}], action: {name: SET, value: x}}]`,
    );
    const shown = await runOn('{"b":1}', 'enforce', '-p', policies, '--as', 'Agent/jane', ...options);
    expect(shown).toMatchObject({ stderr: '' });
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(lines);
  });

  test('applies --parameters', async () => {
    const policies = await fileWith(POLICIES);
    const parameters = '{"root":"data","maskString":"-","filter":false}';
    const options = ['-p', policies, '--as', 'Agent/jane', '--parameters', parameters];
    const { stdout } = await runOn('{"data":[{"ssn":"1"}]}', 'enforce', ...options);
    expect(stdout).toBe('{"data":[{"ssn":"-"}]}\n');
  });

  test.each([[[]], [['--ndjson']]])('says that standard input is a folder, with %j', (options) => {
    const folder = openSync('.', 'r');
    const args = [PROGRAM, 'enforce', ...options, ...DEMO, '--as', 'Agent/jane'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { stdio: [folder, 'pipe', 'pipe'] });
    closeSync(folder);
    expect({ status, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'standard input cannot be read: it is a folder\n',
    });
  });

  test.each([
    [[], 'standard input: The payload has more than 1048576 bytes (maxBody).'],
    [['--ndjson'], 'standard input, line 1: The line has more than 1048576 bytes (maxBody).'],
  ])('names the code of the error for a payload over maxBody, with %j', async (options, message) => {
    const config = await fileWith('port: 5002\npdpUrl: 127.0.0.1:1\nmaxBody: 1\n');
    const args = ['enforce', ...options, '-c', config, '--as', 'Agent/jane'];
    const { code, stdout, stderr } = await runOn(`["${'x'.repeat(1_100_000)}"]`, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/ \(body-too-large\)\n$/u);
  });

  test('lets no name of a file write to the terminal', async () => {
    const folder = await folderWith({ '\u001B[31m\n.json': '{' });
    for (const name of ['\u001B[31m\n.json', '\u001B[32m.json']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { code, stderr } = await run('enforce', ...DEMO, '--as', 'Agent/jane', `${folder}/${name}`);
      expect(code).toBe(1);
      expect(stderr).toContain('\\u001b[3');
      expect(stderr).toMatch(/^[ -~]*\n$/u);
    }
    const { stderr } = await run('enforce', '-p', '\u001B[31m.yaml', '--as', 'Agent/jane');
    expect(stderr).toMatch(/^[ -~]*\n$/u);
  });
});

describe('a policy file without a configuration', () => {
  test('hides all records from a user whom no filter allows any', async () => {
    const { stdout } = await runOn(PAYLOAD, 'enforce', '-p', await fileWith(POLICIES), '--as', 'Clerk/ann');
    expect(stdout.trim().replaceAll(' ', '')).toBe('[]');
  });

  test.each([
    [
      'no filters',
      'policies: [{ name: P, properties: [ssn], action: MASK }]',
      '[{"ssn":"***"},{"ssn":"***"}]\n',
    ],
    [
      'only filters that deny',
      'policies: [{ name: P, effect: denied, action: FILTER, when: { attribute: ssn, operator: EQUALS, values: ["1"] } }]',
      '[{"ssn":"2"}]\n',
    ],
    [
      'an asset type of its own',
      'assetType: rows\npolicies: [{ name: P, properties: [ssn], action: MASK }]',
      '[{"ssn":"***"},{"ssn":"***"}]\n',
    ],
  ])('keeps the records that no policy removes if it has %s', async (_, text, shown) => {
    const policies = await fileWith(text);
    const { stdout } = await runOn(
      '[{"ssn":"1"},{"ssn":"2"}]',
      'enforce',
      '-p',
      policies,
      '--as',
      'Agent/jane',
    );
    expect(stdout).toBe(shown);
  });
});

describe('what cannot be enforced ends enforce with 1, a readable reason and no output', () => {
  test.each([
    ['no policies', [], "error: no policies; give '-p POLICIES', or '-c FILE' for a configuration\n"],
    [
      'two sources of policies',
      ['-c', 'a', ...DEMO],
      'error: -c and -p both say which policies hold; keep one of them\n',
    ],
    [
      'a user without a type',
      [...DEMO, '--as', 'jane'],
      '--as has to be an entity type and an id, such as Agent/jane.\n',
    ],
    [
      'a vendor that is no object',
      [...DEMO, '--as', 'A/b', '--vendor', '[]'],
      '--vendor has to be a JSON object.\n',
    ],
    [
      'a misspelt parameter',
      [...DEMO, '--as', 'A/b', '--parameters', '{"rot":"x"}'],
      '--parameters /rot: Unknown. Did you mean root?\n',
    ],
    ['a vendor that is not JSON', [...DEMO, '--vendor', '{entityId}'], '--vendor: It has to be JSON.\n'],
    [
      'a file that is not there',
      [...DEMO, '--as', 'A/b', 'absent.json'],
      'absent.json cannot be read: it does not exist\n',
    ],
    [
      'a root that is not there',
      [...DEMO, '--as', 'Agent/b', '--parameters', '{"root":"x"}'],
      'standard input: The root points at nothing in the payload. (root-not-found)\n' +
        '  /parameters/root\n',
    ],
  ])('for %s', async (_, options, stderr) => {
    expect(await runOn(PAYLOAD, 'enforce', ...options)).toEqual({ code: 1, stdout: '', stderr });
  });

  test('for a payload and an answer that are longer than they may be', async () => {
    const limits = 'port: 0\npolicyFile: p.yaml\nmaxBody: 1\nmaxAnswer: 1\n';
    const folder = await folderWith({ 'p.yaml': POLICIES, 'c.yaml': limits });
    const enforced = (payload: string) =>
      runOn(payload, 'enforce', '-c', `${folder}/c.yaml`, '--as', 'Manager/max');
    const longest = `[{"a":"${'x'.repeat(2 ** 20 - 10)}"}]`;
    expect(await enforced(longest)).toMatchObject({ code: 0, stdout: `${longest}\n` });
    expect(await enforced(`${longest} `)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The payload has more than 1048576 bytes (maxBody).'),
    });
    const growing = `[${'{"ssn":1,"country":"US"},'.repeat(40_000)}{}]`;
    expect(await runOn(growing, 'enforce', '-c', `${folder}/c.yaml`, '--as', 'Agent/jane')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(maxAnswer)'),
    });
  });

  test('for a second payload that is not JSON, without a word of it', async () => {
    const folder = await folderWith({ 'a.json': '{}', 'b.json': '{"ssn": "123-45' });
    const files = [`${folder}/a.json`, `${folder}/b.json`];
    expect(await run('enforce', ...DEMO, '--as', 'Agent/jane', ...files)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${folder}/b.json: The payload is not valid JSON: unexpected end at byte 15. (body-not-json)\n`,
    });
  });

  test('for a second payload that is not JSON, however long the first one is', async () => {
    const long = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, country: 'US' })));
    const folder = await folderWith({ 'a.json': long, 'b.json': '{' });
    const files = [`${folder}/a.json`, `${folder}/b.json`];
    const answer = await run('enforce', ...DEMO, '--as', 'Agent/jane', ...files);
    expect(answer).toMatchObject({ code: 1, stdout: '' });
  });

  test('for a policy file that is wrong', async () => {
    const policies = await fileWith('policies:\n  - { name: P, propertis: [a], action: MASK }\n');
    const { code, stdout, stderr } = await runOn('{}', 'enforce', '-p', policies, '--as', 'A/b');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'line 2: policies[0].propertis is not a known key; the nearest one is properties',
    );
  });
});

describe('enforce --ndjson', () => {
  const LINES = `{"ssn":"1","country":"US"}\r\n\n  \n${' '.repeat(100)}\t\n[{"ssn":2,"country":"ES"}]\n{"ssn":"3","country":"US"}`;

  test('enforces each line as a payload and drops blank ones', async () => {
    const policies = await fileWith(POLICIES);
    expect(await runOn(LINES, 'enforce', '--ndjson', '-p', policies, '--as', 'Agent/jane')).toEqual({
      code: 0,
      stdout: '{"ssn":"***","country":"US"}\n[]\n{"ssn":"***","country":"US"}\n',
      stderr: '',
    });
  });

  test.each(['\v', '\f', '\u00a0'])(
    'takes no other blanks than those of JSON for nothing: %j',
    async (blank) => {
      const policies = await fileWith(POLICIES);
      const outcome = await runOn(`${blank}\n`, 'enforce', '--ndjson', '-p', policies, '--as', 'Agent/jane');
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('body-not-json') });
    },
  );

  test('writes the whole lines before one that cannot be enforced, names that one, and ends with 1', async () => {
    const policies = await fileWith(POLICIES);
    const broken = `${LINES}\n{"ssn": "4"\n{"ssn":"5"}\n`;
    expect(await runOn(broken, 'enforce', '--ndjson', '-p', policies, '--as', 'Manager/max')).toEqual({
      code: 1,
      stdout: '{"ssn":"1","country":"US"}\n[{"ssn":2,"country":"ES"}]\n{"ssn":"3","country":"US"}\n',
      stderr:
        'standard input, line 7: The payload is not valid JSON: unexpected end at byte 11. (body-not-json)\n',
    });
  });

  test('asks the PDP once for all lines', async () => {
    const pdp = await startStub();
    pdp.answer({ body: '{"response":[{"access":[{"path":"ssn","resourceType":"columns","actions":[]}]}]}' });
    const config = await fileWith(`port: 5002\npdpUrl: ${pdp.url.href}\n`);
    const lines = Array.from({ length: 100 }, (_, i) => `{"ssn":${i}}\n`).join('');
    const { stdout } = await runOn(lines, 'enforce', '--ndjson', '-c', config, '--vendor', '{}');
    expect(stdout).toBe('{"ssn":null}\n'.repeat(100));
    expect(pdp.requests).toHaveLength(1);
  });

  test('refuses to show lines in another form', async () => {
    expect(await runOn(LINES, 'enforce', '--ndjson', '--pretty', ...DEMO)).toEqual({
      code: 1,
      stdout: '',
      stderr: "error: --ndjson prints one payload a line, and can't be used with --pretty or --diff\n",
    });
  });

  test('prints a line before the next one is there, and ends quietly if its reader has enough', async () => {
    const args = [PROGRAM, 'enforce', '--ndjson', ...DEMO, '--as', 'Manager/max'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const errors: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    child.stdin.on('error', () => undefined).write('{"id":1}\n');
    const [first] = await once(child.stdout, 'data');
    expect(String(first)).toBe('{"id":1,"consent":{"marketing":"unknown"}}\n');
    child.stdout.destroy();
    for (let i = 0; child.exitCode === null && i < 2000; i++) {
      child.stdin.write('{"id":2}\n'.repeat(1000));
      // oxlint-disable-next-line no-await-in-loop -- until the command ends
      await new Promise(setImmediate);
    }
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'close');
    expect({ code: child.exitCode, errors }).toEqual({ code: 0, errors: [] });
  });
});

import { hash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { createProgram } from '../../src/process/program.ts';
import { closeAll } from '../pdp/transport/setup.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { run } from '../support/process.ts';

afterEach(closeAll);

const CONFIGURATION = 'port: 0\npdpUrl: 127.0.0.1:1\n';

describe('what the process prints when it is asked to', () => {
  test('is its version, which is that of the package', async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([
    [['--help'], ['-c, --config <file>', '--check', 'pdp [options]']],
    [
      ['pdp', '--help'],
      ['-p, --policies <file>', '--port <number>', '--host <address>', '(default: 8181)', '(default: 0)'],
    ],
    [
      ['playground', '--help'],
      ['--port <number>', '(default: 4600)'],
    ],
  ])('is how it is used: %j', async (args, options) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const option of options) expect(stdout).toContain(option);
  });

  test.each([['help'], ['help', 'pdp'], ['version'], ['pdp', '--help']])(
    'is the same for %s as for its option',
    async (...args) => {
      const option: Readonly<Record<string, readonly string[]>> = {
        help: ['--help'],
        'help pdp': ['pdp', '--help'],
        version: ['--version'],
        'pdp --help': ['help', 'pdp'],
      };
      expect(await run(...args)).toEqual(await run(...(option[args.join(' ')] ?? [])));
    },
  );

  test.each([
    ['bash', "pdp) words='-p --policies --check --port --host --drain-delay -h --help'"],
    ['zsh', "'pdp:Serves the embedded PDP over HTTP, to try the service against.'"],
    ['fish', "complete -c authz-jsonmasking -n '__fish_seen_subcommand_from pdp' -a '--policies'"],
  ])('is a script for completion in %s, with every command and its options', async (shell, line) => {
    const { code, stdout, stderr } = await run('completion', shell);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(line);
    for (const word of ['completion', 'help', 'version', '--config', '--ready-file'])
      expect(stdout).toContain(word);
  });

  test('is a script that bash completes commands and options with', async () => {
    const { stdout } = await run('completion', 'bash');
    const complete = (...words: readonly string[]): string => {
      const typed = ['authz-jsonmasking', ...words].map((word) => `'${word}'`).join(' ');
      const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _authz_jsonmasking; echo "\${COMPREPLY[*]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
    };
    expect(complete('p')).toBe('pdp playground');
    expect(complete('--c')).toBe('--config --config-sha256 --check');
    expect(complete('pdp', '--p')).toBe('--policies --port');
    expect(complete('completion', '')).toContain('bash zsh fish');
  });

  test('is that a policy file is valid', async () => {
    const file = await fileWith(POLICIES);
    expect(await run('pdp', '-p', file, '--check')).toEqual({
      code: 0,
      stdout: `${file}: the policy file is valid.\n`,
      stderr: '',
    });
  });

  test('is that a configuration is valid', async () => {
    const file = await fileWith(CONFIGURATION);
    expect(await run('-c', file, '--check')).toEqual({
      code: 0,
      stdout: `${file}: the configuration is valid.\n`,
      stderr: '',
    });
  });

  test('is that a configuration has the hash that it has to have', async () => {
    const file = await fileWith(CONFIGURATION);
    const args = ['-c', file, '--config-sha256', hash('sha256', CONFIGURATION), '--check'];
    expect(await run(...args)).toMatchObject({ code: 0, stdout: `${file}: the configuration is valid.\n` });
  });

  test.each([[['--check']], [[]]])('is that it has another hash: %j', async (check) => {
    const file = await fileWith(CONFIGURATION);
    expect(await run('-c', file, '--config-sha256', hash('sha256', ''), ...check)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the file that the service is to start with (--config-sha256)'),
    });
    expect(await run('-c', file, '--config-sha256', 'A'.repeat(64), ...check)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('64 hexadecimal digits, in lower case.'),
    });
  });
});

describe('--check warns of a header field that a route uses and that no gateway is trusted with', () => {
  const routes = ['routes:', '  - path: /**', "    vendor: { entityId: '${headers.X-User}' }"];

  test.each([
    ['the proxy', 'proxy: { port: 9443, upstream: "http://127.0.0.1:9000" }'],
    ['the proxy on any free port', 'proxy: { port: 0, upstream: "http://127.0.0.1:9000" }'],
    ['the processor on any free port', 'extProc: { port: 0 }'],
  ])('with the routes of %s', async (_, place) => {
    const file = await fileWith([CONFIGURATION, place, ...routes, ''].join('\n'));
    expect(await run('-c', file, '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/list them in trustedHeaders.*x-user/iu),
    });
  });

  test('and warns of routes that are never reached', async () => {
    const place = 'proxy: { port: 9443, upstream: "http://127.0.0.1:9000" }';
    const shadowed = '  - { path: /secret, refuse: true }';
    const file = await fileWith([CONFIGURATION, place, ...routes, shadowed, ''].join('\n'));
    expect(await run('-c', file, '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Routes are never reached.*\/secret/u),
    });
  });

  test.each([
    ['', ['Customers of the region']],
    ['filter: true\n', []],
  ])('and warns of FILTER policies that do nothing (%j)', async (filter, policies) => {
    const policyFile = await fileWith('policies: [{ name: Customers of the region, action: FILTER }]\n');
    const file = await fileWith(`port: 0\npolicyFile: ${policyFile}\n${filter}`);
    const { code, stdout } = await run('-c', file, '--check');
    expect(code).toBe(0);
    expect(
      [...stdout.matchAll(/FILTER policies do nothing.*"policies":(\[.*?\])/gu)].flatMap(
        ([, names]) => names,
      ),
    ).toEqual(policies.map((name) => JSON.stringify([name])));
  });

  test.each<[condition: string, warnings: number]>([
    ['operator: LESS, values: [18]', 1],
    ['operator: GREATER_EQUALS, values: ["1e3", "-2.5"]', 1],
    ['operator: LESS, values: [18], type: INTEGER', 0],
    ['operator: LESS, values: ["2026-01-31"]', 0],
    ['operator: LESS, values: ["${entityId}"]', 0],
    ['operator: EQUALS, values: [18]', 0],
    ['operator: CONTAINS, values: [18]', 0],
  ])('and warns of numbers that are compared as texts: %s', async (condition, warnings) => {
    const when = `{ any: [{ attribute: a, operator: IN, values: [b] }, { all: [{ attribute: age, ${condition} }] }] }`;
    const policyFile = await fileWith(
      `policies: [{ name: Minors, properties: [name], action: MASK, when: ${when} }]\n`,
    );
    const file = await fileWith(`port: 0\npolicyFile: ${policyFile}\n`);
    const { code, stdout } = await run('-c', file, '--check');
    expect(code).toBe(0);
    expect(stdout.match(/Policies compare numbers as texts.*"policies":\["Minors"\]/gu) ?? []).toHaveLength(
      warnings,
    );
  });

  test('and warns of texts that were probably meant as more', async () => {
    const policyFile = await fileWith(
      'policies: [{ name: P, for: { entityTypes: [all] }, properties: [name], action: MASK }]\n',
    );
    const { code, stdout } = await run(
      '-c',
      await fileWith(`port: 0\npolicyFile: ${policyFile}\n`),
      '--check',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Policies have texts that are compared as they are.*"texts":\["P: all is an id or a type/u,
    );
  });

  test.each<[configured: string, types: string, warnings: number]>([
    ['', '', 0],
    ['assetType: colums', '', 1],
    ['assetType: customers', 'assetType: customers', 0],
    ['', 'assetType: customers', 1],
    ['assetType: rows', 'assets: { type: rows, ids: all }', 0],
  ])('and warns of an asset type that no policy is for: %j, %j', async (configured, types, warnings) => {
    const policy = ['name: P', 'properties: [name]', 'action: MASK', ...(types === '' ? [] : [types])];
    const policyFile = await fileWith(`policies: [{ ${policy.join(', ')} }]\n`);
    const file = await fileWith(`port: 0\npolicyFile: ${policyFile}\n${configured}\n`);
    const { code, stdout } = await run('-c', file, '--check');
    expect(code).toBe(0);
    expect(stdout.match(/No policy is for the asset type.*"assetTypesOfPolicies":\[/gu) ?? []).toHaveLength(
      warnings,
    );
  });
});

describe('--check warns of identity.jwt', () => {
  const jwt = ['identity:', '  jwt: { issuer: "https://idp.example.com", audience: a }'];
  const proxy = 'proxy: { port: 0, upstream: "http://127.0.0.1:9000" }';

  test.each<[string, readonly string[], number]>([
    ['if nothing has a token verified', jwt, 1],
    ['not if requests need one', [...jwt, '  required: true'], 0],
    ['not if the proxy has routes', [...jwt, proxy], 0],
    ['not if the PDP is asked about the user of a token', [...jwt, 'pdpProtocol: authzen'], 0],
    ['not if it is not there', [], 0],
  ])('%s', async (_, lines, warnings) => {
    const file = await fileWith([CONFIGURATION, ...lines, ''].join('\n'));
    const { code, stdout } = await run('-c', file, '--check');
    expect(code).toBe(0);
    expect(stdout.match(/No request has its token verified/gu) ?? []).toHaveLength(warnings);
  });
});

describe('wrong arguments end the process with one line', () => {
  test.each([
    ['no configuration file', []],
    ['an option that it does not have', ['--config-file', 'config.yaml']],
    ['a command that it does not have', ['serve']],
    ['a shell that it has no completion for', ['completion', 'tcsh']],
    ['pdp without policies', ['pdp', '--port', '0']],
    ['pdp with a port that is no number', ['pdp', '-p', 'policies.yaml', '--port', 'http']],
    ['pdp with a delay of more than an hour', ['pdp', '-p', 'policies.yaml', '--drain-delay', '3600001']],
    ['pdp with a port that no machine has', ['pdp', '-p', 'policies.yaml', '--port', '65536']],
  ])('if they have %s', async (_, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/u);
  });
});

describe('an unknown command', () => {
  test.each([
    [
      ['serve'],
      'serve',
      'the commands are pdp, playground, enforce, explain, test, completion, version, help',
    ],
    [['verson'], 'verson', 'did you mean version?'],
    [['help', 'enforc'], 'enforc', 'did you mean enforce?'],
    [
      ['config.yaml', '--check'],
      'config.yaml',
      'the commands are pdp, playground, enforce, explain, test, completion, version, help',
    ],
  ])('is reported as such: %j', async (args, word, hint) => {
    expect(await run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: unknown command '${word}'; ${hint}\n`,
    });
  });

  test('is named also if it has options', async () => {
    expect(await run('enforc', '-p', 'policies.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr: "error: unknown command 'enforc'; did you mean enforce?\n",
    });
  });
});

describe('a mistake in the arguments', () => {
  test.each([
    [['version', 'x'], "error: too many arguments for 'version'. Expected 0 arguments but got 1: x.\n"],
    [['help', 'pdp', 'x'], "error: too many arguments for 'help'. Expected 1 argument but got 2: pdp, x.\n"],
    [
      ['completion', '\u001b[2J'],
      String.raw`error: command-argument value '\u001b[2J' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.` +
        '\n',
    ],
    [
      ['pdp', '-p', 'p', '--port', '\u009b'],
      expect.stringContaining(String.raw`argument '\u009b' is invalid`),
    ],
    [['e\u001b[31m'], expect.stringContaining(String.raw`unknown command 'e\u001b[31m'`)],
  ])('is refused, and no character of it writes to the terminal: %j', async (args, stderr) => {
    expect(await run(...args)).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('an unknown option', () => {
  test.each([
    [['--chek', '-c', 'config.yaml'], "unknown option '--chek'\n(Did you mean --check?)"],
    [['-x'], "unknown option '-x'"],
    ...['-p', '--policies'].map((name): [string[], string] => [
      ['test', name, 'p.yaml'],
      `unknown option '${name}'\n(The policy file comes without an option: test policies.yaml)`,
    ]),
    [['enforce', '--polices', 'p.yaml'], "unknown option '--polices'\n(Did you mean --policies?)"],
    [['enforce', '--vendr={"clientSecret":"s3cret"}'], "unknown option '--vendr'\n(Did you mean --vendor?)"],
    [['enforce', '-vs3cret'], "unknown option '-v'"],
    [['enforce', '--pretty=s3cret'], "option '--pretty' takes no value"],
    [['enforce', '--x\u001b[31m'], String.raw`unknown option '--x\u001b[31m'`],
    [['test', '--x\u202e\u009b'], String.raw`unknown option '--x\u202e\u009b'`],
    [['-\u0007'], String.raw`unknown option '-\u0007'`],
  ])('is named without its value, with the one that is most like it: %j', async (args, message) => {
    expect(await run(...args)).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
  });
});

/** The arguments that name files. */
const NAMES = new Set(['file', 'files', 'policies']);

/** Every option of every command that takes a value, and every first argument that names a file, with nothing in it. */
function valuesOfCommands(): [message: string, args: readonly string[]][] {
  const program = createProgram({ print: () => undefined, logToFile: () => undefined, run: () => undefined });
  return [program, ...program.commands].flatMap((command) => {
    const words = command === program ? [] : [command.name()];
    const options = command.options
      .filter(({ required }) => required)
      .map(({ flags, long }): [string, string[]] => [`option '${flags}'`, words.concat(`${long}=`)]);
    const [first] = command.registeredArguments;
    if (first === undefined || !NAMES.has(first.name())) return options;
    return options.concat([[`argument '${first.name()}' is empty`, words.concat('')]]);
  });
}

describe('an empty value, as of a variable that is not set, is refused', () => {
  test.each([
    ...valuesOfCommands(),
    ["argument 'tests' is empty", ['test', 'a.yaml', '']],
    ["argument 'tests' is empty", ['test', 'a.yaml', 'b.yaml', '']],
  ])('%s: %j', async (message, args) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.startsWith(`error: ${message}`)).toBe(true);
    expect(stderr).toMatch(
      / is empty; leave it out, or give it a value\n$| whole number from 0 to \d+\.\n$| 64 hexadecimal digits, in lower case\.\n$/u,
    );
  });

  test('but the empty pointer is the whole payload', async () => {
    const policies = await fileWith('policies: [{ name: P, properties: [a], action: MASK }]\n');
    const payload = await fileWith('{"a":"x"}');
    expect(await run('explain', '-p', policies, payload, '')).toMatchObject({
      code: 0,
      stdout: '/a: masked by "P" (MASK)\n',
    });
  });
});

describe('an option that would have no effect is refused', () => {
  test.each([
    [
      'a second policy file',
      ['enforce', '-p', 'a.yaml', '-p', 'b.yaml'],
      "option '-p, --policies <file>' is given twice; give it once",
    ],
    [
      'a second user',
      ['explain', '-p', 'a.yaml', '--as', 'Agent/jane', '--as=Agent/max'],
      "option '--as <user>' is given twice; give it once",
    ],
    ['a second port', ['pdp', '-p', 'a.yaml', '--port', '1', '--port', '2'], "option '--port <number>'"],
    ['a second configuration', ['-c', 'a.yaml', '--config', 'b.yaml'], "option '-c, --config <file>'"],
    [
      'a configuration before a command',
      ['-c', 'a.yaml', 'enforce', '-p', 'b.yaml'],
      "option '-c, --config <file>' has no effect before enforce; give the options of enforce after its name",
    ],
    ['--check before pdp', ['--check', 'pdp', '-p', 'a.yaml'], "option '--check' has no effect before pdp"],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('a configuration that is wrong ends the process', () => {
  test.each([[[]], [['--check']]])('with every problem and its line: %j', async (more) => {
    const file = await fileWith('port: -1\nmaxBdy: 8\nlog:\n  level: loud\n');
    expect(await run('-c', file, ...more)).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        `${file}: 4 problems`,
        '  line 1: port must be an integer from 0 to 65535',
        '  line 2: maxBdy is not a known key; the nearest one is maxBody',
        '  line 4: log.level must be one of error, warn, info, debug',
        '  No PDP is configured: give pdpUrl or pdpHost for a remote one, or policyFile for the embedded one.',
        '',
      ].join('\n'),
    });
  });

  test('with one line if the file does not exist', async () => {
    expect(await run('-c', 'absent.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'absent.yaml cannot be read: it does not exist\n',
    });
  });
});

const POLICIES = 'policies:\n  - { name: P, properties: [a], action: MASK }\n';

describe('a policy file that is wrong ends the process with what is wrong in it', () => {
  test.each([
    ['is checked', ['--check']],
    ['would serve', []],
  ])('if it %s', async (_, more) => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: policies.yaml\n',
      'policies.yaml': 'policies:\n  - { name: P, properties: [a], acton: MASK }\n',
    });
    const { code, stdout, stderr } = await run('-c', `${folder}/config.yaml`, ...more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${folder}/policies.yaml`);
    expect(stderr).toContain('acton');
    expect(stderr).not.toMatch(/^\s+at /mu);
  });

  test.each([
    ['would be served', ['--port', '0']],
    ['is checked alone', ['--check']],
  ])('if it %s', async (_, more) => {
    const file = await fileWith('policies: none\n');
    const { code, stdout, stderr } = await run('pdp', '-p', file, ...more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(file);
    expect(stderr).not.toMatch(/^\s+at /mu);
  });

  test('if the file does not exist', async () => {
    const folder = await folderWith({ 'config.yaml': 'port: 0\npolicyFile: absent.yaml\n' });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/absent\.yaml[^\n]*\n$/u),
    });
  });

  test('if it names properties differently from the service, so that no mask would match', async () => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: policies.yaml\nattrName: field\n',
      'policies.yaml': POLICIES,
    });
    const { code, stdout, stderr } = await run('-c', `${folder}/config.yaml`, '--check');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('attrName is column here and field in the configuration');
    expect(stderr).not.toContain('object is table');
  });

  test('and not if the configuration leaves the names to it: a port and a policy file are enough', async () => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: policies.yaml\n',
      'policies.yaml': POLICIES,
    });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({ code: 0, stderr: '' });
  });

  test('is verified by itself with pdp --check, which starts nothing', async () => {
    const right = await folderWith({ 'policies.yaml': POLICIES });
    expect(await run('pdp', '-p', `${right}/policies.yaml`, '--check')).toEqual({
      code: 0,
      stdout: `${right}/policies.yaml: the policy file is valid.\n`,
      stderr: '',
    });
    const wrong = await fileWith('policies:\n  - name: P\n    acton: MASK\n');
    const { code, stdout, stderr } = await run('pdp', '--check', '-p', wrong);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('line 3: policies[0].acton is not a known key; the nearest one is action');
    const when = '{ attribute: age, operator: LESS, values: [18] }';
    const doubtful = await fileWith(
      `policies: [{ name: Minors, properties: [name], action: MASK, when: ${when} }]\n`,
    );
    expect(await run('pdp', '-p', doubtful, '--check')).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /"level":"warn".*numbers as texts.*Minors.*\n.*: the policy file is valid\.\n$/u,
      ),
      stderr: '',
    });
  });

  test('and not if it is right', async () => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: policies.yaml\nattrName: column\nobject: table\n',
      'policies.yaml': POLICIES,
    });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({ code: 0, stderr: '' });
  });
});

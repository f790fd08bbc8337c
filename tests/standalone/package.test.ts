import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { VERSION } from '../../src/version.ts';
import { notesIn, WATCHER } from '../program/watcher.ts';
import { folderWith } from '../support/folder.ts';
import { buildArchive, currentArchive, PACKAGE } from './archive.ts';
import { install, type Installation } from './installation.ts';

const run = promisify(execFile);

let installation: Installation;

beforeAll(async () => {
  installation = await install();
});

afterAll(() => installation.remove());

describe('the archive', () => {
  test('has one folder, with everything that a machine without Node needs', async () => {
    const { stdout } = await run('tar', ['-tzf', await currentArchive()]);
    expect(stdout.trim().split('\n')).toEqual(
      [
        '',
        'README.md',
        'SHA256SUMS',
        'authz-jsonmasking',
        'authz-jsonmasking.logrotate',
        'authz-jsonmasking.service',
        'licenses/',
        'licenses/authz-jsonmasking.txt',
        'licenses/node.txt',
        'licenses/third-party.txt',
        'process.sh',
        'reopen-log.sh',
        'sample-config.yaml',
        'sample-policies.yaml',
        'start.sh',
        'stop.sh',
      ].map((file) => `${PACKAGE}/${file}`),
    );
  });

  test('has a checksum beside it, and those of its files inside', async () => {
    const archive = await currentArchive();
    await expect(
      run('sha256sum', ['-c', `${PACKAGE}.tar.gz.sha256`], { cwd: 'build' }),
    ).resolves.toBeDefined();
    expect(await readFile(`${archive}.sha256`, 'utf8')).toMatch(/^[\da-f]{64} {2}authz-jsonmasking-\S+\n$/);
    const { stdout } = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: installation.folder });
    expect(stdout.match(/: OK\n/g)).toHaveLength(13);
  });

  test('is the same bytes when it is built again', async () => {
    const first = readFileSync(await currentArchive());
    expect(readFileSync(await buildArchive()).equals(first)).toBe(true);
  });

  test.each(['authz-jsonmasking', 'start.sh', 'stop.sh', 'reopen-log.sh'])(
    'has %s as a program',
    async (name) => {
      await expect(access(installation.file(name), constants.X_OK)).resolves.toBeUndefined();
    },
  );

  test.each([
    'axios',
    'commander',
    'express',
    'jose',
    'lodash',
    'undici',
    'winston',
    'yaml',
    'zod',
    'preact',
    '@codemirror/view',
  ])('has the licence of %s', async (name) => {
    const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8'));
    expect(await installation.read('licenses/third-party.txt')).toContain(`${name} ${version} (`);
  });

  test('has the licences of Node and of the service itself', async () => {
    expect(await installation.read('licenses/node.txt')).toContain('Copyright Node.js contributors');
    expect(await installation.read('licenses/authz-jsonmasking.txt')).toBe(await readFile('LICENSE', 'utf8'));
  });

  test('holds no path of the machine that built it', async () => {
    const executable = await readFile(installation.file('authz-jsonmasking'));
    expect(executable.includes(process.cwd())).toBe(false);
  });
});

describe('the executable', () => {
  test('prints its version and its options', async () => {
    expect(await installation.run('authz-jsonmasking', ['--version'])).toMatchObject({
      status: 0,
      stdout: `${VERSION}\n`,
    });
    const { stdout } = await installation.run('authz-jsonmasking', ['--help']);
    expect(stdout).toContain('--config <file>');
  });

  test.each([
    ['--version'],
    ['-c', 'packaging/standalone/sample-config.yaml', '--check'],
    [
      'enforce',
      '-p',
      'examples/policies/demo.yaml',
      '--as',
      'Agent/jane',
      'examples/payloads/customers.json',
    ],
  ])('has what V8 compiled of each part ahead, and V8 takes it: %s', async (...args) => {
    const folder = await folderWith({ 'watcher.cjs': WATCHER, notes: '' });
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require ${path.join(folder, 'watcher.cjs')}`,
      NOTES: path.join(folder, 'notes'),
    };
    await run(installation.file('authz-jsonmasking'), args, { env });
    const noted = await notesIn(env.NOTES);
    expect(noted).not.toEqual([]);
    expect(noted.filter(({ isTaken }) => !isTaken)).toEqual([]);
  });

  test('serves the playground', async () => {
    const child = spawn(installation.file('authz-jsonmasking'), ['playground', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const [line] = await once(createInterface(child.stdout), 'line');
    const [url = ''] = /http:\/\/\S+\//u.exec(String(line)) ?? [];
    const files = ['', 'page.js', 'page.css', 'start.json'];
    const answers = await Promise.all(files.map((file) => fetch(url + file)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    child.kill('SIGINT');
    await ended;
  });

  test('says so if it gets no configuration', async () => {
    const { status, stderr } = await installation.run('authz-jsonmasking');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "error: no configuration file; start with '-c FILE'\n",
    });
  });
});

describe('sample-config.yaml', () => {
  test('is a configuration to start with', async () => {
    expect(
      parseConfiguration(await installation.read('sample-config.yaml'), { file: 'config.yaml' }),
    ).toMatchObject({
      port: 5002,
      pdpUrl: 'pdp.example.com:8080',
    });
  });

  test('has every key once, with what it means', async () => {
    const lines = (await installation.read('sample-config.yaml')).split('\n');
    const keys = lines.flatMap((line) => /^#?([A-Za-z.]+):(?: .|$)/.exec(line)?.[1] ?? []);
    expect(keys).toEqual(CONFIGURATION_KEYS.map(({ key }) => key));
  });

  test('decides by the sample policies if they are chosen', async () => {
    const sample = await installation.read('sample-config.yaml');
    const text = sample.replace(/^pdpUrl/m, '#pdpUrl').replace(/^#policyFile/m, 'policyFile');
    expect(parseConfiguration(text, { file: installation.file('config.yaml') }).policyFile).toBe(
      installation.file('sample-policies.yaml'),
    );
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeAll, freePort, startStub } from '../pdp/transport/setup.ts';
import { call, enforcing } from '../support/caller.ts';
import { createAuthority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { startHeldPdp } from '../support/held-pdp.ts';
import { fileWith, folderWith } from '../support/folder.ts';
import { run, serving } from '../support/process.ts';
import { NO_RULES } from '../support/service.ts';
import { PROGRAM } from '../support/program.ts';

afterEach(closeAll);

const BODY = enforcing('[{"a":1}]');

/** The service as a process of its own. */
async function servingWith(pdp: { readonly port: number }, ...lines: readonly string[]) {
  const delay = lines.some((line) => line.startsWith('drainDelay')) ? [] : ['drainDelay: 0'];
  const all = ['port: 0', 'host: 127.0.0.1', `pdpUrl: 127.0.0.1:${pdp.port}`, ...delay, ...lines];
  return serving('-c', await fileWith(all.join('\n')));
}

function get(port: number, at: string) {
  return call(port, { method: 'GET', path: at });
}

describe('SIGUSR2', () => {
  test('has everything logged, and the next one only what is configured again', async () => {
    const service = await servingWith(await startStub());
    service.signal('SIGUSR2');
    await eventually(() => service.logged().includes('"to":"debug"'));
    await get(service.port, '/health/liveness');
    await eventually(() => service.logged().includes('/health/liveness'));
    service.signal('SIGUSR2');
    await eventually(() => service.logged().includes('"to":"info"'));
    await get(service.port, '/health/readiness');
    await call(service.port, { body: BODY });
    await eventually(() => service.logged().includes('/enforce'));
    expect(service.logged()).not.toContain('/health/readiness');
  });
});

/** Fails when it gets a signal that nothing else follows. */
const CRASHING = `data:text/javascript,process.once('SIGURG', () => { throw new TypeError('broken'); })`;

describe('a process that fails', () => {
  test.each([
    ['the service', ['-c']],
    ['the service, into a file', ['--log-file', 'service.log', '-c']],
    ['the PDP', ['pdp', '--port', '0', '-p']],
  ])('logs why: %s', async (_, options) => {
    const folder = await folderWith({
      'file.yaml': options.includes('pdp')
        ? 'policies: [{ name: a, properties: [a], action: MASK }]'
        : 'port: 0\nhost: 127.0.0.1\npdpUrl: 127.0.0.1:1\n',
      'service.log': '',
    });
    const child = spawn(process.execPath, ['--import', CRASHING, PROGRAM, ...options, 'file.yaml'], {
      cwd: folder,
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text));
    const logged = (): string => output + readFileSync(path.join(folder, 'service.log'), 'utf8');
    await eventually(() => logged().includes('Listening'));
    child.kill('SIGURG');
    await once(child, 'close');
    expect(logged()).toMatch(/"level":"error","message":"Crashed",.*TypeError: broken/u);
  });
});

describe('a process that is asked to stop', () => {
  test('serves on for drainDelay, not ready', async () => {
    const service = await servingWith(await startStub(NO_RULES), 'drainDelay: 5000');
    service.signal('SIGTERM');
    await eventually(() => service.logged().includes('Stopping'));
    expect((await get(service.port, '/health/readiness')).status).toBe(503);
    expect((await call(service.port, { body: BODY })).status).toBe(200);
    expect((await service.ended).code).toBe(0);
  });

  test.each(['workers: 1', 'workers: 2'])(
    'ends with 1 if it had to cut requests off: %s',
    async (workers) => {
      const pdp = await startHeldPdp();
      const service = await servingWith(pdp, 'drainTimeout: 200', 'pdpTimeout: 60000', workers);
      const answer = call(service.port, { body: BODY });
      answer.catch(() => undefined);
      await eventually(() => pdp.seen.asked > 0);
      service.signal('SIGTERM');
      const { code, stdout } = await service.ended;
      expect(code).toBe(1);
      expect(stdout).toContain('Requests cut off: not finished within drainTimeout');
      await expect(answer).rejects.toThrow('socket hang up');
    },
  );
});

describe('the port of the metrics', () => {
  test('is served beside the other one, until the process ends', async () => {
    const port = await freePort();
    const metrics = [`metrics: { host: 127.0.0.1, port: ${port} }`];
    const service = await servingWith(await startStub(NO_RULES), ...metrics);
    await call(service.port, { body: BODY });
    await eventually(async () =>
      (await get(port, '/metrics')).text.includes(
        'authz_jsonmasking_requests_total{method="POST",route="/enforce",status="200"} 1',
      ),
    );
    expect((await get(service.port, '/metrics')).status).toBe(404);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('has what all workers count, taken together', async () => {
    const port = await freePort();
    const metrics = [`metrics: { host: 127.0.0.1, port: ${port} }`, 'workers: 2'];
    const service = await servingWith(await startStub(NO_RULES), ...metrics);
    await Promise.all(Array.from({ length: 10 }, () => call(service.port, { body: BODY })));
    await eventually(async () =>
      (await get(port, '/metrics')).text.includes('authz_jsonmasking_records_total 10\n'),
    );
    const { text } = await get(port, '/metrics');
    expect(text).toContain('authz_jsonmasking_max_in_flight_requests 512\n');
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('must be free', async () => {
    const { port } = await startStub();
    const lines = ['port: 0', 'pdpUrl: pdp:1', `metrics: { host: 127.0.0.1, port: ${port} }`];
    expect(await run('-c', await fileWith(lines.join('\n')))).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE).\n`,
    });
  });
});

describe('the port of explanations', () => {
  test.each(['workers: 1', 'workers: 2'])('is served beside the other one: %s', async (workers) => {
    const port = await freePort();
    const explaining = [`explain: { host: 127.0.0.1, port: ${port} }`, workers];
    const service = await servingWith(await startStub(NO_RULES), ...explaining);
    const answer = await call(port, { path: '/explain', body: BODY });
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('{"payload":[{"a":1}],') });
    expect((await call(service.port, { path: '/explain', body: BODY })).status).toBe(404);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});

test('the ports for operators are those of their hosts alone', async () => {
  const keys = ['health', 'metrics', 'explain'];
  const ports = await Promise.all(keys.map(() => freePort()));
  const lines = keys.map((key, at) => `${key}: { host: 127.0.0.1, port: ${ports[at]} }`);
  await servingWith(await startStub(NO_RULES), ...lines);
  const answers = ['127.0.0.1', '127.0.0.2'].map((host) =>
    Promise.all(ports.map((port) => isListening(host, port))),
  );
  expect(await Promise.all(answers)).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
});

async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  const answer = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return answer.finally(() => socket.destroy());
}

describe('the port of the health', () => {
  test.each([[['workers: 1']], [['workers: 2']]])(
    'serves it beside the other one, until the process ends: %j',
    async (lines) => {
      const port = await freePort();
      const service = await servingWith(
        await startStub(NO_RULES),
        'drainDelay: 600000',
        'drainTimeout: 700000',
        `health: { host: 127.0.0.1, port: ${port} }`,
        ...lines,
      );
      expect((await get(port, '/health/liveness')).status).toBe(200);
      await eventually(async () => (await get(port, '/health/readiness')).status === 200);
      expect((await get(port, '/metrics')).status).toBe(404);
      expect((await call(port, { body: BODY })).status).toBe(404);
      expect((await get(service.port, '/health/readiness')).status).toBe(200);
      service.signal('SIGTERM');
      await eventually(async () => (await get(port, '/health/readiness')).status === 503);
      expect((await get(port, '/health/liveness')).status).toBe(200);
      expect((await call(service.port, { body: BODY })).status).toBe(200);
      service.signal('SIGINT');
      expect((await service.ended).code).toBe(0);
    },
  );

  test('has no metrics if these have a port of their own', async () => {
    const [port, other] = [await freePort(), await freePort()];
    const lines = [
      `health: { host: 127.0.0.1, port: ${port} }`,
      `metrics: { host: 127.0.0.1, port: ${other} }`,
    ];
    const service = await servingWith(await startStub(NO_RULES), ...lines);
    expect((await get(port, '/metrics')).status).toBe(404);
    expect((await get(other, '/metrics')).status).toBe(200);
    expect((await get(other, '/health/liveness')).status).toBe(404);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('may be that of the metrics', async () => {
    const port = await freePort();
    const keys = [
      `health: { host: 127.0.0.1, port: ${port} }`,
      `metrics: { host: 127.0.0.1, port: ${port} }`,
    ];
    const service = await servingWith(await startStub(NO_RULES), ...keys);
    expect((await get(port, '/health/readiness')).status).toBe(200);
    expect((await get(port, '/metrics')).text).toContain('authz_jsonmasking_build_info');
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  test('needs no certificate though callers do', async () => {
    const authority = await createAuthority();
    const { cert, key } = await authority.issue('127.0.0.1');
    const folder = await folderWith({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert });
    const files = `certFile: ${folder}/tls.crt, keyFile: ${folder}/tls.key, clientCaFile: ${folder}/ca.crt`;
    const port = await freePort();
    const service = await servingWith(
      await startStub(NO_RULES),
      `health: { host: 127.0.0.1, port: ${port} }`,
      `tls: { ${files}, clientCertificates: require }`,
    );
    expect((await get(port, '/health/readiness')).status).toBe(200);
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});

describe('TLS files that are no good', () => {
  test.each([[[]], [['--check']]])(
    'end the process with their keys and lines %s',
    async (options: readonly string[]) => {
      const folder = await folderWith({
        'config.yaml': 'port: 0\npdpUrl: pdp:1\ntls: { certFile: tls.crt, keyFile: tls.key }\n',
        'tls.crt': 'no certificate',
        'tls.key': 'no key',
      });
      expect(await run('-c', `${folder}/config.yaml`, ...options)).toEqual({
        code: 1,
        stdout: '',
        stderr: [
          `${folder}/config.yaml: 2 problems`,
          `  line 3: tls.certFile names ${folder}/tls.crt, which holds no certificate in PEM`,
          `  line 3: tls.keyFile names ${folder}/tls.key, which holds no private key in PEM, or one with a password\n`,
        ].join('\n'),
      });
    },
  );
});

describe('files that the configuration names', () => {
  test('are all verified by --check, whatever is wrong with one of them', async () => {
    const folder = await folderWith({
      'config.yaml': [
        'port: 0',
        'policyFile: none.yaml',
        'maskKeys:',
        '  a: { file: none.key }',
        'tls:',
        '  certFile: none.crt',
        '  keyFile: none.pem\n',
      ].join('\n'),
    });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        `${folder}/config.yaml: 4 problems`,
        `  line 2: policyFile names ${folder}/none.yaml, which cannot be read: it does not exist`,
        `  line 4: maskKeys.a.file names ${folder}/none.key, which cannot be read: it does not exist`,
        `  line 6: tls.certFile names ${folder}/none.crt, which cannot be read: it does not exist`,
        `  line 7: tls.keyFile names ${folder}/none.pem, which cannot be read: it does not exist\n`,
      ].join('\n'),
    });
  });

  test('are read up to a bound, all of them: those without an end, too', async () => {
    const endless = '/dev/zero';
    const tooLarge = 'which cannot be read: it has more than 64 MB';
    const folder = await folderWith({
      'config.yaml': [
        'port: 0',
        `policyFile: ${endless}`,
        `maskKeys: { a: { file: ${endless} } }`,
        `tls: { certFile: ${endless}, keyFile: ${endless} }\n`,
      ].join('\n'),
      'pdp.yaml': `port: 0\npdpUrl: https://pdp.example\npdpTls: { caFile: ${endless} }\n`,
    });
    const results = await Promise.all(
      [`${folder}/config.yaml`, `${folder}/pdp.yaml`, endless].map((file) => run('-c', file, '--check')),
    );
    expect(results.map(({ stderr }) => stderr.trimEnd().split('\n').slice(-4))).toEqual([
      [
        `  line 2: policyFile names ${endless}, ${tooLarge}`,
        `  line 3: maskKeys.a.file names ${endless}, ${tooLarge}`,
        `  line 4: tls.certFile names ${endless}, ${tooLarge}`,
        `  line 4: tls.keyFile names ${endless}, ${tooLarge}`,
      ],
      [
        `${folder}/pdp.yaml: 1 problem`,
        `  line 3: pdpTls.caFile ${endless} cannot be read: it has more than 64 MB`,
      ],
      [`${endless} cannot be read: it has more than 64 MB`],
    ]);
  });

  test('are not named if only the policy file is wrong', async () => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: p.yaml\n',
      'p.yaml': 'policies: []\n',
    });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({
      code: 1,
      stderr: `${folder}/p.yaml: 1 problem\n  line 1: policies must have at least one element\n`,
    });
  });

  test('are named apart from what is wrong in the policy file', async () => {
    const folder = await folderWith({
      'config.yaml': 'port: 0\npolicyFile: p.yaml\nmaskKeys: { a: { file: none.key } }\n',
      'p.yaml': 'policies: []\n',
    });
    expect(await run('-c', `${folder}/config.yaml`, '--check')).toMatchObject({
      code: 1,
      stderr: [
        `${folder}/config.yaml: 1 problem`,
        `  line 3: maskKeys.a.file names ${folder}/none.key, which cannot be read: it does not exist`,
        `${folder}/p.yaml: 1 problem`,
        `  line 1: policies must have at least one element\n`,
      ].join('\n'),
    });
  });

  test.each([[[]], [['--check']]])(
    'are named with their line: a policy file %s',
    async (options: readonly string[]) => {
      const folder = await folderWith({ 'config.yaml': 'port: 0\npolicyFile: none.yaml\n' });
      expect(await run('-c', `${folder}/config.yaml`, ...options)).toMatchObject({
        code: 1,
        stderr: `${folder}/config.yaml: 1 problem\n  line 2: policyFile names ${folder}/none.yaml, which cannot be read: it does not exist\n`,
      });
    },
  );

  test.each([1, 2])(
    'are named with their line if they are found when the service starts, with workers: %d',
    async (workers) => {
      const folder = await folderWith({
        'config.yaml': `port: 0\nworkers: ${workers}\npdpUrl: https://pdp.example\npdpTls:\n  caFile: ca.crt\n`,
        'ca.crt': 'no certificate',
      });
      const { code, stderr } = await run('-c', `${folder}/config.yaml`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/config\.yaml: 1 problem\n {2}line 5: pdpTls\.caFile /);
    },
  );

  test.each([[[]], [['--check']]])(
    'are named with their line: those of pdpTls %s',
    async (options: readonly string[]) => {
      const folder = await folderWith({
        'config.yaml':
          'port: 0\npdpUrl: https://pdp.example\npdpTls:\n  caFile: none.crt\n  certFile: c.crt\n  keyFile: none.key\n',
        'c.crt': '',
      });
      expect(await run('-c', `${folder}/config.yaml`, ...options)).toMatchObject({
        code: 1,
        stderr: [
          `${folder}/config.yaml: 2 problems`,
          `  line 4: pdpTls.caFile ${folder}/none.crt cannot be read: it does not exist`,
          `  line 6: pdpTls.keyFile ${folder}/none.key cannot be read: it does not exist\n`,
        ].join('\n'),
      });
    },
  );
});

test.each([[[]], [['--check']]])(
  'a key of hashes that cannot be used ends the process with the configuration file and the key %s',
  async (options: readonly string[]) => {
    const folder = await folderWith({
      'config.yaml':
        'port: 0\npdpUrl: pdp:1\nmaskKeys: { a: { file: short.key }, b: { file: no-such.key } }\n',
      'short.key': 'planted',
    });
    expect(await run('-c', `${folder}/config.yaml`, ...options)).toMatchObject({
      code: 1,
      stderr: [
        `${folder}/config.yaml: 2 problems`,
        `  line 3: maskKeys.a.file names ${folder}/short.key, which has 7 bytes: a key has at least 32`,
        `  line 3: maskKeys.b.file names ${folder}/no-such.key, which cannot be read: it does not exist\n`,
      ].join('\n'),
    });
  },
);

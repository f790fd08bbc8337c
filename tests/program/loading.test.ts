import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WatchedProgram } from './loaded.ts';

const LOOPBACK = '127.0.0.1';
const POLICIES = 'policies: [{ name: SSN, properties: [ssn], action: MASK }]\n';
const REMOTE = { host: LOOPBACK, pdpUrl: `${LOOPBACK}:9` };

/** What reading a right configuration takes. */
const READING = ['commander', 'lodash', 'yaml'];
/** Modules of Node that take long to load, and that only some configurations need. */
const COSTLY = ['tls', 'https', 'http2', 'child_process', 'cluster', 'readline', 'sqlite', 'inspector'];
/** What only the service needs. */
const OF_THE_SERVICE = ['http', 'crypto', 'fs/promises', 'perf_hooks'];
/** What only some configurations need. */
const OPTIONAL = [
  '@grpc/grpc-js',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  'iconv-lite',
  'form-data',
  'jose',
  'prom-client',
  'protobufjs',
];

let program: WatchedProgram;
let policies = '';

beforeAll(async () => {
  program = await WatchedProgram.create();
  policies = await program.write('policies.yaml', POLICIES);
});

afterAll(() => program.remove());

describe('the program loads no more than it needs', () => {
  test.each([['--version'], ['--help'], ['completion', 'bash']])('for %s', async (...args) => {
    const { packages, folders, modules } = await program.run(...args);
    expect(packages).toEqual(['commander']);
    expect([...folders].toSorted()).toEqual(['src', 'src/process', 'src/process/workers']);
    expect(modules).not.toEqual(expect.arrayContaining(['http']));
    expect(COSTLY.filter((name) => modules.includes(name))).toEqual([]);
  });

  test('for --check', async () => {
    const config = await program.write('plain.yaml', `port: 0\npdpUrl: ${REMOTE.pdpUrl}\n`);
    const { packages, folders, modules } = await program.run('-c', config, '--check');
    expect(packages).toEqual(READING);
    expect([...folders].filter((folder) => /core\/(?:plan|walk)|embedded|decisions/u.test(folder))).toEqual(
      [],
    );
    expect([...COSTLY, ...OF_THE_SERVICE].filter((name) => modules.includes(name))).toEqual([]);
  });

  test('for enforce', async () => {
    const payload = await program.write('payload.json', '{"ssn":"1"}');
    const { packages, modules } = await program.run('enforce', '-p', policies, '--as', 'Agent/jane', payload);
    expect(packages).toEqual([...READING, 'jose', 'lru-cache', 'zod'].toSorted());
    expect([...COSTLY, ...OF_THE_SERVICE].filter((name) => modules.includes(name))).toEqual([]);
  });

  test('for a service with the plainest configuration', async () => {
    const { packages, folders, modules } = await program.serve(REMOTE);
    expect(packages).toEqual(expect.arrayContaining([...READING, 'axios', 'express', 'undici', 'winston']));
    expect(OPTIONAL.filter((name) => packages.includes(name))).toEqual([]);
    expect([...folders].filter((folder) => /embedded|playground|command-line/u.test(folder))).toEqual([]);
    expect(['tls', 'https', 'http2'].filter((name) => modules.includes(name))).toEqual([]);
  });
});

describe('a service loads what its configuration asks for', () => {
  const issuer = { issuer: 'http://127.0.0.1:9', audience: 'api' };

  test.each([
    ['metrics', { metrics: { port: 29_464, host: LOOPBACK } }, 'prom-client'],
    ['traces', { tracing: { endpoint: 'http://127.0.0.1:9' } }, '@opentelemetry/sdk-trace'],
    ['the external processor', { extProc: { port: 0, host: LOOPBACK } }, '@grpc/grpc-js'],
    ['tokens', { identity: { jwt: issuer } }, 'jose'],
  ])('%s', async (_feature, keys, expected) => {
    const { packages } = await program.serve({ ...REMOTE, ...keys });
    expect(packages).toContain(expected);
  });

  test.each([
    [
      'the proxy',
      { ...REMOTE, proxy: { port: 0, host: LOOPBACK, upstream: 'http://127.0.0.1:9' } },
      'places/proxy',
    ],
    ['OPA', { ...REMOTE, pdpUrl: 'http://127.0.0.1:9/v1/data/a', pdpProtocol: 'opa' }, 'pdp/protocols/opa'],
    ['AuthZEN', { ...REMOTE, pdpProtocol: 'authzen' }, 'pdp/protocols/authzen'],
    ['a policy file', { host: LOOPBACK, policyFile: 'policies.yaml' }, 'pdp/protocols/embedded'],
  ])('%s', async (_feature, configuration, folder) => {
    const { folders } = await program.serve(configuration);
    expect(folders).toContain(`src/${folder}`);
  });
});

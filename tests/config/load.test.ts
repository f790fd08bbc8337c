import { hash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ALGORITHMS } from '../../src/identity/algorithms.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { fileHashOf, loadConfiguration } from '../../src/config/open.ts';

const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

function inEtc(name: string): string {
  return path.resolve('etc', name);
}

function parse(text: string) {
  return parseConfiguration(text, { file: 'config.yaml' });
}

describe('parseConfiguration', () => {
  test('applies every default', () => {
    expect(parse(MINIMAL)).toEqual({
      port: 5002,
      workers: 1,
      pdpUrl: 'pdp:8080',
      pdpResolutionPath: '/api/runtime/resolution/v3',
      pdpTokenPath: '/api/runtime/token/v3',
      pdpTimeout: 5000,
      log: { level: 'info', format: 'json' },
      maxBody: 4,
      maxDepth: 512,
      maxInFlight: 256,
      maxStreams: 256,
      maxInFlightBody: 64,
      headersTimeout: 10_000,
      bodyTimeout: 30_000,
      extProc: {},
      pdpProtocol: 'resolution',
      pdpAction: 'read',
      pdpContext: {},
      pdpHeaders: [],
      bareDecision: 'refuse',
      authzen: { obligations: false, batch: 50 },
      answerTimeout: 30_000,
      keepAliveTimeout: 75_000,
      drainDelay: 5000,
      drainTimeout: 25_000,
      identity: { required: false, jwt: { algorithms: [...ALGORITHMS], clockTolerance: 0 } },
      proxy: { timeout: 30_000 },
      routes: [],
      otherwise: {},
      trustedHeaders: [],
      tls: { clientCertificates: 'none' },
      health: {},
      metrics: {},
      explain: { host: '127.0.0.1' },
      maxExplained: 10_000,
      report: false,
      pdpTls: {},
      pdpBreaker: {
        enabled: true,
        failurePercentage: 50,
        minimumCalls: 20,
        window: 10_000,
        probeAfter: 1000,
      },
      pdpCache: { enabled: false, maxEntries: 10_000, maxSize: 64, maxAge: 300_000 },
      tracing: { serviceName: 'authz-jsonmasking', sampleRatio: 1 },
      audit: false,
      assetType: 'columns',
      maskString: '***',
      maskShort: false,
      maskKeys: {},
      filter: false,
      filterDefault: 'deny',
    });
  });

  test('reads the example of the Kubernetes form', () => {
    const text = [
      'port: 5002',
      'pdpHost: pdp',
      'pdpPort: 8080',
      'log: { level: info }',
      'maxBody: 4',
      'rootWord: result',
      'assetType: columns',
      'attrName: column',
      'object: table',
      'filter: true',
    ].join('\n');
    expect(parse(text)).toMatchObject({
      port: 5002,
      pdpHost: 'pdp',
      pdpPort: 8080,
      log: { level: 'info' },
      rootWord: 'result',
      attrName: 'column',
      object: 'table',
      filter: true,
    });
  });

  test('takes null, and nothing after the colon, as not given', () => {
    const text = `${MINIMAL}policyFile: null\nmaskString:\nrootWord: ~\nlog:\n`;
    expect(parse(text)).toEqual(parse(MINIMAL));
  });

  test('takes null within a group, and flat, as not given', () => {
    const text = `${MINIMAL}log:\n  level: null\n  format: text\nlog.level:\n`;
    expect(parse(text).log).toEqual({ level: 'info', format: 'text' });
  });

  test.each([
    ['flat', 'log.level: debug\nlog.format: text\n'],
    ['nested', 'log:\n  level: debug\n  format: text\n'],
    ['flat beside nested', 'log.level: debug\nlog:\n  format: text\n'],
    ['both with the same value', 'log.level: debug\nlog: { level: debug, format: text }\n'],
  ])('reads the log keys written %s', (_, text) => {
    expect(parse(MINIMAL + text).log).toEqual({ level: 'debug', format: 'text' });
  });

  test('makes policyFile absolute from the folder of the configuration file', () => {
    const text = 'port: 0\npolicyFile: policies/demo.yaml\n';
    const { policyFile } = parseConfiguration(text, { file: path.join('etc', 'config.yaml') });
    expect(policyFile).toBe(path.resolve('etc', 'policies', 'demo.yaml'));
  });

  test('makes the files of TLS absolute, too', () => {
    const text = `port: 0
pdpUrl: https://pdp/api
pdpTls: { caFile: pdp-ca.pem, certFile: client.pem, keyFile: client-key.pem }
tls: { certFile: cert.pem, keyFile: key.pem, clientCaFile: clients.pem, clientCertificates: require }
`;
    const { pdpTls, tls } = parseConfiguration(text, { file: path.join('etc', 'config.yaml') });
    expect(pdpTls).toEqual({
      caFile: inEtc('pdp-ca.pem'),
      certFile: inEtc('client.pem'),
      keyFile: inEtc('client-key.pem'),
    });
    expect(tls).toMatchObject({
      certFile: inEtc('cert.pem'),
      keyFile: inEtc('key.pem'),
      clientCaFile: inEtc('clients.pem'),
    });
  });

  test('leaves an absolute policyFile as it is', () => {
    const file = path.resolve('elsewhere', 'policies.yaml');
    expect(parse(`port: 0\npolicyFile: ${JSON.stringify(file)}\n`).policyFile).toBe(file);
  });

  test('accepts pdpHost beside pdpUrl', () => {
    expect(parse(`${MINIMAL}pdpHost: other\n`)).toMatchObject({ pdpUrl: 'pdp:8080', pdpHost: 'other' });
  });

  test('accepts an empty mask string', () => {
    expect(parse(`${MINIMAL}maskString: ""\n`).maskString).toBe('');
  });

  test('accepts a document start and end, comments and a byte order mark', () => {
    expect(parse(`\uFEFF# comment\n---\n${MINIMAL}...\n`)).toEqual(parse(MINIMAL));
  });
});

describe('loadConfiguration', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'configuration-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function fileWith(content: string | Uint8Array): Promise<string> {
    const file = path.join(folder, 'config.yaml');
    await writeFile(file, content);
    return file;
  }

  test('reads a file', async () => {
    const file = await fileWith('port: 0\npolicyFile: policies.yaml\n');
    const { policyFile } = await loadConfiguration(file);
    expect(policyFile).toBe(path.join(folder, 'policies.yaml'));
  });

  test('refuses a key that is given twice, though either value is right', async () => {
    const file = await fileWith(`${MINIMAL}filter: true\nfilter: false\n`);
    await expect(loadConfiguration(file)).rejects.toThrow(
      'line 4: filter is given twice; the first is on line 3',
    );
  });

  test.each([
    ['one that only the schema can read', `${MINIMAL}log.level: debug\n`],
    ['a plain one', MINIMAL],
  ])('takes a default only for a key that the file lacks: %s', async (_which, text) => {
    const file = await fileWith(text);
    const configuration = await loadConfiguration(file, { port: 7, maxBody: 7 });
    expect(configuration).toMatchObject({ port: 5002, maxBody: 7 });
  });

  test('names the file and the problem on two lines', async () => {
    const file = await fileWith('port: -1\npdpUrl: pdp:8080\n');
    await expect(loadConfiguration(file)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: `${file}: 1 problem\n  line 1: port must be an integer from 0 to 65535`,
      problems: [{ line: 1, key: 'port', message: 'must be an integer from 0 to 65535' }],
    });
  });

  test('says in one line that the file does not exist', async () => {
    const file = path.join(folder, 'absent.yaml');
    await expect(loadConfiguration(file)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: `${file} cannot be read: it does not exist`,
      problems: [{ key: '', message: 'cannot be read: it does not exist' }],
    });
  });

  test('says in one line that the file is a folder', async () => {
    const file = path.join(folder, 'config.d');
    await mkdir(file);
    await expect(loadConfiguration(file)).rejects.toThrow(`${file} cannot be read: it is a folder`);
  });

  test('says in one line that the path leads through a file', async () => {
    const file = path.join(await fileWith(MINIMAL), 'config.yaml');
    await expect(loadConfiguration(file)).rejects.toThrow(`${file} cannot be read: ENOTDIR`);
  });

  test.each([
    ['one that only the schema can read', `${MINIMAL}log.level: debug\n`],
    ['a plain one', MINIMAL],
  ])('reads no other file than the one with a hash, if there is one: %s', async (_which, text) => {
    const file = await fileWith(text);
    const configuration = await loadConfiguration(file, {}, hash('sha256', text));
    expect(fileHashOf(configuration)).toBe(hash('sha256', text));
    await expect(loadConfiguration(file, {}, hash('sha256', `${text}\n`))).rejects.toThrow(
      `${file} is not the file that the service is to start with (--config-sha256): it has changed since, or has not arrived yet`,
    );
  });

  test('says in one line that the file is not UTF-8', async () => {
    const file = await fileWith(Uint8Array.of(0x61, 0xff));
    await expect(loadConfiguration(file)).rejects.toThrow(`${file} cannot be read: it is not UTF-8 text`);
  });

  test('reads a file that may only be read', async () => {
    const file = await fileWith(MINIMAL);
    await chmod(file, 0o400);
    await expect(loadConfiguration(file)).resolves.toMatchObject({ port: 5002 });
  });
});

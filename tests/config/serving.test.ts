import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isLoopback } from '../../src/config/listeners.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

/** A configuration with nothing wrong, to which each test adds something from line 3 on. */
const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

describe('the keys of tls', () => {
  test('are refused without a certificate, which they are about', () => {
    const problem =
      'line 3: tls.certFile is required with the other keys of tls: without it, the service listens without TLS';
    expect(problemsIn(`${MINIMAL}tls: { keyFile: tls.key }\n`)).toEqual([problem]);
    expect(problemsIn(`${MINIMAL}tls: { clientCertificates: none }\n`)).toEqual([problem]);
    expect(problemsIn(`${MINIMAL}tls: { clientCaFile: ca.crt }\n`)).toContain(problem);
  });

  test('are refused with a certificate but no key', () => {
    expect(problemsIn(`${MINIMAL}tls: { certFile: tls.crt }\n`)).toEqual([
      'line 3: tls.keyFile is required with tls.certFile',
    ]);
  });

  const withKey = `${MINIMAL}tls:\n  certFile: tls.crt\n  keyFile: tls.key\n`;

  test('are refused if they require certificates and name no authority', () => {
    expect(problemsIn(`${withKey}  clientCertificates: require\n`)).toEqual([
      'line 3: tls.clientCaFile is required with tls.clientCertificates: it verifies the certificates of clients',
    ]);
  });

  test('are refused if they name an authority and require no certificates', () => {
    expect(problemsIn(`${withKey}  clientCaFile: ca.crt\n`)).toEqual([
      'line 3: tls.clientCertificates must be request or require with tls.clientCaFile, which has no effect otherwise',
    ]);
  });

  test('name files relative to the configuration', () => {
    const text = `${withKey}  clientCaFile: /ca/ca.crt\n  clientCertificates: request\n`;
    const { tls } = parseConfiguration(text, { file: '/etc/authorizer/config.yaml' });
    expect(tls).toEqual({
      certFile: path.resolve('/etc/authorizer/tls.crt'),
      keyFile: path.resolve('/etc/authorizer/tls.key'),
      clientCaFile: path.resolve('/ca/ca.crt'),
      clientCertificates: 'request',
    });
  });
});

test('a host for health is refused without its port', () => {
  expect(problemsIn(`${MINIMAL}health.host: 127.0.0.1\n`)).toEqual([
    'line 3: health.port is required with health.host',
  ]);
});

describe('two listeners on one port', () => {
  const TAKEN = 'metrics.port must differ from port: two listeners cannot share a port';
  const HEALTHY = 'health.port must differ from port: two listeners cannot share a port';

  test.each([
    ['metrics: { port: 5002 }', [TAKEN]],
    ['health: { port: 5002 }', [HEALTHY]],
    ['host: 127.0.0.1\nmetrics: { port: 5002, host: 127.0.0.1 }', [TAKEN]],
    ['host: 127.0.0.1\nmetrics: { port: 5002, host: 0.0.0.0 }', [TAKEN]],
    ['metrics: { port: 5002 }\nhealth: { port: 5002 }', [TAKEN, HEALTHY]],
    ['explain: { port: 5002 }', ['explain.port must differ from port: two listeners cannot share a port']],
    [
      'extProc: { port: 5002 }\notherwise: { pass: true }',
      ['extProc.port must differ from port: two listeners cannot share a port'],
    ],
    [
      'extProc: { port: 5003 }\nproxy: { port: 5003, upstream: "http://a" }\notherwise: { pass: true }',
      ['extProc.port must differ from proxy.port: two listeners cannot share a port'],
    ],
    [
      'metrics: { port: 5003, host: 127.0.0.1 }\nhealth: { port: 5003 }',
      ['health.host must be metrics.host, as both are on one port'],
    ],
  ])('are refused: %j', (lines, problems) => {
    const found = problemsIn(`pdpUrl: pdp:1\nport: 5002\n${lines}\n`);
    expect(found.map((problem) => problem.replace(/^line \d+: /u, '')).toSorted()).toEqual(
      problems.toSorted(),
    );
  });

  test.each([
    'metrics: { port: 5003 }\nhealth: { port: 5003 }',
    'metrics: { port: 5003, host: 127.0.0.1 }\nhealth: { port: 5003, host: 127.0.0.1 }',
    'metrics: { port: 5003, host: 127.0.0.1 }\nhealth: { port: 5003, host: 10.0.0.1 }',
    'host: 127.0.0.1\nhealth: { port: 5002, host: 10.0.0.1 }',
    'metrics: { port: 5003 }\nhealth: { port: 5004 }',
  ])('may have addresses of their own, and health and metrics may share one: %j', (lines) => {
    const text = `pdpUrl: pdp:1\nport: 5002\n${lines}\n`;
    expect(() => parseConfiguration(text, { file: 'config.yaml' })).not.toThrow();
  });
});

test('a host for explanations is refused without their port', () => {
  expect(problemsIn(`${MINIMAL}explain.host: 127.0.0.1\n`)).toEqual([
    'line 3: explain.port is required with explain.host',
  ]);
});

test('a host for metrics is refused without their port', () => {
  expect(problemsIn(`${MINIMAL}metrics.host: 127.0.0.1\n`)).toEqual([
    'line 3: metrics.port is required with metrics.host',
  ]);
});

test('a delay that leaves no time to finish is refused, also if only one of the two is given', () => {
  expect(problemsIn(`${MINIMAL}drainDelay: 25000\n`)).toEqual([
    'drainTimeout must be more than drainDelay, which is a part of it',
  ]);
});

test.each([
  'localhost',
  'LocalHost',
  '127.0.0.1',
  '127.1.2.3',
  '::1',
  '::ffff:127.0.0.1',
  '::FFFF:127.0.0.1',
])('only the same machine can connect to %s', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  '0.0.0.0',
  '::',
  '::10',
  '127.0.0.1.example',
  '10.127.0.0.1',
  'localhost.example',
  '::ffff:10.0.0.1',
])('other machines may connect to %s', (host) => {
  expect(isLoopback(host)).toBe(false);
});

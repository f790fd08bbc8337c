import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

/** A configuration with nothing wrong, to which each test adds something from line 3 on. */
const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

describe('the keys of tls', () => {
  test('are refused without a certificate, which they are about', () => {
    const problem = 'tls.certFile is required for HTTPS; without it, the rest of tls means nothing';
    expect(problemsIn(`${MINIMAL}tls: { keyFile: tls.key }\n`)).toEqual([problem]);
    expect(problemsIn(`${MINIMAL}tls: { clientCertificates: none }\n`)).toEqual([problem]);
  });

  test('are refused with a certificate but no key', () => {
    expect(problemsIn(`${MINIMAL}tls: { certFile: tls.crt }\n`)).toEqual([
      'tls.keyFile is required with tls.certFile',
    ]);
  });

  const withKey = `${MINIMAL}tls:\n  certFile: tls.crt\n  keyFile: tls.key\n`;

  test('are refused where certificates are asked for that nothing could tell from bad ones', () => {
    expect(problemsIn(`${withKey}  clientCertificates: require\n`)).toEqual([
      'tls.clientCaFile is required to tell good client certificates from bad ones',
    ]);
  });

  test('are refused where an authority is given and nobody is asked for a certificate', () => {
    expect(problemsIn(`${withKey}  clientCaFile: ca.crt\n`)).toEqual([
      'tls.clientCertificates must be request or require with tls.clientCaFile, which is of no use otherwise',
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

test('a host for metrics is refused without their port', () => {
  expect(problemsIn(`${MINIMAL}metrics.host: 127.0.0.1\n`)).toEqual([
    'metrics.port is required with metrics.host',
  ]);
});

test('a delay that leaves no time to finish is refused, also where only one of the two is given', () => {
  expect(problemsIn(`${MINIMAL}drainDelay: 25000\n`)).toEqual([
    'drainTimeout must be more than drainDelay, which is a part of it',
  ]);
});

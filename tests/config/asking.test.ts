import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import type { Configuration } from '../../src/config/schema.ts';
import { problemsIn } from './problems.ts';

const MINIMAL = 'port: 5002\npdpUrl: https://pdp:8443\n';

function read(text: string): Configuration {
  return parseConfiguration(text, { file: '/etc/authz/config.yaml' });
}

describe('the keys of asking the PDP', () => {
  test('take files relative to the folder of the configuration', () => {
    const files = '{ caFile: ca.crt, certFile: ../tls.crt, keyFile: /run/tls.key }';
    expect(read(`${MINIMAL}pdpTls: ${files}\n`).pdpTls).toEqual({
      caFile: '/etc/authz/ca.crt',
      certFile: '/etc/tls.crt',
      keyFile: '/run/tls.key',
    });
  });

  test.each([
    ['pdpTls: { certFile: a }', 'line 3: pdpTls.keyFile is required with pdpTls.certFile'],
    ['pdpTls.certFile: a', 'line 3: pdpTls.keyFile is required with pdpTls.certFile'],
    ['pdpTls: { keyFile: a }', 'line 3: pdpTls.certFile is required with pdpTls.keyFile'],
    [
      'pdpBreaker.failurePercentage: 100',
      'line 3: pdpBreaker.failurePercentage must be an integer from 1 to 99',
    ],
    [
      'pdpCache: true',
      'line 3: pdpCache must be a map of enabled, maxEntries, maxSize, maxAge, but is true or false',
    ],
    ['tracing.sampleRatio: 1.5', 'line 3: tracing.sampleRatio must be a number from 0 to 1'],
    [
      'tracing.endpoint: otel-collector:4318',
      'line 3: tracing.endpoint must be a URL that begins with http:// or https://, such as http://otel-collector:4318',
    ],
    [
      'tracing.endpoint: http://collector/?token=a',
      'line 3: tracing.endpoint must not have a query or fragment',
    ],
    ...['http://user:secret@collector', 'http://:secret@collector', 'http://user@collector'].map((url) => [
      `tracing.endpoint: ${url}`,
      'line 3: tracing.endpoint must not carry a user name or password: the configuration is no place for secrets',
    ]),
  ])('refuse %s', (line, problem) => {
    expect(problemsIn(`${MINIMAL}${line}\n`)).toEqual([problem]);
  });

  test.each(['pdpUrl: pdp:8080', 'pdpHost: pdp', 'policyFile: policies.yaml'])(
    'refuse pdpTls with %s, which is not over TLS',
    (line) => {
      expect(problemsIn(`port: 5002\n${line}\npdpTls.serverName: pdp\n`)).toEqual([
        expect.stringContaining('pdpTls needs a PDP over https'),
      ]);
    },
  );

  test.each(['pdpUrl: pdp:443', 'pdpHost: https://pdp', 'pdpHost: pdp\npdpPort: 443'])(
    'take pdpTls with %s, which is over TLS',
    (line) => {
      expect(read(`port: 5002\n${line}\npdpTls.serverName: pdp\n`).pdpTls.serverName).toBe('pdp');
    },
  );

  test('refuse a cache beside the embedded PDP', () => {
    expect(problemsIn('port: 5002\npolicyFile: policies.yaml\npdpCache.enabled: true\n')).toEqual([
      'line 3: pdpCache.enabled must be false with policyFile: the embedded PDP decides as fast as a cache answers',
    ]);
  });

  test.each(['10.0.0.1', "'::1'", "'*.pdp.example.com'", 'pdp example', 'pdp.', "''"])(
    'refuse the server name %s, which TLS cannot send',
    (name) => {
      expect(problemsIn(`port: 5002\npdpUrl: https://pdp\npdpTls.serverName: ${name}\n`)).toEqual([
        'line 3: pdpTls.serverName must be a host name such as pdp.internal; IP addresses and patterns are not allowed',
      ]);
    },
  );

  test.each(['pdp', 'pdp-1.example.com', '10.0.0.1.nip.io', '_pdp.7.a', 'xn--bcher-kva.example'])(
    'take the server name %s',
    (name) => {
      const text = `port: 5002\npdpUrl: https://pdp\npdpTls.serverName: ${name}\n`;
      expect(read(text).pdpTls.serverName).toBe(name);
    },
  );

  test('report only the missing PDP if pdpTls has none', () => {
    expect(problemsIn('port: 5002\npdpTls.serverName: pdp\n')).toEqual([
      expect.stringContaining('No PDP is configured'),
    ]);
  });
});

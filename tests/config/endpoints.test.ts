import { describe, expect, test } from '@jest/globals';
import { resolveEndpoints } from '../../src/config/endpoints.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

function endpointsOf(text: string): readonly string[] {
  const configuration = parseConfiguration(`port: 5002\n${text}\n`, { file: 'config.yaml' });
  const { resolution, token } = resolveEndpoints(configuration);
  return [resolution.href, token.href];
}

function atDefaultPaths(origin: string): readonly string[] {
  return [`${origin}/api/runtime/resolution/v3`, `${origin}/api/runtime/token/v3`];
}

describe('a PDP at a listener of the service itself is refused', () => {
  test.each([
    ['pdpUrl: localhost:5002', 'pdpUrl'],
    ['pdpUrl: "http://127.0.0.1:5002/resolve"', 'pdpUrl'],
    ['pdpUrl: "[::1]:5002"', 'pdpUrl'],
    ['pdpHost: localhost\npdpPort: 5002', 'pdpHost'],
    ['pdpHost: https://localhost\nhealth.port: 443', 'pdpHost'],
  ])('%s', (text, key) => {
    const problem = new RegExp(
      `^line 2: ${key} leads back to the service itself \\((?:health\\.)?port\\)$`,
      'u',
    );
    expect(problemsIn(`port: 5002\n${text}\n`)).toEqual([expect.stringMatching(problem)]);
  });

  test('and one at another port or on another machine is not', () => {
    expect(endpointsOf('pdpUrl: localhost:5003')).toEqual(atDefaultPaths('http://localhost:5003'));
    expect(endpointsOf('pdpUrl: pdp:5002')).toEqual(atDefaultPaths('http://pdp:5002'));
  });
});

describe('pdpUrl', () => {
  test('with a path is the resolution endpoint itself, and the token endpoint is on the same origin', () => {
    expect(endpointsOf('pdpUrl: https://pdp.example:8443/gateway/resolve')).toEqual([
      'https://pdp.example:8443/gateway/resolve',
      'https://pdp.example:8443/api/runtime/token/v3',
    ]);
  });

  test('with a path is combined with a configured token path', () => {
    expect(endpointsOf('pdpUrl: http://pdp/resolve\npdpTokenPath: /tokens')).toEqual([
      'http://pdp/resolve',
      'http://pdp/tokens',
    ]);
  });

  test.each([
    ['http://pdp:8080', 'http://pdp:8080'],
    ['HTTPS://pdp:8080', 'https://pdp:8080'],
    ['https://pdp', 'https://pdp'],
    ['https://pdp/', 'https://pdp'],
    ['http://pdp:443', 'http://pdp:443'],
    ['pdp:8080', 'http://pdp:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['pdp:443', 'https://pdp'],
    ['10.0.0.1:8080', 'http://10.0.0.1:8080'],
    ['"[::1]:8080"', 'http://[::1]:8080'],
  ])('%s gets both default paths', (value, origin) => {
    expect(endpointsOf(`pdpUrl: ${value}`)).toEqual(atDefaultPaths(origin));
  });

  test('without a path gets the configured paths', () => {
    expect(endpointsOf('pdpUrl: pdp:8080\npdpResolutionPath: /r\npdpTokenPath: /t')).toEqual([
      'http://pdp:8080/r',
      'http://pdp:8080/t',
    ]);
  });

  const NOT_A_URL =
    'must be a URL such as https://pdp.example.com/api/runtime/resolution/v3, or host:port with or without http:// or https://';

  test.each([
    ['pdp', NOT_A_URL],
    ['"pdp:"', NOT_A_URL],
    ['pdp:0', NOT_A_URL],
    ['pdp:http', NOT_A_URL],
    ['pdp:65536', NOT_A_URL],
    ['pdp:8080/api', NOT_A_URL],
    ['/api/runtime', NOT_A_URL],
    ['https:/pdp', NOT_A_URL],
    ['https:///pdp/api', NOT_A_URL],
    ['https://', NOT_A_URL],
    ['http://pdp/a b', NOT_A_URL],
    ['http://pdp\\api', NOT_A_URL],
    ['""', NOT_A_URL],
    ['ftp://pdp/api', 'must be reached over http:// or https://'],
    ['file:///etc/passwd', NOT_A_URL],
    ['https://pdp/api?key=1', 'must have no query and no fragment'],
    ['https://pdp/api#a', 'must have no query and no fragment'],
    [
      'https://user:hunter2@pdp/api',
      'must not carry a user name or password: the configuration is no place for secrets',
    ],
    [
      'https://:hunter2@pdp/api',
      'must not carry a user name or password: the configuration is no place for secrets',
    ],
    [
      'https://hunter2@pdp/api',
      'must not carry a user name or password: the configuration is no place for secrets',
    ],
    [
      'user:hunter2@pdp:80',
      'must not carry a user name or password: the configuration is no place for secrets',
    ],
  ])('%s is refused', (value, problem) => {
    expect(problemsIn(`port: 5002\npdpUrl: ${value}\n`)).toEqual([`line 2: pdpUrl ${problem}`]);
  });
});

describe('pdpHost', () => {
  test.each([
    ['pdp', 'http://pdp'],
    ['pdp\npdpPort: 8080', 'http://pdp:8080'],
    ['pdp\npdpPort: 443', 'https://pdp'],
    ['https://pdp\npdpPort: 8443', 'https://pdp:8443'],
    ['https://pdp', 'https://pdp'],
    ['https://pdp\npdpPort: 80', 'https://pdp:80'],
    ['http://pdp\npdpPort: 443', 'http://pdp:443'],
    ['"[::1]"\npdpPort: 8080', 'http://[::1]:8080'],
  ])('%j is combined with its port and both default paths', (value, origin) => {
    expect(endpointsOf(`pdpHost: ${value}`)).toEqual(atDefaultPaths(origin));
  });

  test('is combined with the configured paths', () => {
    expect(endpointsOf('pdpHost: pdp\npdpResolutionPath: /a/b\npdpTokenPath: /')).toEqual([
      'http://pdp/a/b',
      'http://pdp/',
    ]);
  });

  test('wins over pdpUrl', () => {
    expect(endpointsOf('pdpUrl: https://other/resolve\npdpHost: pdp')).toEqual(atDefaultPaths('http://pdp'));
  });

  const NOT_A_HOST =
    'must be a host such as pdp.example.com or https://pdp.example.com; a port belongs in pdpPort, paths in pdpResolutionPath and pdpTokenPath';

  test.each([
    ['pdp:8080', NOT_A_HOST],
    ['https://pdp:8443', NOT_A_HOST],
    ['https://pdp/', NOT_A_HOST],
    ['pdp/api', NOT_A_HOST],
    ['pdp?a', NOT_A_HOST],
    ['"pdp#a"', NOT_A_HOST],
    ['"::1"', NOT_A_HOST],
    ['a b', NOT_A_HOST],
    ['""', NOT_A_HOST],
    ['ftp://pdp', 'must be reached over http:// or https://'],
    ['user:hunter2@pdp', 'must not carry a user name or password: the configuration is no place for secrets'],
  ])('%s is refused', (value, problem) => {
    expect(problemsIn(`port: 5002\npdpHost: ${value}\n`)).toEqual([`line 2: pdpHost ${problem}`]);
  });
});

test('a path that looks like another host stays a path', () => {
  expect(endpointsOf('pdpHost: pdp\npdpTokenPath: /%2F/..%2Fother')).toEqual([
    'http://pdp/api/runtime/resolution/v3',
    'http://pdp/%2F/..%2Fother',
  ]);
});

test('the embedded PDP has no endpoints', () => {
  expect(() => endpointsOf('policyFile: policies.yaml')).toThrow('The configuration has no address of a PDP');
});

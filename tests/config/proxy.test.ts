import { describe, expect, test } from '@jest/globals';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn } from './problems.ts';

const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';
const PROXY = `${MINIMAL}proxy: { port: 8443, upstream: 'http://127.0.0.1:8080' }\n`;

describe('the proxy', () => {
  test.each([
    [
      'proxy: { port: 8443 }',
      'line 3: proxy.upstream is required with proxy.port: it is the URL of the application whose answers are enforced',
    ],
    ['proxy: { timeout: 5 }', 'line 3: proxy.port is required with proxy'],
    [
      'proxy: { port: 8443, upstream: "127.0.0.1:8080" }',
      'line 3: proxy.upstream must be http:// or https:// with a host and, if needed, a port, without a path: http://127.0.0.1:8080',
    ],
    [
      'proxy: { port: 8443, upstream: "http://a/b" }',
      'line 3: proxy.upstream must be http:// or https:// with a host and, if needed, a port, without a path: http://127.0.0.1:8080',
    ],
    ['proxy: { prot: 8443 }', 'line 3: proxy.prot is not a known key; the nearest one is proxy.port'],
    [
      'proxy: { port: 5002, upstream: "http://a" }',
      'line 3: proxy.port must differ from port: two listeners cannot share a port',
    ],
    ['routes: [{ path: /a, pass: true }]', 'line 3: routes needs proxy or extProc: /enforce has no routes'],
    ['otherwise: { pass: true }', 'line 3: otherwise needs proxy or extProc: /enforce has no routes'],
    ['trustedHeaders: [x-user]', 'line 3: trustedHeaders needs proxy or extProc: /enforce has no routes'],
    [
      'extProc: { host: 127.0.0.1 }\notherwise: { pass: true }',
      'line 3: extProc.port is required with extProc',
    ],
    [
      'extProc: { port: 9001 }\nproxy: { port: 8443, upstream: "http://a" }\notherwise: { vendor: { entityId: "${claims.sub}" } }',
      'line 5: identity.jwt is required for the ${claims.…} variables of routes and otherwise',
    ],
    [
      `proxy: { port: 8443, upstream: "http://a" }\notherwise: { vendor: { entityId: "\${claims['sub']}" } }`,
      'line 4: identity.jwt is required for the ${claims.…} variables of routes and otherwise',
    ],
    [
      'otherwise: { vendor: { entityId: "${claims.sub}" } }',
      'line 3: identity.jwt is required for the ${claims.…} variables of routes and otherwise',
    ],
  ])('%s is refused in words', (line, problem) => {
    expect(problemsIn(`${MINIMAL}${line}\n`)).toContain(problem);
  });

  test.each([
    ['upstream: "http://localhost:8443"', '', 'proxy.port'],
    ['upstream: "http://127.0.0.1:5002"', '', 'port'],
    ['upstream: "http://[::1]:5002"', '', 'port'],
    ['upstream: "http://0.0.0.0:5002"', 'host: 127.0.0.1', 'port'],
    ['upstream: "http://localhost:5002"', 'host: 127.0.0.1', 'port'],
    ['upstream: "http://10.0.0.1:5002"', 'host: 10.0.0.1', 'port'],
    ['upstream: "http://localhost"', 'metrics: { port: 80 }', 'metrics.port'],
  ])('%s is refused with %s if the service listens there', (upstream, more, key) => {
    expect(problemsIn(`${MINIMAL}proxy: { port: 8443, ${upstream} }\n${more}\n`)).toContain(
      `line 3: proxy.upstream leads back to the service itself (${key})`,
    );
  });

  test.each([
    ['upstream: "http://127.0.0.1:8080"', ''],
    ['upstream: "http://orders:5002"', ''],
    ['upstream: "http://127.0.0.1:5002"', 'host: 10.0.0.1'],
    ['upstream: "http://127.0.0.1"', 'host: 127.0.0.1'],
  ])('%s is accepted with %s', (upstream, more) => {
    const text = `${MINIMAL}proxy: { port: 8443, ${upstream} }\n${more}\n`;
    expect(() => parseConfiguration(text, { file: 'config.yaml' })).not.toThrow();
  });

  test.each(['proxy: { port: 8443, upstream: "http://a" }', 'extProc: { port: 8444 }'])(
    'routes are accepted with %s',
    (place) => {
      const text = `${MINIMAL}${place}\nroutes: [{ path: /a, pass: true }]\ntrustedHeaders: [x-user]\n`;
      expect(parseConfiguration(text, { file: 'config.yaml' }).routes).toHaveLength(1);
    },
  );
});

describe('a route', () => {
  test.each([
    ['- pth: /a', 'line 5: routes.0.pth is not a known key; the nearest one is routes.0.path'],
    [
      '- { path: /a, nonjson: pass }',
      'line 5: routes.0.nonjson is not a known key; the nearest one is routes.0.nonJson',
    ],
    ['- { path: /a, nonJson: maybe }', 'line 5: routes.0.nonJson must be one of refuse, pass'],
    ['- { path: /a, pass: "yes" }', 'line 5: routes.0.pass must be true or false, but is a string'],
    ['- path: a', 'line 5: routes.0.path must begin with /'],
    ['- { path: /a, methods: [] }', 'line 5: routes.0.methods must have at least one element'],
    ['- { path: /a, methods: [GTE] }', 'line 5: routes.0.methods.0 is not a method; the nearest one is GET'],
    [
      '- { path: /a, parameters: { rot: x } }',
      'line 5: routes.0.parameters.rot is not a known key; the nearest one is routes.0.parameters.root',
    ],
    [
      '- { path: /a, parameters: { root: "a..b" } }',
      expect.stringMatching(/^line 5: routes\.0\.parameters\.root is not a path: /u),
    ],
    [
      '- { path: /a, parameters: { maskString: "${claims.sub}" } }',
      'line 5: routes.0.parameters.maskString contains ${…}, but variables are not expanded; write the value itself',
    ],
    [
      '- { path: /a, vendor: { entityId: "${claim.sub}" } }',
      'line 5: routes.0.vendor.entityId has ${claim.sub}, which is not a variable; the nearest one is ${claims.sub}',
    ],
    [
      '- { path: /a, vendor: { entityId: "${claims.sub}" } }',
      'line 5: identity.jwt is required for the ${claims.…} variables of routes and otherwise',
    ],
  ])('%s is refused in words, with its line', (route, problem) => {
    expect(problemsIn(`${PROXY}routes:\n  ${route}\n`)).toContainEqual(problem);
  });

  test('that needs the claims of a token is named by the line of its first variable', () => {
    const routes =
      'routes:\n  - path: /a\n    pass: true\n  - path: /b\n    vendor:\n      scope: portal\n      ids:\n        - "${claims.sub}"\n';
    const otherwise = 'otherwise: { vendor: { entityId: "${claims.sub}" } }\n';
    expect(problemsIn(PROXY + otherwise + routes)).toEqual([
      'line 12: identity.jwt is required for the ${claims.…} variables of routes and otherwise',
    ]);
  });

  test('has its keys named in otherwise as well', () => {
    expect(problemsIn(`${PROXY}otherwise: { vendr: {} }\n`)).toEqual([
      'line 4: otherwise.vendr is not a known key; the nearest one is otherwise.vendor',
    ]);
  });

  test('may have variables in its vendor', () => {
    const text = `${PROXY}otherwise: { vendor: { entityId: '\${headers.x-user}', list: ['\${path}'] } }\n`;
    expect(parseConfiguration(text, { file: 'config.yaml' }).otherwise.vendor).toEqual({
      entityId: '${headers.x-user}',
      list: ['${path}'],
    });
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod';
import { CONFIGURATION_KEYS } from '../../src/config/keys.ts';
import { CHART_KEYS } from '../../src/config/values-file.ts';
import { parseConfiguration } from '../../src/config/load.ts';
import { problemsIn, refusalOf } from './problems.ts';

/** A configuration with nothing wrong, to which each test adds one thing from line 3 on. */
const MINIMAL = 'port: 5002\npdpUrl: pdp:8080\n';

describe('a value', () => {
  test.each([
    ['maxBody: 0', 'maxBody must be an integer from 1 to 256'],
    ['maxBody: 257', 'maxBody must be an integer from 1 to 256'],
    ['maxBody: 1.5', 'maxBody must be an integer from 1 to 256'],
    ['maxBody: .nan', 'maxBody must be an integer from 1 to 256, but is a number'],
    ['maxBody: "4"', 'maxBody must be an integer from 1 to 256, but is a string'],
    ['maxBody: 4MB', 'maxBody must be an integer from 1 to 256, but is a string'],
    ['maxDepth: 1025', 'maxDepth must be an integer from 1 to 1024'],
    ['pdpTimeout: 0', 'pdpTimeout must be an integer from 1 to 600000'],
    ['pdpTimeout: true', 'pdpTimeout must be an integer from 1 to 600000, but is true or false'],
    ['filter: yes', 'filter must be true or false, but is a string'],
    ['filter: 1', 'filter must be true or false, but is a number'],
    ['filterDefault: maybe', 'filterDefault must be one of allow, deny'],
    ['workers: 0', 'workers must be an integer from 1 to 256, or auto'],
    ['workers: all', 'workers must be an integer from 1 to 256, or auto'],
    ['log: info', 'log must be a map of level, format, but is a string'],
    ['log: [info]', 'log must be a map of level, format, but is a list'],
    ['log.level: trace', 'log.level must be one of error, warn, info, debug'],
    ['log: { format: xml }', 'log.format must be one of json, text'],
    ['assetType: ""', 'assetType must be a non-empty string'],
    ['attrName: 1.10', 'attrName must be a non-empty string, but is a number; put it in quotes'],
    ['maskString: 0', 'maskString must be a string, but is a number; put it in quotes'],
    ['maskString: true', 'maskString must be a string, but is true or false; put it in quotes'],
    ['rootWord: [result]', 'rootWord must be a string, but is a list'],
    ['attrName: { name: table }', 'attrName must be a non-empty string, but is a map'],
    [
      'pdpTokenPath: api/token',
      'pdpTokenPath must be a path that begins with one /, without a query or fragment',
    ],
    [
      'pdpResolutionPath: //other/api',
      'pdpResolutionPath must be a path that begins with one /, without a query or fragment',
    ],
  ])('%s is refused in words', (line, problem) => {
    expect(problemsIn(`${MINIMAL}${line}\n`)).toEqual([`line 3: ${problem}`]);
  });

  test.each(['12345678901234567890', '-9007199254740993', '1e400'])(
    '%s would be rounded, and is refused',
    (number) => {
      const [problem] = problemsIn(`${MINIMAL}pdpContext: { a: { b: [${number}] } }\n`);
      expect(problem).toBe('line 3: pdpContext.a.b.0 is a number that would lose digits; put it in quotes');
    },
  );

  test.each([
    '',
    '$',
    '$.result',
    '/result',
    'data.result',
    'result.',
    ' result',
    'result ',
    'result[*]',
    "'result'",
    '#',
  ])('a root word that is a path is refused: %j', (word) => {
    const problem = 'line 3: rootWord must be the name of a property, such as result, and not a path';
    expect(problemsIn(`${MINIMAL}rootWord: ${JSON.stringify(word)}\n`)).toEqual([problem]);
  });

  test.each(['result', 'r', '$values', '@graph', 'hydra:member', 'search results', 'résultat'])(
    'a root word may be any other name: %s',
    (word) => {
      const text = `${MINIMAL}rootWord: ${JSON.stringify(word)}\n`;
      expect(parseConfiguration(text, { file: 'config.yaml' }).rootWord).toBe(word);
    },
  );

  test('of a wrong key is never quoted', () => {
    const text = `${MINIMAL}clientSecret: hunter2\nobject: [hunter2]\nlog: hunter2\nfilter: hunter2\n`;
    expect(refusalOf(text).message).not.toContain('hunter2');
  });

  test.each(['port: -1', 'port: 65536', 'port: 80.5'])('%s is refused as a port', (line) => {
    expect(problemsIn(`${line}\npdpUrl: pdp:8080\n`)).toEqual([
      'line 1: port must be an integer from 0 to 65535',
    ]);
  });
});

describe('a key', () => {
  test.each([
    ['maxBdy', 'maxBody'],
    ['maxbody', 'maxBody'],
    ['pdpurl', 'pdpUrl'],
    ['logLevel', 'log.level'],
    ['log.levle', 'log.level'],
    ['mask_string', 'maskString'],
    ['identiy', 'identity'],
    ['Proxy', 'proxy'],
    ['identity.jtw', 'identity.jwt'],
  ])('%s is unknown and the nearest one is named', (key, known) => {
    expect(problemsIn(`${MINIMAL}${key}: 1\n`)).toEqual([
      `line 3: ${key} is not a known key; the nearest one is ${known}`,
    ]);
  });

  test.each(['colour', '__proto__', 'maximumBody', 'x'])('%s is unknown and resembles no other', (key) => {
    expect(problemsIn(`${MINIMAL}${key}: 1\n`)).toEqual([`line 3: ${key} is not a known key`]);
  });

  test.each(['maskKeys', 'pdpContext', 'log'])(
    '__proto__ is unknown in %s, which has any or other names',
    (map) => {
      const text = `${MINIMAL}pdpProtocol: authzen\n${map}: { __proto__: { file: k } }\n`;
      expect(problemsIn(text)).toEqual([`line 4: ${map}.__proto__ is not a known key`]);
    },
  );

  test.each([
    ['log:\n  level: info\n  maxBody: 4\n', 'line 5: log.maxBody', 'maxBody'],
    ['log:\nlevel: info\n', 'line 4: level', 'log.level'],
    ['log:\n  level: info\n  tls: {}\n', 'line 5: log.tls', 'tls'],
  ])('that is indented too deep, or not at all, is named with its place in %j', (text, key, known) => {
    expect(problemsIn(MINIMAL + text)).toEqual([
      `${key} is not a known key; did you mean ${known}? Check the indentation`,
    ]);
  });

  test('that is outside of its group is not taken for one of several', () => {
    expect(problemsIn(`${MINIMAL}certFile: a\n`)).toEqual(['line 3: certFile is not a known key']);
  });

  test('that is unknown in a group is named in full', () => {
    expect(problemsIn(`${MINIMAL}log:\n  lvl: info\n`)).toEqual([
      'line 4: log.lvl is not a known key; the nearest one is log.level',
    ]);
  });

  test.each([
    ['vendr', 'vendor'],
    ['nonJsn', 'nonJson'],
    ['pas', 'pass'],
  ])('that is unknown in otherwise is named with the nearest one there: %s', (key, known) => {
    expect(
      problemsIn(`${MINIMAL}proxy: { port: 1, upstream: "http://a" }\notherwise:\n  ${key}: x\n`),
    ).toEqual([`line 5: otherwise.${key} is not a known key; the nearest one is otherwise.${known}`]);
  });

  test('that is unknown is an error without a value too', () => {
    expect(problemsIn(`${MINIMAL}maxBdy:\n`)).toEqual([
      'line 3: maxBdy is not a known key; the nearest one is maxBody',
    ]);
  });

  test('is printed on one line whatever it is', () => {
    expect(problemsIn(`${MINIMAL}"a\\nb\\e": 1\n`)).toEqual(['line 3: a\\nb\\u001b is not a known key']);
  });

  test('that is required is named when it is missing, without a line', () => {
    expect(refusalOf('pdpUrl: pdp:8080\n').problems).toEqual([
      { key: 'port', message: 'is required and must be an integer from 0 to 65535' },
    ]);
  });

  test('that is required is missing when it is null, with its line', () => {
    expect(problemsIn('port:\npdpUrl: pdp:8080\n')).toEqual([
      'line 1: port is required and must be an integer from 0 to 65535',
    ]);
  });

  test('given flat and nested must have the same value', () => {
    expect(problemsIn(`${MINIMAL}log: { level: info }\nlog.level: debug\n`)).toEqual([
      'line 4: log.level is given twice with different values, flat and nested; keep one',
    ]);
  });
});

describe('the names of attributes', () => {
  test('need attrName if object is given: without it, no mask could be about a property', () => {
    expect(problemsIn(`${MINIMAL}object: table\n`)).toEqual([
      'line 3: object needs attrName: without it, nothing identifies the property below the object',
    ]);
  });

  test('must differ', () => {
    expect(problemsIn(`${MINIMAL}attrName: column\nobject: column\n`)).toEqual([
      'line 4: object must differ from attrName: one attribute cannot be both the prefix and the name of a property',
    ]);
  });
});

describe('a variable', () => {
  test.each([
    ['pdpUrl: ${PDP_URL}', 'pdpUrl'],
    ['pdpUrl: http://${PDP_HOST}:8080', 'pdpUrl'],
    ['pdpUrl: pdp:8080\nlog.level: ${LEVEL:-info}', 'log.level'],
    ['pdpUrl: pdp:8080\nmetrics: { host: "${HOST}" }', 'metrics.host'],
    ['pdpUrl: pdp:8080\nmaskString: "${MASK}"', 'maskString'],
  ])('is not expanded, and is reported in %j', (text, key) => {
    expect(problemsIn(`port: 1\n${text}\n`)).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^line \\d: ${key} contains \\$\\{…\\}, but variables are not expanded; write the value itself$`,
          'u',
        ),
      ),
    );
  });
});

describe('a values file of the chart, given as the configuration', () => {
  test.each([
    ['config:\n  port: 5002\n  pdpUrl: pdp:8080\n', 'config'],
    ['image:\n  tag: x\nconfig:\n  port: 5002\n', 'config'],
    ['authz-jsonmasking:\n  enabled: true\n  config:\n    port: 5002\n', 'authz-jsonmasking.config'],
    ['port: 5002\npdpUrl: pdp:8080\nreplicaCount: 2\n', 'replicaCount'],
  ])('is recognized, and reported once: %j', (text, key) => {
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(
      `${key} is not a key of config.yaml. This is a values file of the Helm chart.`,
    );
    expect(problems[0]).toMatch(/^line \d: /u);
  });

  test('is recognized by keys that the chart has, and the configuration has not', () => {
    const chart = z.record(z.string(), z.unknown());
    const values = chart.parse(parse(readFileSync('charts/authz-jsonmasking/values.yaml', 'utf8')));
    const known = new Set(CONFIGURATION_KEYS.map(({ key }) => key.split('.')[0]));
    expect(CHART_KEYS.filter((key) => !Object.hasOwn(values, key) || known.has(key))).toEqual([]);
  });
});

test('a policy file, given as the configuration, is recognized, and reported once', () => {
  expect(problemsIn('attrName: column\npolicies:\n  - { name: P, action: MASK }\n')).toEqual([
    'line 2: policies is not a key of config.yaml. This is a policy file: give it with -p to pdp, enforce and explain, or name it in the configuration as policyFile.',
  ]);
});

test('the name of a policy file below policies is not taken for values of the chart', () => {
  expect(problemsIn('port: 5002\npolicies: policies.yaml\n')).toEqual([
    'line 2: policies is not a key of config.yaml. The key that names a policy file is policyFile.',
  ]);
});

test('a group of keys whose name is flat is named as such, and nothing in it is missing', () => {
  expect(problemsIn(`${MINIMAL}identity.jwt: { issuer: https://idp.example, audience: api }\n`)).toEqual([
    'line 3: identity.jwt is a group of keys, not a key; write each key flat, such as identity.jwt.issuer, or nest each group',
  ]);
});

test('a key that is nested in part is named as such', () => {
  expect(problemsIn(`${MINIMAL}identity: { jwt.issuer: https://idp.example }\n`)).toEqual([
    'line 3: identity.jwt.issuer is nested in part; write it flat, or nest each of its groups',
  ]);
});

test('a key without a name, or with a character that cannot be seen, is named as such', () => {
  expect(problemsIn(`${MINIMAL}"": 1\nhost\u00A0: a\nlo\u200Bg: a\n`)).toEqual([
    'line 3: has an empty name ("") for a key',
    'line 4: host\u00A0 is not a known key; the nearest one is host; it has the invisible character U+00A0',
    expect.stringMatching(
      /^line 5: .* is not a known key; the nearest one is log; it has the invisible character U\+200B$/u,
    ),
  ]);
});

describe('the host of a listener', () => {
  test.each([
    ['host: http://localhost', 'host', 'port'],
    ['host: localhost:3000', 'host', 'port'],
    ['host: a b', 'host', 'port'],
    ['metrics: { port: 9, host: "[::1]" }', 'metrics.host', 'metrics.port'],
  ])('is refused if it is no name or address alone: %s', (text, host, port) => {
    expect(problemsIn(MINIMAL + text)).toEqual([
      `line 3: ${host} must be a name or an IP address, without a scheme or a port; the port belongs in ${port}`,
    ]);
  });

  test.each(['localhost', '127.0.0.1', '"::1"', '"fe80::1%eth0"', 'my_host.internal'])(
    'may be %s',
    (host) => {
      expect(() => parseConfiguration(`${MINIMAL}host: ${host}\n`, { file: 'config.yaml' })).not.toThrow();
    },
  );
});

describe('two listeners', () => {
  const SHARED = 'metrics.port must differ from port: two listeners cannot share a port';

  test.each([
    ['metrics.port: 5002'],
    ['host: 127.0.0.1\nmetrics: { port: 5002, host: 127.0.0.1 }'],
    ['host: localhost\nmetrics: { port: 5002, host: 127.0.0.1 }'],
    ['host: 10.0.0.1\nmetrics: { port: 5002, host: 0.0.0.0 }'],
    ['host: "::"\nmetrics: { port: 5002, host: 10.0.0.1 }'],
  ])('cannot have one port: %j', (text) => {
    expect(problemsIn(MINIMAL + text)).toEqual([expect.stringContaining(SHARED)]);
  });

  test.each([
    'metrics.port: 5003',
    'host: 127.0.0.1\nmetrics: { port: 5002, host: 10.0.0.1 }',
    'host: 127.0.0.1\nmetrics: { port: 5002, host: "::1" }',
  ])('can have a port each, or an address each: %j', (text) => {
    expect(() => parseConfiguration(`${MINIMAL}${text}\n`, { file: 'config.yaml' })).not.toThrow();
  });
});

describe('the PDP', () => {
  const NO_PDP =
    'No PDP is configured: give pdpUrl or pdpHost for a remote one, or policyFile for the embedded one.';
  const BOTH =
    'policyFile configures the embedded PDP beside a remote one (pdpUrl or pdpHost); keep one of them';

  test('must be configured', () => {
    expect(problemsIn('port: 5002\n')).toEqual([NO_PDP]);
  });

  test('is not configured by keys without a value', () => {
    expect(problemsIn('port: 5002\npdpUrl:\npdpHost: null\npolicyFile: ~\n')).toEqual([NO_PDP]);
  });

  test('counts as configured by a key whose value is wrong', () => {
    expect(problemsIn('port: 5002\npolicyFile: ""\n')).toEqual([
      'line 2: policyFile must be a non-empty string',
    ]);
  });

  test.each(['pdpUrl', 'pdpHost'])('is not embedded and remote at once, by %s', (key) => {
    const address = { pdpUrl: 'pdp:8080', pdpHost: 'pdp' }[key];
    expect(problemsIn(`port: 5002\n${key}: ${address}\npolicyFile: policies.yaml\n`)).toEqual([
      `line 3: ${BOTH}`,
    ]);
  });

  test('has a port of its own only with pdpHost', () => {
    expect(problemsIn(`${MINIMAL}pdpPort: 443\n`)).toEqual([
      'line 3: pdpPort belongs to pdpHost, which is not given; with pdpUrl, the port is part of the URL',
    ]);
  });
});

test('all problems are reported at once, in the order of their lines', () => {
  const text = [
    'maskString: ***',
    'port: "5002"',
    'maxBdy: 8',
    'log:',
    '  level: loud',
    '  colour: true',
    'pdpPort: 0',
    'filter: yes',
    'filter: true',
    'policyFile: policies.yaml',
    'pdpHost: https://pdp/api',
    'assetType: !secret columns',
  ].join('\n');
  expect(refusalOf(text).message).toBe(
    [
      'config.yaml: 10 problems',
      '  line 1: maskString is a YAML alias, which is not allowed; put a value that begins with * in quotes',
      '  line 2: port must be an integer from 0 to 65535, but is a string',
      '  line 3: maxBdy is not a known key; the nearest one is maxBody',
      '  line 5: log.level must be one of error, warn, info, debug',
      '  line 6: log.colour is not a known key',
      '  line 7: pdpPort must be an integer from 1 to 65535',
      '  line 9: filter is given twice; the first is on line 8',
      '  line 10: policyFile configures the embedded PDP beside a remote one (pdpUrl or pdpHost); keep one of them',
      '  line 11: pdpHost must be a host such as pdp.example.com or https://pdp.example.com; a port belongs in pdpPort, paths in pdpResolutionPath and pdpTokenPath',
      '  line 12: assetType has a YAML tag (!), which is not allowed; put text in quotes and write other values plainly',
    ].join('\n'),
  );
});

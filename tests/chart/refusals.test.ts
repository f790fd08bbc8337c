import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/load.ts';
import { ConfigurationError, type Problem } from '../../src/yaml/problem.ts';
import { problems, refusal, render, type Values } from './support/helm.ts';
import { dataOf, theOnly } from './support/manifest.ts';
import { EVERYTHING, MINIMAL, SAMPLE } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** What the service itself says of a configuration. */
function problemsOfService(configuration: Values): readonly Problem[] {
  try {
    parseConfiguration(JSON.stringify(configuration), { file: 'config.yaml' });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

/** The same problem in the words of the chart: keys are below `config`, and policies are a value beside it. */
function inValues({ key, message }: Problem): string {
  if (key !== '') return `config.${key} ${message}`;
  return message.replaceAll(/pdpUrl|pdpHost/gu, 'config.$&').replace('policyFile', 'policies');
}

function ofMinimal(values: Values): Values {
  return lodash.merge({}, MINIMAL, values);
}

/** How long the service may take to stop, with its own defaults. */
function stoppingSeconds(configuration: Values): number {
  const { drainTimeout } = parseConfiguration(
    JSON.stringify({ port: 1, pdpUrl: 'pdp:1', ...configuration }),
    { file: 'config.yaml' },
  );
  return Math.ceil(drainTimeout / 1000);
}

/** Changes of the least configuration that make it wrong. */
const WRONG: readonly Values[] = [
  { maxBody: 0 },
  { maxBody: 257 },
  { port: -1 },
  { port: null },
  { host: '' },
  { filterDefault: 'maybe' },
  { object: 'table' },
  { attrName: 'column', object: 'column' },
  { log: { format: 'xml' } },
  { pdpTimeout: 0 },
  { policyFile: 'policies.yaml' },
  { policyFile: '' },
  { pdpPort: 443 },
  { pdpUrl: null },
  { tls: { certFile: 'tls.crt' } },
  { tls: { keyFile: 'tls.key' } },
  { tls: { certFile: 'tls.crt', keyFile: 'tls.key', clientCertificates: 'request' } },
  { tls: { certFile: 'tls.crt', keyFile: 'tls.key', clientCaFile: 'ca.crt' } },
  { pdpUrl: 'https://pdp', pdpTls: { certFile: 'a' } },
  { pdpUrl: 'https://pdp', pdpTls: { keyFile: 'a' } },
  { pdpTls: { caFile: 'a' } },
  { pdpUrl: 'http://pdp:443', pdpTls: { caFile: 'a' } },
  { pdpUrl: null, pdpHost: 'pdp', pdpPort: 80, pdpTls: { caFile: 'a' } },
  { pdpUrl: null, policyFile: 'policies.yaml', pdpTls: { caFile: 'a' } },
  { pdpUrl: null, policyFile: 'policies.yaml', pdpCache: { enabled: true } },
  { pdpProtocol: 'rego' },
  { pdpProtocol: 'opa' },
  { pdpProtocol: 'opa', pdpUrl: 'http://opa:8181/' },
  { pdpProtocol: 'opa', pdpUrl: null, pdpHost: 'opa' },
  { pdpProtocol: 'authzen', pdpUrl: null, policyFile: 'policies.yaml' },
  { bareDecision: 'maybe' },
  { pdpAction: 'read', pdpContext: { a: 1 }, pdpHeaders: ['a'] },
  { pdpProtocol: 'opa', pdpUrl: 'http://opa:8181/v1/data/a', authzen: { properties: [], obligations: true } },
  { pdpProtocol: 'authzen', pdpHeaders: ['a'] },
  { pdpUrl: null, policyFile: 'policies.yaml', authzen: { batch: 2 } },
  { metrics: { host: '0.0.0.0' } },
  { metrics: { port: 0 } },
  { drainDelay: 25_000 },
  { pdpResolutionPath: '//other.example.com/path' },
  { pdpResolutionPath: '' },
  { pdpTokenPath: '/a?b' },
  ...[0, 257, 'car'].map((workers) => ({ workers })),
  { identity: { required: true } },
  { identity: { jwt: {} } },
  { identity: { jwt: { issuer: 'https://idp', audience: 'a', jwksUri: 'idp/keys' } } },
  { tracing: { endpoint: 'collector:4318' } },
  ...['https://h:99999', 'https://h:65536/x', 'https://h^', 'https://h|i/x'].flatMap((url) => [
    { tracing: { endpoint: url } },
    { identity: { jwt: { issuer: 'https://idp', audience: 'a', jwksUri: url } } },
    { proxy: { port: 1, upstream: url } },
  ]),
  { proxy: {} },
  { proxy: { port: 1 } },
  { proxy: { port: 1, upstream: 'app:80' } },
  { extProc: { maxMessage: 1 } },
  { health: { host: '0.0.0.0' } },
  ...['http://localhost', 'localhost:80', ' localhost', 'a/b', ':1'].flatMap((host) => [
    { host },
    { proxy: { port: 1, upstream: 'http://app', host } },
    { extProc: { port: 1, host } },
    { metrics: { port: 2, host } },
    { health: { port: 2, host } },
    { explain: { port: 2, host } },
  ]),
  ...['http://c/?x', 'http://c/#x'].map((endpoint) => ({ tracing: { endpoint } })),
  { extProc: { port: 1 }, routes: [{ path: '/', vendor: { a: [{ '${path}': 1 }] } }] },
  { routes: [{ path: '/' }] },
  { trustedHeaders: ['X-User'] },
  ...['x', '', '/x?y', '/x**', '/x//y', '/x/..'].map((path) => ({
    extProc: { port: 1 },
    routes: [{ path: '/' }, { path }],
  })),
  ...['X User', '', 'X:'].map((name) => ({ extProc: { port: 1 }, trustedHeaders: ['X-User', name] })),
  { pdpUrl: '${PDP}' },
  { log: { level: '${LEVEL}' } },
  { maskKeys: { a: { file: '/keys/${NAME}' } } },
  { extProc: { port: 1 }, trustedHeaders: ['${NAME}'] },
  { extProc: { port: 1 }, routes: [{ path: '/${NAME}', vendor: { id: '${claims.sub}' } }] },
  ...[
    '',
    'pdp',
    'pdp:0x',
    'p dp:1',
    'ftp://pdp:1',
    'http://a:b@pdp',
    'a:b@pdp:1',
    'http:///pdp',
    'http://pdp/?a',
    'pdp:1#a',
    'p^dp:1',
    'http://p|dp',
    'http://p%dp/',
    'pdp:00',
    'pdp:65536',
    'http://pdp:99999/x',
    'http://p\u0001dp/',
    '10.0.0.300:80',
    'http://08/x',
  ].map((pdpUrl) => ({ pdpUrl })),
  ...[
    '',
    'pdp:1',
    'pdp/path',
    'ftp://pdp',
    'https://a@pdp',
    'p dp',
    'https://pdp:1',
    'pdp?',
    'p^dp',
    'p<dp',
    'p%dp',
    'p%4',
    'p\u0001',
    'p\u001fdp',
    '08',
    'https://a.09.',
    '10.0.0.256',
    '300.1',
    '1.2.3.4.5',
  ].map((pdpHost) => ({ pdpUrl: null, pdpHost })),
];

describeChart('An installation without a valid configuration', () => {
  it('stops with one error that lists every problem in plain words', () => {
    const values = {
      config: { port: 70_000, maxBody: 0, log: { level: 'loud' }, pdpPort: 80, pdpTokenPath: 'token' },
      terminationGracePeriodSeconds: 3,
      serviceMonitor: { enabled: true },
    };
    expect(refusal(values)).toContain('authz-jsonmasking: 8 problems in the values');
    expect(problems(values)).toEqual([
      `terminationGracePeriodSeconds must be more than ${stoppingSeconds({})} seconds, which is drainTimeout`,
      'serviceMonitor.enabled needs a port to scrape; give config.metrics.port',
      'config.port must be an integer from 0 to 65535',
      'config.pdpTokenPath must be a path that begins with one /, without a query or fragment',
      'config.log.level must be one of error, warn, info, debug',
      'config.maxBody must be an integer from 1 to 256',
      'No PDP is configured: give config.pdpUrl or config.pdpHost for a remote one, or policies for the embedded one.',
      'config.pdpPort belongs to pdpHost, which is not given; with pdpUrl, the port is part of the URL',
    ]);
  });

  it('stops if the configuration is missing', () => {
    const missing = [
      'config.port is required and must be an integer from 0 to 65535',
      'No PDP is configured: give config.pdpUrl or config.pdpHost for a remote one, or policies for the embedded one.',
    ];
    expect(problems({})).toEqual(missing);
    expect(problems({ config: null })).toEqual(missing);
    expect(problems({ config: { port: null, log: null } })).toEqual(missing);
  });

  it('stops for pods that would not have the time to drain, however long that is', () => {
    const config = { drainDelay: 7100, drainTimeout: 3_600_000 };
    const values = ofMinimal({ config });
    expect(problems(values)).toEqual([
      'terminationGracePeriodSeconds must be more than 3600 seconds, which is drainTimeout',
    ]);
    expect(problems({ ...values, terminationGracePeriodSeconds: 3601 })).toEqual([]);
  });

  it('is not seen in a drainTimeout below the grace period, which includes drainDelay', () => {
    expect(problems(ofMinimal({ config: { drainDelay: 20_000, drainTimeout: 40_000 } }))).toEqual([]);
  });

  it.each(['7e1234', '-1.5E+999', '0x52908400098527886E0F7030069857D2E4169EE7', `0o${'7'.repeat(30)}`])(
    'stops if Helm would write the text %s as a number',
    (text) => {
      const words = `config has the text ${text}, which Helm would write as a number; give it in an existingConfigMap`;
      const remote = { pdpProtocol: 'authzen', pdpUrl: 'http://pdp' };
      for (const pdpContext of [{ tenant: text }, { tenants: ['a', text] }])
        expect(problems(ofMinimal({ config: { ...remote, pdpContext } }))).toEqual([words]);
    },
  );

  it.each([['7e12'], ['0x1F'], ['1e300x'], [1e21], [1e308], [-1.5e300], ['1e308'], ['1e-400']])(
    'takes the text or number %j as it is',
    (value) => {
      const config = { pdpProtocol: 'authzen', pdpUrl: 'http://pdp', pdpContext: { value } };
      const map = theOnly(render(ofMinimal({ config })), 'ConfigMap');
      expect(parse(dataOf(map, 'config.yaml'))).toMatchObject({ pdpContext: { value } });
    },
  );

  it.each(['\u0085', 'a\u2028b', '\u2029'])('stops if Helm would change %j in the values', (text) => {
    const words = "has U+0085, U+2028 or U+2029, which Helm's YAML takes for a line break";
    expect(problems(ofMinimal({ config: { maskString: text } }))).toContain(`config ${words}`);
    const policies = { policies: [{ name: 'P', action: 'MASK', properties: [`ssn${text}x`] }] };
    expect(problems({ config: { port: 1 }, policies })).toContain(`policies ${words}`);
    expect(problems({ pdp: { policies } }, { chart: 'policy-agent' })).toContain(`pdp.policies ${words}`);
  });

  it.each(['\u007F', 'a\u0080', '\u009F', '\uFFFE', '\uFFFF'])(
    'stops if Helm would not write %j in the values',
    (text) => {
      const words = 'has a character that YAML does not allow, such as U+007F or U+FFFF';
      expect(problems(ofMinimal({ config: { maskString: text } }))).toEqual([`config ${words}`]);
      const policies = { policies: [{ name: 'P', action: 'MASK', properties: [`ssn${text}x`] }] };
      expect(problems({ config: { port: 1 }, policies })).toEqual([`policies ${words}`]);
      expect(problems({ pdp: { policies } }, { chart: 'policy-agent' })).toEqual([`pdp.policies ${words}`]);
    },
  );

  it.each([
    [{ config: { port: '5002' } }, "'/config/port': got string"],
    [{ config: { prot: 5002 } }, "'prot' not allowed"],
    [{ config: { log: { levle: 'info' } } }, "'levle' not allowed"],
    [{ config: { maxBody: 1.5 } }, "'/config/maxBody': got number"],
    [{ config: [] }, "'/config': got array"],
    [{ replicas: 2 }, "'replicas' not allowed"],
    [{ service: { type: 'ExternalName' } }, "'/service/type'"],
    [{ certificates: [{ secretName: 'a' }] }, "'mountPath'"],
  ])('is refused by the schema for types and unknown keys in %j', (values, words) => {
    expect(refusal(values)).toContain(words);
  });

  it.each(WRONG)('is refused in the words of the service for %j', (config) => {
    const written = { port: 5002, pdpUrl: 'pdp.example.com:8080', ...config };
    const expected = problemsOfService(written).map(inValues);
    expect(expected).not.toEqual([]);
    expect(problems({ config: written })).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['pdp.example.com:8080'],
    ['[::1]:8080'],
    ['HTTP://pdp'],
    ['https://pdp.example.com/api/runtime/resolution/v3'],
    ['https://pdp.example.com:8443/a@b'],
  ])('is not seen in %s, which the service takes', (pdpUrl) => {
    expect(problemsOfService({ port: 1, pdpUrl })).toEqual([]);
    expect(refusal({ config: { port: 1, pdpUrl } })).toBe('');
  });

  it.each([
    'pdp',
    'https://pdp.example.com',
    '[::1]',
    '10.0.0.1',
    '10.0.0.255.',
    '08.a',
    'a08',
    '127.1',
    '077',
    '10.65535',
  ])('is not seen in the host %s, which the service takes', (pdpHost) => {
    expect(problemsOfService({ port: 1, pdpHost })).toEqual([]);
    expect(refusal({ config: { port: 1, pdpHost } })).toBe('');
  });
});

/** Changes of the least configuration that leave it valid. */
const RIGHT: readonly Values[] = [
  { pdpUrl: 'https://pdp', pdpTls: { caFile: 'a' } },
  { pdpUrl: 'pdp:443', pdpTls: { certFile: 'a', keyFile: 'b', caFile: 'c' } },
  { pdpUrl: null, pdpHost: 'pdp', pdpPort: 443, pdpTls: { caFile: 'a' } },
  { pdpUrl: null, pdpHost: 'HTTPS://pdp', pdpPort: 8443, pdpTls: { serverName: 'pdp' } },
  { pdpCache: { enabled: true } },
  { metrics: { port: 9464, host: '0.0.0.0' } },
  { metrics: { port: 9464 }, health: { port: 9464 } },
  { proxy: { port: 443, upstream: 'http://127.0.0.1' } },
  { drainDelay: 5000, drainTimeout: 20_000 },
  ...['pdp:65535', 'p%64p:065535', 'http://pdp/a^b|c%', 'http://p/:99999'].map((pdpUrl) => ({ pdpUrl })),
  ...[1, 'auto'].map((workers) => ({ workers })),
  { assetType: '$X, {X} and $ {X}' },
  {
    identity: {
      required: true,
      jwt: {
        issuer: 'https://idp',
        audience: 'a',
        jwksUri: 'https://idp:1/keys?a=b@c',
        algorithms: ['RS256'],
      },
    },
    tracing: { endpoint: 'HTTP://collector:4318/v1' },
    proxy: { port: 8443, upstream: 'http://[::1]:8080/' },
    extProc: { port: 5004 },
    trustedHeaders: ['X-User', "x_!#$%&'*+.^`|~9"],
    routes: [
      { path: '/**/orders/*', vendor: { entityId: '${claims.sub}' } },
      { path: '/.well-known/a..b', pass: true, methods: ['GET'], nonJson: null },
    ],
    otherwise: { vendor: { list: ['${headers.x-user}'] } },
  },
];

describeChart('A valid configuration', () => {
  it.each(RIGHT)('is taken by the chart as by the service: %j', (config) => {
    const written = { port: 5002, pdpUrl: 'pdp.example.com:8080', ...config };
    expect(problemsOfService(written)).toEqual([]);
    expect(refusal({ config: written })).toBe('');
  });
});

describeChart('An installation that could not work', () => {
  it.each([
    [{ config: { port: 0 } }, 'config.port must not be 0: the Service needs a fixed port'],
    [
      { config: { host: '127.0.0.1' } },
      'config.host must not be a loopback address, which is unreachable from outside the pod; leave it out',
    ],
    [
      { config: { metrics: { port: 9464, host: 'localhost' } } },
      'config.metrics.host must not be a loopback address, which is unreachable from outside the pod; leave it out',
    ],
    [
      { config: { proxy: { port: 8443, host: '127.0.0.1', upstream: 'http://app:80' } } },
      'config.proxy.host must not be a loopback address, which is unreachable from outside the pod; leave it out',
    ],
    [
      { config: { extProc: { port: 5004, host: '::1' } } },
      'config.extProc.host must not be a loopback address, which is unreachable from outside the pod; leave it out',
    ],
    ...[
      ['http://127.0.0.1:5002', 'port'],
      ['http://localhost:8443/', 'proxy.port'],
      ['HTTP://[::1]:8443', 'proxy.port'],
    ].map(([upstream, key]): [Values, string] => [
      { config: { proxy: { port: 8443, upstream } } },
      `config.proxy.upstream leads back to the service itself (${key}); give the address of the application`,
    ]),
    [
      { config: { metrics: { port: 9464 }, health: { port: 9464, host: '0.0.0.0' } } },
      'config.health.host must be metrics.host, as both are on one port',
    ],
    [
      { config: { tls: { certFile: 'a', keyFile: 'b', clientCaFile: 'c', clientCertificates: 'require' } } },
      'config.tls.clientCertificates is require, and the kubelet probes without a certificate; give config.health.port, which needs no certificate',
    ],
    [
      { policies: { policies: [{ name: 'a', properties: ['a'], action: 'MASK' }] } },
      'policies configure the embedded PDP, and config has a remote PDP (pdpUrl or pdpHost); keep one of them',
    ],
    [
      { existingConfigMap: 'own' },
      'config may hold only port, proxy, extProc, metrics, health, tls, drainDelay and drainTimeout next to existingConfigMap, which replaces it',
    ],
    [
      { existingPoliciesConfigMap: 'a', existingPoliciesSecret: 'b' },
      'policies, existingPoliciesConfigMap and existingPoliciesSecret exclude each other',
    ],
    [
      { autoscaling: { enabled: true, minReplicas: 11 } },
      'autoscaling.minReplicas must not be greater than autoscaling.maxReplicas',
    ],
    [
      { autoscaling: { enabled: true, targetCPUUtilizationPercentage: null } },
      'autoscaling needs a target: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage or metrics',
    ],
    [
      { podDisruptionBudget: { minAvailable: 2 } },
      'podDisruptionBudget.minAvailable must be less than the number of pods (2), otherwise no node can be drained',
    ],
    ...[
      ['--check'],
      ['pdp'],
      ['--config', '/x'],
      ['--log-file'],
      ['--log-file', '--check'],
      ['--foo=/x'],
    ].map((extraArgs): [Values, string] => [
      { extraArgs },
      'extraArgs must be --log-file or --ready-file, each with a file',
    ]),
    [
      { ingress: { enabled: true } },
      'ingress.hosts is required: an Ingress without hosts matches the requests for all hosts',
    ],
    [{ httpRoute: { enabled: true } }, 'httpRoute.parentRefs is required: list the gateways of the route'],
    [
      { httpRoute: { enabled: true, parentRefs: [{ name: 'a' }], matches: [] } },
      'httpRoute.matches is required: an HTTPRoute without matches takes the requests for all paths',
    ],
    [
      { networkPolicy: { enabled: true, callers: [] } },
      'networkPolicy.callers is required: without it, no pod can call the service',
    ],
    [
      { config: { metrics: { port: 5002 } } },
      'config.metrics.port must differ from config.port: each listener needs its own port',
    ],
    ...['proxy', 'extProc'].map((place): [Values, string] => [
      { config: { [place]: { port: 5002, upstream: place === 'proxy' ? 'http://app:80' : undefined } } },
      `config.${place}.port must differ from config.port: each listener needs its own port`,
    ]),
    ...['metrics', 'health'].map((place): [Values, string] => [
      { config: { [place]: { port: 5004 }, extProc: { port: 5004 } } },
      `config.${place}.port must differ from config.extProc.port: each listener needs its own port`,
    ]),
    [{ config: { extProc: { port: 0 } } }, 'config.extProc.port must not be 0: other pods need a fixed port'],
    [
      {
        config: { pdpUrl: null, policyFile: 'own.yaml' },
        policies: { policies: [{ name: 'a', properties: ['a'], action: 'MASK' }] },
      },
      'config.policyFile names another file than the policies of the chart, which are mounted as policies.yaml; leave it out',
    ],
    [
      { config: { maxInFlightBody: 80 } },
      'config.maxInFlightBody may need 600 MB (120 MB and six times 80 MB for each process), and resources.limits.memory has 512 MB; lower it, or raise the limit',
    ],
    [
      { config: { workers: 2 }, resources: { limits: { cpu: 2, memory: '1G' } } },
      'config.maxInFlightBody may need 1008 MB (120 MB and six times 64 MB for each process), and resources.limits.memory has 953 MB; lower it, or raise the limit',
    ],
    [
      { config: { workers: 'auto' }, resources: { limits: { cpu: '1500m', memory: '900M' } } },
      'config.maxInFlightBody may need 1008 MB (120 MB and six times 64 MB for each process), and resources.limits.memory has 858 MB; lower it, or raise the limit',
    ],
    [{ config: { workers: 2 } }, 'config.workers must be at most 1: resources.limits.cpu allows no more'],
    [
      { config: { workers: 4 }, resources: { limits: { cpu: '3900m', memory: '4Gi' } } },
      'config.workers must be at most 3: resources.limits.cpu allows no more',
    ],
    [
      { commonLabels: { 'app.kubernetes.io/instance': 'a' } },
      'commonLabels.app.kubernetes.io/instance must not be given: the Deployment and the Services find the pods by it',
    ],
    [
      { podLabels: { 'app.kubernetes.io/name': 'a' } },
      'podLabels.app.kubernetes.io/name must not be given: the Deployment and the Services find the pods by it',
    ],
    [
      { service: { labels: { 'app.kubernetes.io/component': 'metrics' } } },
      'service.labels.app.kubernetes.io/component must not be given: Prometheus finds the Service of the metrics by it',
    ],
    [
      { prometheusRule: { enabled: true } },
      'prometheusRule.enabled needs a port to scrape; give config.metrics.port',
    ],
    [
      { existingConfigMap: 'own', networkPolicy: { enabled: true } },
      'networkPolicy.pdp.ports is required next to existingConfigMap, in which Helm does not see the address of the PDP',
    ],
    ...['abc', 80.5, 70_000].map((port): [Values, string] => [
      { config: { pdpUrl: null }, global: { policyAgent: { pdp: { host: 'pdp', port } } } },
      'config.pdpPort must be an integer from 1 to 65535',
    ]),
  ])('is refused: %j', (values, problem) => {
    const given = 'existingConfigMap' in values ? { ...MINIMAL, ...values } : ofMinimal(values);
    expect(problems(given)).toContain(problem);
  });

  it.each([
    [{ limits: { cpu: null, memory: null } }],
    [{ limits: { cpu: '4', memory: '4Gi' } }],
    [{ limits: { cpu: 4, memory: 5_000_000_000 } }],
  ])('is not seen in resources that leave enough room: %j', (resources) => {
    expect(problems(ofMinimal({ config: { workers: 4 }, resources }))).toEqual([]);
  });

  it.each([
    [{ resources: { limits: { memory: 'abc' } } }, '/resources/limits/memory'],
    [{ resources: { requests: { cpu: '1 core' } } }, '/resources/requests/cpu'],
    [{ resources: { limits: { memory: '512MB' } } }, '/resources/limits/memory'],
    [{ resources: { limits: { cpu: -1 } } }, '/resources/limits/cpu'],
    [{ sidecar: { resources: { limits: { memory: '' } } } }, '/sidecar/resources/limits/memory'],
    [{ verticalPodAutoscaler: { maxAllowed: { cpu: 'two' } } }, '/verticalPodAutoscaler/maxAllowed/cpu'],
    [
      { config: { extProc: { port: 1 }, routes: [{ pass: true }] } },
      "'/config/routes/0': missing property 'path'",
    ],
    ...lodash
      .toPairs<unknown>({
        "'/ingress/hosts/0': got string, want object": 'a.example.com',
        "'/ingress/hosts/0': missing property 'host'": { paths: [] },
        "'/ingress/hosts/0': additional properties 'path' not allowed": { host: 'a', path: '/' },
        "'/ingress/hosts/0/paths/0': additional properties 'pathtype' not allowed": {
          host: 'a',
          paths: [{ path: '/', pathtype: 'Exact' }],
        },
        "'/ingress/hosts/0/host': minLength": { host: '' },
        "'/ingress/hosts/0/paths/0': got string, want object": { host: 'a', paths: ['/'] },
      })
      .map(([words, host]): [Values, string] => [{ ingress: { enabled: true, hosts: [host] } }, words]),
    [{ config: { identity: { jwt: { algorithms: ['none'] } } } }, '/config/identity/jwt/algorithms/0'],
  ])('is refused by the schema for %j', (values, place) => {
    expect(refusal(ofMinimal(values))).toContain(place);
  });

  it('is not seen in any way to write a quantity', () => {
    const values = ['512Mi', '0.5Gi', '1e9', '1E9', '500m', '.5', '2.', 2, 0.5, 1_000_000_000];
    const requests = Object.fromEntries(values.map((quantity, index) => [`example.com/${index}`, quantity]));
    expect(refusal(ofMinimal({ resources: { requests } }))).toBe('');
  });

  it('is refused for an invalid digest', () => {
    for (const digest of ['sha256:1', `sha256:${'g'.repeat(64)}`, '1.2.3']) {
      expect(refusal(ofMinimal({ image: { digest } }))).toContain("'/image/digest': ");
    }
  });

  it('never writes a client secret into a ConfigMap', () => {
    const values = lodash.set(lodash.cloneDeep(SAMPLE), 'policies.scopes', [
      { clientId: 'bank', clientSecret: 'not to be seen' },
    ]);
    expect(problems(values)).toEqual([
      'policies.scopes[0].clientSecret must not be in a ConfigMap; put the policy file into a Secret and name it in existingPoliciesSecret',
    ]);
    expect(refusal(values)).not.toContain('not to be seen');
  });

  it('is not refused if the chart is disabled', () => {
    expect(refusal({ ...EVERYTHING, enabled: false, config: {} })).toBe('');
  });
});

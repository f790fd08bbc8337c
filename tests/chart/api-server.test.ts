import { expect, it } from '@jest/globals';
import lodash from 'lodash';
import { problems, refusal, render, type ChartName, type Rendering, type Values } from './support/helm.ts';
import { theOnly, type Manifest } from './support/manifest.ts';
import { MINIMAL } from './support/matrix.ts';
import { describeChart } from './support/tools.ts';

/** With policies whose checksum is on the pods. */
const AGENT_WITH_OPA: Values = {
  global: { policyAgent: { pdp: { protocol: 'opa' } } },
  pdp: { opa: { policies: { 'masking.rego': 'package masking\n' } } },
};

function ofMinimal(values: Values): Values {
  return lodash.merge({}, MINIMAL, values);
}

/** The same values where each chart has them. */
function inCharts(values: Values): readonly (readonly [chart: ChartName, values: Values])[] {
  return [
    ['authz-jsonmasking', ofMinimal(values)],
    ['policy-agent', { pdp: values }],
    ['example-microservice', values],
  ];
}

describeChart('A Deployment that the API server takes', () => {
  it.each(inCharts({ updateStrategy: { type: 'Recreate' } }))(
    'has no fields of a rolling update if %s recreates its pods',
    (chart, values) => {
      const manifest = theOnly(render(values, { chart }), 'Deployment');
      expect(lodash.get(manifest, 'spec.strategy')).toEqual({ type: 'Recreate' });
    },
  );
});

const UNFIT_NAME =
  'fullnameOverride, or nameOverride, must be lowercase letters, digits and hyphens, with a letter first: Kubernetes refuses the name';

describeChart('The names of resources', () => {
  it.each([
    [{ fullnameOverride: 'Foo_Bar' }, 'Foo_Bar'],
    [{ fullnameOverride: '1st' }, '1st'],
    [{ fullnameOverride: 'a.b' }, 'a.b'],
    [{ fullnameOverride: 'a--' }, 'a-'],
    [{ nameOverride: 'Masker' }, 'my-Masker'],
  ])('are refused with %j', (values, name) => {
    expect(problems(ofMinimal(values))).toEqual([`${UNFIT_NAME} ${name}`]);
  });

  it('are refused if the release has a name that a Service cannot have, and the values no other', () => {
    const rendering = { release: 'my.app' };
    expect(problems(MINIMAL, rendering)).toEqual([`${UNFIT_NAME} my.app-authz-jsonmasking`]);
    expect(problems(ofMinimal({ fullnameOverride: 'my-app-2' }), rendering)).toEqual([]);
  });

  it('may have dots beside a microservice, which has no Service of the authorizer', () => {
    const rendering: Rendering = { chart: 'example-microservice' };
    expect(refusal({ 'authz-jsonmasking': { fullnameOverride: '1.masker' } }, rendering)).toBe('');
    expect(problems({ 'authz-jsonmasking': { fullnameOverride: 'Masker' } }, rendering)).toEqual([
      `${UNFIT_NAME} Masker`,
    ]);
  });

  it.each<[ChartName, Values, string]>([
    ['authz-jsonmasking', { nameOverride: 'a b' }, "'/nameOverride': "],
    ['authz-jsonmasking', { namespaceOverride: 'Bank' }, "'/namespaceOverride': "],
    ['authz-jsonmasking', { serviceAccount: { name: 'a..b' } }, "'/serviceAccount/name': "],
    ['authz-jsonmasking', { sidecar: { name: 'a.b' } }, "'/sidecar/name': "],
    ['policy-agent', { nameOverride: '_a' }, "'/nameOverride': "],
    ['policy-agent', { namespaceOverride: 'a.b' }, "'/namespaceOverride': "],
    ['policy-agent', { pdp: { serviceAccount: { name: 'A' } } }, "'/pdp/serviceAccount/name': "],
  ])('are refused by the schema of %s for %j', (chart, values, place) => {
    const base = chart === 'policy-agent' ? {} : MINIMAL;
    expect(refusal(lodash.merge({}, base, values), { chart })).toContain(place);
  });

  it('are taken as Kubernetes takes them', () => {
    const values = {
      nameOverride: 'Masker_1.0-',
      fullnameOverride: 'masker-1',
      namespaceOverride: '2-bank',
      serviceAccount: { name: 'masker.bank' },
    };
    expect(refusal(ofMinimal(values))).toBe('');
  });
});

describeChart('The port of the Service', () => {
  const config = { extProc: { port: 5004 }, proxy: { port: 8443, upstream: 'http://app:80' } };

  it.each([
    [5004, 'extProc'],
    [8443, 'proxy'],
  ])('is refused if it is %i, that of %s in the same Service', (port, group) => {
    expect(problems(ofMinimal({ config, service: { port } }))).toEqual([
      `service.port must differ from config.${group}.port, which is a port of the Service, too`,
    ]);
  });

  it('may be that of the metrics, which have a Service of their own', () => {
    const values = { config: { ...config, metrics: { port: 9464 } }, service: { port: 9464 } };
    expect(refusal(ofMinimal(values))).toBe('');
  });
});

describeChart('Annotations and labels that the chart has, too', () => {
  const OWN = [
    'checksum/config',
    'checksum/policies',
    'checksum/orders',
    'checksum/authz-jsonmasking',
    'kubectl.kubernetes.io/default-container',
    'helm.sh/hook-delete-policy',
  ];
  const given = Object.fromEntries(OWN.map((key) => [key, 'other']));

  it.each<[ChartName, Values, Values]>([
    ['authz-jsonmasking', MINIMAL, { podAnnotations: given }],
    ['authz-jsonmasking', MINIMAL, { commonAnnotations: given }],
    ['policy-agent', AGENT_WITH_OPA, { pdp: { podAnnotations: given } }],
    ['policy-agent', AGENT_WITH_OPA, { commonAnnotations: given }],
    ['example-microservice', {}, { podAnnotations: given }],
    ['example-microservice', {}, { commonAnnotations: given }],
  ])('are rendered once by %s, and its own win', (chart, base, values) => {
    const changed = render(lodash.merge({}, base, values), { chart });
    const own = render(base, { chart });
    expect(changed.map(ownAnnotations)).toEqual(own.map(ownAnnotations));

    function ownAnnotations(manifest: Manifest, index: number): unknown {
      return ['metadata.annotations', 'spec.template.metadata.annotations'].map((path) =>
        lodash.pick(lodash.get(manifest, path), Object.keys(Object(lodash.get(own[index], path)))),
      );
    }
  });

  it('are rendered once among the labels', () => {
    const commonLabels = { 'app.kubernetes.io/version': 'other' };
    for (const [chart, values] of inCharts({})) {
      const labels = render({ ...values, commonLabels }, { chart }).map(({ metadata }) => metadata.labels);
      expect(labels).toContainEqual(expect.objectContaining(commonLabels));
    }
  });
});

describeChart('Values that keep pods from being replaced', () => {
  const MAX_UNAVAILABLE =
    'podDisruptionBudget.maxUnavailable must not be 0, otherwise no node can be drained';
  const STRATEGY =
    'updateStrategy.rollingUpdate must not have 0 as maxSurge and as maxUnavailable: no pod could be replaced';

  it.each<[Values, string]>([
    [{ podDisruptionBudget: { maxUnavailable: 0 } }, MAX_UNAVAILABLE],
    [{ podDisruptionBudget: { maxUnavailable: '0%' } }, MAX_UNAVAILABLE],
    ...[2, '100%', '51%'].map((minAvailable): [Values, string] => [
      { podDisruptionBudget: { minAvailable } },
      'podDisruptionBudget.minAvailable must be less than the number of pods (2), otherwise no node can be drained',
    ]),
    [
      { podDisruptionBudget: { minAvailable: '1%' }, autoscaling: { enabled: true, minReplicas: 1 } },
      'podDisruptionBudget.minAvailable must be less than the number of pods (1), otherwise no node can be drained',
    ],
    [
      { autoscaling: { enabled: true }, resources: null },
      'resources.requests.cpu is required: SELF.autoscaling scales by a percentage of it',
    ],
    ...['NodePort', 'LoadBalancer'].map((type): [Values, string] => [
      { service: { type, clusterIP: 'None' } },
      `service.clusterIP must not be None with SELF.service.type ${type}`,
    ]),
    ...[{ minReadySeconds: 600 }, { minReadySeconds: 5, progressDeadlineSeconds: 5 }].map(
      (values): [Values, string] => [
        values,
        'progressDeadlineSeconds must be more than SELF.minReadySeconds, otherwise no upgrade succeeds',
      ],
    ),
    [
      { resources: { requests: { memory: '2Gi' }, limits: { memory: '1025M' } } },
      'resources.requests.memory must not be more than SELF.resources.limits.memory (1025M)',
    ],
    [
      { resources: { requests: { cpu: '1.5' }, limits: { cpu: '1200m' } } },
      'resources.requests.cpu must not be more than SELF.resources.limits.cpu (1200m)',
    ],
    ...['ephemeral-storage', 'example.com/card'].map((resource): [Values, string] => [
      { resources: { requests: { [resource]: 2 }, limits: { [resource]: '1e0' } } },
      `resources.requests.${resource} must not be more than SELF.resources.limits.${resource} (1e0)`,
    ]),
    ...['250m', '2e-1', '.2', '+0.2', '249999999n'].map((cpu): [Values, string] => [
      { resources: { requests: { cpu: '0.3' }, limits: { cpu } } },
      `resources.requests.cpu must not be more than SELF.resources.limits.cpu (${cpu})`,
    ]),
    ...[
      ['1Pi', '1.12P'],
      ['1.5Gi', '1610M'],
      ['1048577Ki', '1073741824'],
    ].map(([request, memory]): [Values, string] => [
      { resources: { requests: { memory: request }, limits: { memory } } },
      `resources.requests.memory must not be more than SELF.resources.limits.memory (${memory})`,
    ]),
    ...[
      ['{{ .Values.global.none }}', ''],
      ['{{ .Release.Name }}..bank', 'my..bank'],
      ['127.0.0.{{ "1" }}', '127.0.0.1'],
    ].map(([host, written]): [Values, string] => [
      { ingress: { enabled: true, hosts: [{ host: '*.bank' }, { host }] } },
      `ingress.hosts[1].host must be the name of a host, and is "${written}"`,
    ]),
    [{ service: { nodePort: 30_000 } }, 'service.nodePort needs SELF.service.type NodePort or LoadBalancer'],
    [
      { service: { type: 'NodePort', loadBalancerClass: 'a' } },
      'service.loadBalancerClass needs SELF.service.type LoadBalancer',
    ],
    [
      { service: { externalTrafficPolicy: 'Local' } },
      'service.externalTrafficPolicy needs SELF.service.type NodePort or LoadBalancer',
    ],
    [
      { podDisruptionBudget: { maxUnavailable: null } },
      'podDisruptionBudget needs maxUnavailable or minAvailable, otherwise no node can be drained',
    ],
    [
      { verticalPodAutoscaler: { enabled: true, minAllowed: { cpu: '65m' }, maxAllowed: { cpu: 0.064 } } },
      'verticalPodAutoscaler.minAllowed.cpu must not be more than SELF.verticalPodAutoscaler.maxAllowed.cpu (0.064)',
    ],
    ...[{}, { nameservers: [] }].map((dnsConfig): [Values, string] => [
      { dnsPolicy: 'None', dnsConfig },
      'dnsConfig.nameservers is required with SELF.dnsPolicy None',
    ]),
    [{ updateStrategy: { rollingUpdate: { maxSurge: 0 } } }, STRATEGY],
    [{ updateStrategy: { rollingUpdate: { maxSurge: '0%', maxUnavailable: '0%' } } }, STRATEGY],
  ])('are refused: %j', (values, problem) => {
    expect(problems(ofMinimal(values))).toEqual([problem.replace('SELF.', '')]);
    expect(problems({ pdp: values }, { chart: 'policy-agent' })).toEqual([
      `pdp.${problem.replace('SELF', 'pdp')}`,
    ]);
  });

  it.each<[Values]>([
    [{ podDisruptionBudget: { enabled: false, maxUnavailable: 0 } }],
    [{ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.1'] } }],
    [{ verticalPodAutoscaler: { enabled: false, maxAllowed: { memory: '1' } } }],
    [{ verticalPodAutoscaler: { enabled: true, minAllowed: { cpu: '1' }, maxAllowed: { cpu: '1000m' } } }],
    [{ service: { clusterIP: 'None' } }],
    [{ minReadySeconds: 4, progressDeadlineSeconds: 5 }],
    [{ resources: { requests: { cpu: '1' }, limits: { cpu: '1000m' } } }],
    [
      {
        resources: { requests: { cpu: '3e-1', memory: '1e9' }, limits: { cpu: 0.3, memory: 1_000_000_000 } },
      },
    ],
    [{ ingress: { enabled: false, hosts: [{ host: '{{ .Values.global.none }}' }] } }],
    [{ ingress: { enabled: true, hosts: [{ host: '*.{{ .Release.Name }}.bank' }] } }],
    [{ resources: { requests: { cpu: 64, memory: '8Gi' }, limits: null } }],
    [{ podDisruptionBudget: { minAvailable: '50%', maxUnavailable: 0 } }],
    [{ autoscaling: { enabled: true }, resources: { requests: null } }],
    [{ service: { type: 'NodePort', nodePort: 30_000, externalTrafficPolicy: 'Local' } }],
    [{ service: { type: 'LoadBalancer', loadBalancerClass: 'a' } }],
    [{ podDisruptionBudget: { maxUnavailable: '100%' } }],
    [{ updateStrategy: { type: 'Recreate', rollingUpdate: { maxSurge: 0 } } }],
    [{ updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }],
    [{ updateStrategy: { rollingUpdate: { maxSurge: '200%', maxUnavailable: 0 } } }],
    [{ updateStrategy: { rollingUpdate: { maxSurge: null } } }],
  ])('are not seen in %j', (values) => {
    expect(refusal(ofMinimal(values))).toBe('');
    expect(refusal({ pdp: values }, { chart: 'policy-agent' })).toBe('');
  });
});

describeChart('Values of the chart that Kubernetes refuses', () => {
  it.each<[Values, string]>([
    [{ imagePullSecrets: [''] }, "'/imagePullSecrets/0': minLength"],
    [{ imagePullSecrets: [{}] }, "'/imagePullSecrets/0': missing property 'name'"],
    [
      { global: { imagePullSecrets: [{ secret: 'a' }] } },
      "'/global/imagePullSecrets/0': missing property 'name'",
    ],
    [
      { extraObjects: [{ kind: 'ConfigMap' }] },
      "'/extraObjects/0': missing properties 'apiVersion', 'metadata'",
    ],
    [{ commonAnnotations: { 'a b': 'c' } }, "'/commonAnnotations': additional properties 'a b' not allowed"],
    [{ commonLabels: { a: 'é' } }, "'/commonLabels/a': 'é' does not match"],
  ])('are refused: %j', (values, words) => {
    expect(refusal(ofMinimal(values))).toContain(words);
    expect(refusal(values, { chart: 'policy-agent' })).toContain(words);
  });

  it.each(['existingSecret', 'caSecret', 'clientCertificateSecret'])('are refused: test.%s', (name) => {
    expect(refusal(ofMinimal({ test: { [name]: 'a b' } }))).toContain(
      `'/test/${name}': 'a b' does not match`,
    );
    expect(refusal(ofMinimal({ test: { [name]: 'a.b' } }))).toBe('');
  });
});

describeChart('Values with which the example would be open or could not be moved', () => {
  it.each<[Values, string]>([
    [{ networkPolicy: { enabled: true, callers: [] } }, 'networkPolicy.callers is required'],
    [{ networkPolicy: { enabled: true, callers: null } }, 'networkPolicy.callers is required'],
    [{ podDisruptionBudget: { enabled: true, maxUnavailable: null } }, 'maxUnavailable is required'],
    [{ port: 5002 }, 'port must differ from authz-jsonmasking.config.port'],
    [{ port: 5003 }, 'port must differ from authz-jsonmasking.sidecar.healthPort'],
  ])('are refused: %j', (values, words) => {
    expect(refusal(values, { chart: 'example-microservice' })).toContain(words);
  });
});

describeChart('Values that the schema of each chart refuses', () => {
  it.each<[Values, string]>([
    [{ resources: { limit: { memory: '1Gi' } } }, "'limit' not allowed"],
    [{ updateStrategy: { type: 'recreate' } }, "/updateStrategy/type'"],
    [{ updateStrategy: { rollingUpdate: { maxSurge: '1' } } }, "/updateStrategy/rollingUpdate/maxSurge'"],
    [{ updateStrategy: { rollingUpdate: { maxUnavailable: '101%' } } }, "/rollingUpdate/maxUnavailable'"],
    [{ podDisruptionBudget: { maxUnavailable: '1' } }, "/podDisruptionBudget/maxUnavailable'"],
    [{ podDisruptionBudget: { maxUnavailable: -1 } }, "/podDisruptionBudget/maxUnavailable'"],
    [{ podLabels: { version: 1.1 } }, "/podLabels/version': got number, want "],
    [{ podAnnotations: { 'example.com/on': true } }, "on': got boolean, want "],
    [{ nodeSelector: { dedicated: true } }, "/nodeSelector/dedicated': got boolean, want "],
    [{ tolerations: [{ key: 'spot', value: true }] }, "/tolerations/0/value': got boolean, want "],
    [{ tolerations: [{ tolerationSeconds: '60' }] }, "/tolerations/0/tolerationSeconds': got string, want "],
  ])('are those that the API server would refuse: %j', (values, words) => {
    for (const [chart, given] of inCharts(values)) expect(refusal(given, { chart })).toContain(words);
  });

  it.each<[Values, string]>([
    [{ service: { annotations: { a: 1 } } }, "/service/annotations/a': got number, want "],
    [{ ingress: { labels: { a: false } } }, "/ingress/labels/a': got boolean, want "],
    [{ deploymentLabels: { a: 1 } }, "/deploymentLabels/a': got number, want "],
    [
      { dnsConfig: { options: [{ name: 'ndots', value: 2 }] } },
      "/dnsConfig/options/0/value': got number, want ",
    ],
  ])('are labels, annotations and options of any resource: %j', (values, words) => {
    expect(refusal(ofMinimal(values))).toContain(words);
    expect(refusal({ pdp: values }, { chart: 'policy-agent' })).toContain(words);
  });

  it('are not labels that are texts, or that are left empty', () => {
    const labels = { commonLabels: { version: '1.1', none: null }, nodeSelector: { dedicated: 'true' } };
    const tolerations = [{ key: 'spot', value: 'true', effect: null, tolerationSeconds: 60 }];
    const dnsConfig = { options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }] };
    expect(refusal(ofMinimal({ ...labels, tolerations, dnsConfig }))).toBe('');
  });

  it('are not claims of devices among the resources', () => {
    const resources = { claims: [{ name: 'card' }] };
    for (const [chart, given] of inCharts({ resources })) expect(refusal(given, { chart })).toBe('');
  });
});

describeChart('Parts of a pod', () => {
  const OWN_VOLUME = 'authz-jsonmasking-config';
  const FOLDER = '/etc/authz-jsonmasking';

  it.each<[Values, string]>([
    [
      { extraVolumes: [{ name: OWN_VOLUME }] },
      `extraVolumes must not have ${OWN_VOLUME}: a volume of this name is there already`,
    ],
    [
      { certificates: [{ secretName: 'a', mountPath: `${FOLDER}/` }] },
      `certificates must not have the mountPath ${FOLDER}/: another volume is mounted there`,
    ],
    [
      { certificates: ['a', 'b'].map((secretName) => ({ secretName, mountPath: '/tls' })) },
      'certificates must not have the mountPath /tls: another volume is mounted there',
    ],
    [
      { extraVolumes: [{ name: 'a' }], extraVolumeMounts: [{ name: 'a', mountPath: FOLDER }] },
      `extraVolumeMounts must not have the mountPath ${FOLDER}: another volume is mounted there`,
    ],
    [
      { extraVolumeMounts: [{ name: 'a', mountPath: '/a' }] },
      'extraVolumeMounts has a, and no volume has this name; add it to extraVolumes',
    ],
    [
      { certificates: [{ secretName: 'a', mountPath: '/etc//authz-jsonmasking' }] },
      'certificates must not have the mountPath /etc//authz-jsonmasking: another volume is mounted there',
    ],
    ...['authz-jsonmasking', 'a'].map((name): [Values, string] => [
      { extraInitContainers: [{ name: 'a', image: 'a' }], extraContainers: [{ name, image: 'a' }] },
      `extraContainers and extraInitContainers must not have ${name}: a container of this name is there already`,
    ]),
  ])('cannot be there twice, or without another: %j', (values, problem) => {
    expect(problems(ofMinimal(values))).toEqual([problem]);
  });

  it.each<[Values, string]>([
    [
      { extraVolumes: [{ name: 'policies' }] },
      'pdp.extraVolumes must not have policies: a volume of this name is there already',
    ],
    [
      { extraVolumes: [{ name: 'a' }], extraVolumeMounts: [{ name: 'a', mountPath: '/etc/policy-agent' }] },
      'pdp.extraVolumeMounts must not have the mountPath /etc/policy-agent: another volume is mounted there',
    ],
    [
      { extraVolumeMounts: [{ name: 'a', mountPath: '/a' }] },
      'pdp.extraVolumeMounts has a, and no volume has this name; add it to pdp.extraVolumes',
    ],
    [
      { extraContainers: [{ name: 'pdp', image: 'a' }] },
      'pdp.extraContainers and pdp.extraInitContainers must not have pdp: a container of this name is there already',
    ],
  ])('of the PDP cannot be there twice, or without another: %j', (pdp, problem) => {
    expect(problems({ pdp }, { chart: 'policy-agent' })).toEqual([problem]);
    expect(problems({ pdp: { enabled: false, ...pdp } }, { chart: 'policy-agent' })).toEqual([]);
  });

  it('may have other names', () => {
    const values = {
      extraVolumes: [{ name: 'a', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'a', mountPath: '/a' }],
      extraContainers: [{ name: 'b', image: 'a' }],
      certificates: [{ secretName: 'a', mountPath: '/tls' }],
    };
    expect(refusal(ofMinimal(values))).toBe('');
  });

  it('in a sidecar may be those of the microservice', () => {
    const extraVolumeMounts = [{ name: 'of-the-microservice', mountPath: '/a' }];
    const rendering: Rendering = { chart: 'example-microservice' };
    expect(refusal({ 'authz-jsonmasking': { extraVolumeMounts } }, rendering)).toBe('');
  });
});

describeChart('A ServiceMonitor', () => {
  it.each([
    ['9s', undefined],
    ['1m', '61s'],
    ['1h1ms', '60m2ms'],
    ['0', '1ms'],
  ])('that the operator would pass over is refused: every %s for %s', (interval, scrapeTimeout) => {
    const words = `serviceMonitor.interval (${interval}): the operator passes over such a ServiceMonitor`;
    const serviceMonitor = { enabled: true, interval, ...(scrapeTimeout !== undefined && { scrapeTimeout }) };
    const config = { metrics: { port: 9464 } };
    expect(problems(ofMinimal({ config, serviceMonitor }))).toEqual([
      `serviceMonitor.scrapeTimeout must not be more than ${words}`,
    ]);
    const global = { policyAgent: { pdp: { protocol: 'opa' } } };
    const opa = { policies: { 'a.rego': 'package a' } };
    expect(problems({ global, pdp: { serviceMonitor, opa } }, { chart: 'policy-agent' })).toEqual([
      `pdp.serviceMonitor.scrapeTimeout must not be more than pdp.${words}`,
    ]);
  });

  it.each([
    ['10s', '10s'],
    ['1m', '60s'],
    ['1d', '23h59m'],
    ['', '1d'],
    ['5s', ''],
  ])('is taken: every %s for %s', (interval, scrapeTimeout) => {
    const config = { metrics: { port: 9464 } };
    expect(
      problems(ofMinimal({ config, serviceMonitor: { enabled: true, interval, scrapeTimeout } })),
    ).toEqual([]);
  });
});

describeChart('A probe without a handler', () => {
  const NONE = { exec: null, tcpSocket: null, grpc: null };

  it('has that of the chart', () => {
    const own = render(ofMinimal({ livenessProbe: NONE }));
    const ofAgent = render({ pdp: { livenessProbe: NONE } }, { chart: 'policy-agent' });
    for (const manifests of [own, ofAgent]) {
      const path = 'spec.template.spec.containers[0].livenessProbe.httpGet.path';
      expect(lodash.get(theOnly(manifests, 'Deployment'), path)).toMatch(/^\/health/u);
    }
  });
});

describeChart('A probe of the PDP', () => {
  it('is refused if it has no handler', () => {
    const pdp = { livenessProbe: { httpGet: null } };
    expect(problems({ pdp }, { chart: 'policy-agent' })).toEqual([
      'pdp.livenessProbe has no handler; give one, or null for the whole probe',
    ]);
    const global = { policyAgent: { pdp: { protocol: 'opa' } } };
    const opa = { policies: { 'a.rego': 'package a' }, readinessProbe: { httpGet: null } };
    expect(problems({ global, pdp: { ...pdp, opa } }, { chart: 'policy-agent' })).toEqual([
      'pdp.opa.readinessProbe has no handler; give one, or null for the whole probe',
    ]);
  });

  it.each<[Values, Values]>([
    [{ tcpSocket: { port: 'http' } }, { tcpSocket: { port: 'http' } }],
    [{ httpGet: { path: '/live' } }, { httpGet: { path: '/live', port: 'http' } }],
  ])('has one handler: %j', (livenessProbe, handler) => {
    const manifest = theOnly(render({ pdp: { livenessProbe } }, { chart: 'policy-agent' }), 'Deployment');
    const probe = lodash.get(manifest, 'spec.template.spec.containers[0].livenessProbe');
    expect(lodash.pick(probe, ['httpGet', 'tcpSocket'])).toEqual(handler);
  });
});

describeChart('Values that Kubernetes or the kubelet would refuse later', () => {
  it.each<[place: string, value: unknown]>([
    ['image.registry', 'https://registry.bank'],
    ['image.repository', 'bank/masker:1.0'],
    ['image.repository', `masker@sha256:${'0'.repeat(64)}`],
    ['image.repository', 'Masker'],
    ['image.tag', '-1'],
    ['ingress.hosts', [{ host: 'https://masker.bank' }]],
    ['ingress.hosts', [{ host: '*' }]],
    ['livenessProbe', { successThreshold: 3 }],
    ['readinessProbe', { initialDelay: 3 }],
    ['startupProbe', { httpGet: { path: '/' }, tcpSocket: {} }],
    ['extraVolumes', ['a']],
    ['topologySpreadConstraints', ['a']],
    ['extraVolumeMounts', [{ name: 'a' }]],
    ['extraContainers', [{ image: 'a' }]],
    ['extraInitContainers', [{ name: 'a' }]],
    ['replicaCount', 2 ** 31],
    ['updateStrategy', { rollingUpdate: { maxSurge: 2 ** 31 } }],
    ['livenessProbe', { periodSeconds: 2 ** 31 }],
    ['livenessProbe', { exec: {} }],
    ['readinessProbe', { terminationGracePeriodSeconds: 3 }],
    ['topologySpreadConstraints', [{ maxSkew: 1, topologyKey: 'zone' }]],
    ['tolerations', ['a']],
    ['hostAliases', [{ hostnames: ['a'] }]],
    ['runtimeClassName', 'x'.repeat(254)],
    ['podLabels', { 'a b': 'c' }],
    ['podLabels', { 'a/b/c': 'd' }],
    ['deploymentLabels', { a: 'b c' }],
    ['nodeSelector', { a: 'x'.repeat(64) }],
    ['podAnnotations', { 'a b': '' }],
    ['service.clusterIP', 'none'],
    ['service.trafficDistribution', 'near'],
    ['service.loadBalancerClass', 'a b'],
    ['service.loadBalancerSourceRanges', ['10.0.0.1']],
    ['autoscaling.metrics', [{}]],
    ['autoscaling.targetCPUUtilizationPercentage', 2 ** 31],
    ['networkPolicy.callers', [{}]],
    ['networkPolicy.extraEgress', ['a']],
    ['ingress.tls', ['a.example.com']],
    ['httpRoute.hostnames', ['https://masker.bank']],
    ['httpRoute.parentRefs', [{}]],
    ['httpRoute.matches', ['/']],
    ['serviceMonitor.relabelings', ['a']],
  ])('are refused by the schema: %s %j', (place, value) => {
    const values = lodash.set({}, place, value);
    const words = `'/${place.replaceAll('.', '/')}`;
    expect(refusal(ofMinimal(values))).toContain(words);
    expect(refusal({ pdp: values }, { chart: 'policy-agent' })).toContain(words.replace('/', '/pdp/'));
  });

  it.each<[place: string, value: unknown]>([
    ['image.registry', 'registry.bank:5000/mirror'],
    ['image.registry', '[::1]:5000'],
    ['image.repository', 'registry.bank:5000/masking/json-masker__1'],
    ['image.tag', '1.0_b-c'],
    ['ingress.hosts', [{ host: '*.masker.bank' }, { host: '{{ .Release.Name }}.bank' }]],
    ['readinessProbe', { successThreshold: 3, httpGet: null, exec: { command: ['true'] } }],
    ['livenessProbe', null],
    ['livenessProbe', { terminationGracePeriodSeconds: 3 }],
    ['replicaCount', 2 ** 31 - 1],
    ['podLabels', { 'example.com/a_b.C': '1.x_Y', none: null, empty: '' }],
    ['podAnnotations', { 'Example.com/A': 'anything: {"a": 1}', a: '' }],
    ['service.clusterIP', '10.0.0.10'],
    ['service.clusterIP', 'fd00::a'],
    ['service.trafficDistribution', 'PreferSameNode'],
    ['httpRoute.hostnames', ['*.masker.bank']],
    [
      'service',
      {
        type: 'LoadBalancer',
        loadBalancerClass: 'a.b/c',
        loadBalancerSourceRanges: ['fd00::/8', '10.0.0.0/8'],
      },
    ],
    ['topologySpreadConstraints', []],
  ])('may be anything else: %s %j', (place, value) => {
    const values = lodash.set({}, place, value);
    expect(refusal(ofMinimal(values))).toBe('');
    expect(refusal({ pdp: values }, { chart: 'policy-agent' })).toBe('');
  });

  it.each<[ChartName]>([['authz-jsonmasking'], ['policy-agent']])(
    'are refused by the schema of %s: a registry for all charts that is a URL',
    (chart) => {
      const global = { imageRegistry: 'https://registry.bank', others: 1 };
      const base = chart === 'policy-agent' ? {} : MINIMAL;
      expect(refusal({ ...base, global }, { chart })).toContain("'/global/imageRegistry'");
      expect(refusal({ ...base, global: { ...global, imageRegistry: 'registry.bank' } }, { chart })).toBe('');
    },
  );

  it.each<[ChartName, Values]>([
    ['authz-jsonmasking', ofMinimal({ extraEnv: [{ name: 'A', value: 1 }] })],
    ['authz-jsonmasking', ofMinimal({ extraEnv: ['A=b'] })],
    ['policy-agent', { pdp: { env: [{ name: 'A', value: true }] } }],
    ['policy-agent', { pdp: { opa: { livenessProbe: { successThreshold: 2 } } } }],
    ['policy-agent', { pdp: { args: ['pdp', '--port', 8080] } }],
    ['policy-agent', { pdp: { networkPolicy: { monitoring: [''] } } }],
    ['policy-agent', { pdp: { envFrom: [1] } }],
    ['policy-agent', { pdp: { opa: { args: [null] } } }],
    ['authz-jsonmasking', ofMinimal({ extraArgs: [1] })],
    ['policy-agent', { global: { policyAgent: { pdp: { host: true } } } }],
    ['authz-jsonmasking', ofMinimal({ global: { policyAgent: { pdp: { host: 1 } } } })],
    ['authz-jsonmasking', ofMinimal({ global: { imagePullSecrets: 'a' } })],
    ['authz-jsonmasking', ofMinimal({ extraEnvFrom: ['a'] })],
    ['authz-jsonmasking', ofMinimal({ networkPolicy: { pdp: { to: ['a'] } } })],
    ['example-microservice', { 'authz-jsonmasking': { sidecar: { livenessProbe: { period: 1 } } } }],
  ])('are refused by the schema of %s: %j', (chart, values) => {
    expect(refusal(values, { chart })).toMatch(/got \w+, want|not allowed/u);
  });
});

/**
 * Writes the JSON schemas that the chart's manifests are validated against, without network, by `tests/chart`:
 * `node scripts/kubernetes-schemas.ts`. They are taken from the Kubernetes API, the Prometheus operator, the Gateway API, the
 * vertical pod autoscaler, Envoy Gateway and Istio (all Apache-2.0), which the Go toolchain downloads from their own modules.
 * Run it by hand to support another version.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { moduleFolder } from './tools/go-module.ts';
import { customSchemas, kubernetesSchemas, type SchemaFile } from './tools/kubernetes-schema.ts';

const FOLDER = 'tests/chart/schemas';

/** Of all custom resources of these modules, those that a chart or an example has. */
const CUSTOM_KINDS: ReadonlySet<string> = new Set([
  'ServiceMonitor',
  'PrometheusRule',
  'VerticalPodAutoscaler',
  'HTTPRoute',
  'EnvoyExtensionPolicy',
  'EnvoyFilter',
]);

/** The oldest and the newest Kubernetes that the charts are held to. */
const KUBERNETES = ['v1.28.15', 'v1.37.1'];

const CUSTOM: readonly (readonly [module: string, file: string])[] = [
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  ],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  ['k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1', 'deploy/vpa-v1-crd-gen.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.2', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  [
    'github.com/envoyproxy/gateway@v1.9.1',
    'charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io_envoyextensionpolicies.yaml',
  ],
  ['istio.io/api@v1.31.1', 'kubernetes/customresourcedefinitions.gen.yaml'],
];

function write(folder: string, schemas: readonly SchemaFile[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, schema } of schemas) {
    writeFileSync(path.join(folder, name), `${JSON.stringify(schema)}\n`);
  }
}

for (const version of KUBERNETES) {
  const file = path.join(moduleFolder(`k8s.io/kubernetes@${version}`), 'api/openapi-spec/swagger.json');
  write(path.join(FOLDER, version), kubernetesSchemas(JSON.parse(readFileSync(file, 'utf8'))));
}
const definitions = CUSTOM.map(([module, file]) =>
  readFileSync(path.join(moduleFolder(module), file), 'utf8'),
);
write(
  path.join(FOLDER, 'custom'),
  definitions.flatMap((text) =>
    [...parseAllDocuments(text)].flatMap((one) => customSchemas(one.toJS(), CUSTOM_KINDS)),
  ),
);

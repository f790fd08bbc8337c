import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import lodash from 'lodash';
import { valuesIn } from './support/matrix.ts';
import type { Values } from './support/helm.ts';

function valuesOf(chart: string): Values {
  return valuesIn(readFileSync(`charts/${chart}/values.yaml`, 'utf8'));
}

/** Values of the service's chart that the PDP of the agent has under another name. */
const RENAMED = new Map([
  ['extraEnv', 'env'],
  ['extraEnvFrom', 'envFrom'],
  ['extraArgs', 'args'],
]);

/** Values of the service's chart that are about the service alone. */
const SERVICE_ONLY = [
  // What it is configured with.
  'config',
  'existingConfigMap',
  'existingConfigMapKey',
  'certificates',
  'maskKeysSecret',
  'test',
  'sidecar',
  // The agent has one release name, and the host of its PDP in place of a full name.
  'fullnameOverride',
  'service.port',
  // Its PDP is no reverse proxy.
  'ingress.port',
  'httpRoute.port',
  // They watch its metrics, which have the calls of the PDP.
  'prometheusRule',
  'dashboard',
  // A PDP sends no traces, asks no PDP, has no application behind it, and needs no keys of an identity provider.
  'networkPolicy.pdp',
  'networkPolicy.upstream',
  'networkPolicy.tracing',
  'networkPolicy.identity',
  // The default of its route is written out.
  'httpRoute.matches',
];

/** Values of the example for its own program, and for the authorizer beside it. */
const EXAMPLE_ONLY = ['image', 'imagePullPolicy', 'port', 'authz-jsonmasking'];

/** The paths of all values, the leaves and the maps. */
function pathsIn(values: Values, prefix = ''): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const nested = lodash.isPlainObject(value) ? pathsIn(Object(value), `${prefix}${key}.`) : [];
    return [`${prefix}${key}`].concat(nested);
  });
}

/** Such as `[object Array]`. */
function typeOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}

function isServiceOnly(path: string): boolean {
  return SERVICE_ONLY.some((one) => path === one || path.startsWith(`${one}.`));
}

describe("The agent's chart", () => {
  it("has every value of the service's chart that is not about the service alone, with the same type", () => {
    const service = valuesOf('authz-jsonmasking');
    const agent = valuesOf('policy-agent');
    const missing = pathsIn(service).filter((path) => {
      const places = [`pdp.${RENAMED.get(path) ?? path}`, path];
      const type = typeOf(lodash.get(service, path));
      return !isServiceOnly(path) && !places.some((place) => typeOf(lodash.get(agent, place)) === type);
    });
    expect(missing).toEqual([]);
  });

  it('has no value of the service for itself that the service does not have', () => {
    const service = valuesOf('authz-jsonmasking');
    expect(SERVICE_ONLY.filter((path) => !lodash.has(service, path))).toEqual([]);
  });
});

describe("The example's chart", () => {
  it("has the names and the types of the service's chart for what both have", () => {
    const service = valuesOf('authz-jsonmasking');
    const example = lodash.omit(valuesOf('example-microservice'), EXAMPLE_ONLY);
    const other = pathsIn(example).filter(
      (path) => typeOf(lodash.get(service, path)) !== typeOf(lodash.get(example, path)),
    );
    expect(other).toEqual([]);
  });
});

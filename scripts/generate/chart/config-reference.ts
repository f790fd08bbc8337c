import lodash from 'lodash';
import { parseConfiguration } from '../../../src/config/load.ts';
import { ConfigurationError, type Problem } from '../../../src/yaml/problem.ts';
import { CONFIGURATION_KEYS, type ConfigurationKey } from '../../../src/config/keys.ts';
import { schemaAt, type Json } from './config-schema.ts';

interface Refusal {
  readonly key: string;
  /** What is refused, unless it matches `unless`; both in Go's syntax for regular expressions. */
  readonly pattern: string;
  readonly unless?: string;
  /** A value that the service refuses for the same reason. */
  readonly sample: string;
}

const SLOPPY = '[\\s\\\\]|:///|^$';
const SCHEME = '(?i)^[a-z][a-z0-9+.-]*://';
const HTTP = '(?i)^https?://';
const HOST = '(\\[[0-9a-fA-F:.]+\\]|[^\\s/?#@\\\\:\\[\\]]+)';
const PATH = '^/([^/\\s?#\\\\][^\\s?#\\\\]*)?$';

/** What the service refuses by rules that its schema has as code, in the order in which it tells them. */
const REFUSALS: readonly Refusal[] = [
  { key: 'pdpUrl', pattern: SLOPPY, sample: 'p dp:1' },
  { key: 'pdpUrl', pattern: SCHEME, unless: HTTP, sample: 'ftp://pdp:1' },
  { key: 'pdpUrl', pattern: '^([^/]*://)?[^/?#]*@', sample: 'http://user:word@pdp:1' },
  { key: 'pdpUrl', pattern: '[?#]', sample: 'http://pdp:1?a=b' },
  { key: 'pdpUrl', pattern: '.', unless: `${HTTP}|^${HOST}:[0-9]+$`, sample: 'pdp' },
  { key: 'pdpHost', pattern: SLOPPY, sample: 'p dp' },
  { key: 'pdpHost', pattern: SCHEME, unless: HTTP, sample: 'ftp://pdp' },
  { key: 'pdpHost', pattern: '@', sample: 'http://user:word@pdp' },
  { key: 'pdpHost', pattern: '.', unless: `(?i)^(https?://)?${HOST}$`, sample: 'pdp:1' },
  { key: 'pdpResolutionPath', pattern: '^', unless: PATH, sample: 'path' },
  { key: 'pdpTokenPath', pattern: '^', unless: PATH, sample: 'path' },
];

/** Rules between keys: what breaks one, and at which key the service says so. */
const RELATIONS = {
  noPdp: { broken: { pdpUrl: undefined }, key: '' },
  policyFileBesidePdp: { broken: { policyFile: 'policies.yaml' }, key: 'policyFile' },
  pdpPortWithoutHost: { broken: { pdpPort: 1 }, key: 'pdpPort' },
  certificateWithoutKey: { broken: { tls: { certFile: 'a' } }, key: 'tls.keyFile' },
  tlsWithoutCertificate: { broken: { tls: { keyFile: 'a' } }, key: 'tls.certFile' },
  pdpCertificateWithoutKey: {
    broken: { pdpUrl: 'https://pdp', pdpTls: { certFile: 'a' } },
    key: 'pdpTls.keyFile',
  },
  pdpKeyWithoutCertificate: {
    broken: { pdpUrl: 'https://pdp', pdpTls: { keyFile: 'a' } },
    key: 'pdpTls.certFile',
  },
  protocolOfEmbeddedPdp: {
    broken: { pdpUrl: undefined, policyFile: 'a', pdpProtocol: 'opa' },
    key: 'pdpProtocol',
  },
  opaWithoutDocument: { broken: { pdpProtocol: 'opa' }, key: 'pdpUrl' },
  pdpTlsWithoutHttps: { broken: { pdpTls: { caFile: 'a' } }, key: 'pdpTls' },
  cacheOfEmbeddedPdp: {
    broken: { pdpUrl: undefined, policyFile: 'a', pdpCache: { enabled: true } },
    key: 'pdpCache.enabled',
  },
  noClientAuthority: {
    broken: { tls: { certFile: 'a', keyFile: 'a', clientCertificates: 'request' } },
    key: 'tls.clientCaFile',
  },
  idleClientAuthority: {
    broken: { tls: { certFile: 'a', keyFile: 'a', clientCaFile: 'a' } },
    key: 'tls.clientCertificates',
  },
  objectWithoutAttrName: { broken: { object: 'a' }, key: 'object' },
  objectIsAttrName: { broken: { object: 'a', attrName: 'a' }, key: 'object' },
  metricsWithoutPort: { broken: { metrics: { host: 'a' } }, key: 'metrics.port' },
  healthWithoutPort: { broken: { health: { host: 'a' } }, key: 'health.port' },
  explainWithoutPort: { broken: { explain: { host: 'a' } }, key: 'explain.port' },
  drainTimeoutTooShort: { broken: { drainDelay: 2, drainTimeout: 1 }, key: 'drainTimeout' },
};

/** What the service says of a configuration. */
function problemsOf(configuration: Json): readonly Problem[] {
  try {
    parseConfiguration(JSON.stringify({ port: 1, pdpUrl: 'pdp:1', ...configuration }), {
      file: 'config.yaml',
    });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

/** The service's own words, so that the chart's can't differ. */
function messageOf(configuration: Json, key: string): string {
  const problem = problemsOf(configuration).find((found) => found.key === key);
  if (problem === undefined) throw new Error(`The service does not refuse ${JSON.stringify(configuration)}`);
  return problem.message;
}

function refusalsOf(key: string): readonly Json[] {
  return REFUSALS.filter((refusal) => refusal.key === key).map(({ sample, ...refusal }) =>
    lodash.defaults(
      { message: messageOf({ pdpUrl: undefined, [key]: sample }, key) },
      lodash.omit(refusal, 'key'),
    ),
  );
}

function referenceOf({ key, expectation, required }: ConfigurationKey): Json {
  const path = key.split('.');
  const ranges = lodash.pick(schemaAt(path), ['minimum', 'maximum', 'minLength', 'enum', 'default']);
  return { key, path, expectation, required, ...ranges, refusals: refusalsOf(key) };
}

/**
 * `files/config-reference.json` of the chart: what its templates know of the service's configuration, to tell problems in
 * the service's own words before anything is installed.
 */
export function configReference(): string {
  const messages = lodash.mapValues(RELATIONS, ({ broken, key }) => messageOf(broken, key));
  return JSON.stringify({ keys: CONFIGURATION_KEYS.map(referenceOf), messages });
}

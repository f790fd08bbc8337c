import lodash from 'lodash';
import * as z from 'zod';
import { parseConfiguration } from '../../../src/config/load.ts';
import { SERVER_NAME } from '../../../src/config/pdp-address.ts';
import { ROOT_WORD } from '../../../src/config/root-word.ts';
import { CLAIM_PATH_PATTERN } from '../../../src/core/index.ts';
import { HEADER } from '../../../src/places/routes/variables.ts';
import { ConfigurationError, type Problem } from '../../../src/yaml/problem.ts';
import { CONFIGURATION_KEYS, type ConfigurationKey } from '../../../src/config/keys.ts';
import { KEYS_OF_PROTOCOLS } from '../../../src/config/verify.ts';
import { schemaAt, type Json } from './config-schema.ts';

const alternatives = z.array(z.record(z.string(), z.unknown()));

interface Refusal {
  readonly key: string;
  /** Of a list: the name of the refused member of an element, or nothing for the element itself. */
  readonly member?: string;
  /** What is refused, unless it matches `unless`; both in Go's syntax for regular expressions. */
  readonly pattern: string;
  readonly unless?: string;
  /** A value that the service refuses for the same reason. */
  readonly sample: string;
  /** Other keys that the service needs to get as far as this value. */
  readonly beside?: Json;
}

const SLOPPY = '[\\s\\p{Cc}\\\\]|:///|^$';
const SCHEME = '(?i)^[a-z][a-z0-9+.-]*://';
const HTTP = '(?i)^https?://';
const HOST = '(\\[[0-9a-fA-F:.]+\\]|[^\\s/?#@\\\\:\\[\\]]+)';
const PATH = '^/([^/\\s?#\\\\][^\\s?#\\\\]*)?$';

const URL_WITHOUT_USER = '(?i)^https?://[^\\s\\\\/?#@]+([/?][^\\s\\\\#]*)?#?$';
const BEFORE_HOST = '^([A-Za-z]+://)?';
/** More than 65535. */
const NO_PORT = '([1-9][0-9]{5,}|[7-9][0-9]{4}|6[6-9][0-9]{3}|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])';
const PORT_TOO_HIGH = `${BEFORE_HOST}[^/?#]*:0*${NO_PORT}([/?#]|$)`;
const AFTER_HOST = '\\.?([:/?#]|$)';
/** More than 255. */
const NO_BYTE = '(25[6-9]|2[6-9][0-9]|[3-9][0-9]{2}|[1-9][0-9]{3,})';
/** What a URL parser takes for an IPv4 address, because it ends in a number, and cannot read as one. */
const NO_IPV4 = [
  `${BEFORE_HOST}([^/?#:]*\\.)?0[0-9]*[89][0-9]*${AFTER_HOST}`,
  `${BEFORE_HOST}([0-9]+\\.){4,}[0-9]+${AFTER_HOST}`,
  `${BEFORE_HOST}([0-9]+\\.){3}${NO_BYTE}${AFTER_HOST}`,
  `${BEFORE_HOST}([0-9]+\\.){0,2}${NO_BYTE}(\\.[0-9]+)+${AFTER_HOST}`,
].join('|');
/** What no name of a host has. */
const NO_NAME = `${BEFORE_HOST}[^/?#]*([\\^|<>]|%([^0-9a-fA-F]|.[^0-9a-fA-F]|.?$))`;
const NO_HOST = `${NO_NAME}|${NO_IPV4}`;
const BYTE = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV6_ADDRESS = ipv6Pattern();
/** What is in brackets and is no IPv6 address. */
const NO_IPV6 = {
  pattern: `${BEFORE_HOST}\\[`,
  unless: `${BEFORE_HOST}\\[${IPV6_ADDRESS}\\]([:/?#]|$)`,
};
const PROXY = { proxy: { port: 1, upstream: 'http://app:80' } };
/** What the service listens on. */
const HOSTS: Readonly<Record<string, Json>> = {
  host: {},
  'proxy.host': PROXY,
  'extProc.host': { extProc: { port: 1 } },
  'metrics.host': { metrics: { port: 2 } },
  'health.host': { health: { port: 2 } },
  'explain.host': { explain: { port: 2 } },
};
const IPV6 = `^${IPV6_ADDRESS}(%[^\\s/:]+)?$`;
/** What a URL is refused by that may have anything after its host. */
const URL_RULES: readonly Json[] = [
  { pattern: '^', unless: `${HTTP}[^\\s/?#]` },
  { pattern: `${NO_HOST}|${PORT_TOO_HIGH}` },
  NO_IPV6,
];
const OVER_OPA: Json = { pdpProtocol: 'opa', pdpUrl: 'http://opa/v1/data/a' };
const HEADER_NAME = "^[A-Za-z0-9_!#$%&'*+.^`|~-]+$";

/** An IPv6 address as RFC 3986 has it: Go knows no look-ahead by which groups could be counted. */
function ipv6Pattern(): string {
  const group = '[0-9a-fA-F]{1,4}';
  const last = `(${group}:${group}|${BYTE}([.]${BYTE}){3})`;
  const after = (groups: number) => (groups === 0 ? '' : `((${group}:){0,${groups - 1}}${group})?`);
  const shortened = lodash.range(6).map((before) => `${after(before)}::(${group}:){${5 - before}}${last}`);
  return `((${group}:){6}${last}|${shortened.join('|')}|${after(6)}::${group}|${after(7)}::)`;
}

/** What the service refuses by rules that its schema has as code, in the order in which it reports them. */
const REFUSALS: readonly Refusal[] = [
  { key: 'pdpUrl', pattern: SLOPPY, sample: 'p dp:1' },
  { key: 'pdpUrl', pattern: `${NO_HOST}|${PORT_TOO_HIGH}|:0+(/|$)`, sample: 'p^dp:1' },
  { key: 'pdpUrl', ...NO_IPV6, sample: '[::1::2]:1' },
  { key: 'pdpUrl', pattern: SCHEME, unless: HTTP, sample: 'ftp://pdp:1' },
  { key: 'pdpUrl', pattern: '^([^/]*://)?[^/?#]*@', sample: 'http://user:word@pdp:1' },
  { key: 'pdpUrl', pattern: '[?#]', sample: 'http://pdp:1?a=b' },
  { key: 'pdpUrl', pattern: '.', unless: `${HTTP}|^${HOST}:[0-9]+$`, sample: 'pdp' },
  { key: 'pdpHost', pattern: SLOPPY, sample: 'p dp' },
  { key: 'pdpHost', pattern: NO_HOST, sample: 'p^dp' },
  { key: 'pdpHost', ...NO_IPV6, sample: '[::1::2]' },
  { key: 'pdpHost', pattern: SCHEME, unless: HTTP, sample: 'ftp://pdp' },
  { key: 'pdpHost', pattern: '@', sample: 'http://user:word@pdp' },
  { key: 'pdpHost', pattern: '.', unless: `(?i)^(https?://)?${HOST}$`, sample: 'pdp:1' },
  { key: 'pdpResolutionPath', pattern: '^', unless: PATH, sample: 'path' },
  { key: 'pdpTokenPath', pattern: '^', unless: PATH, sample: 'path' },
  {
    key: 'tracing.endpoint',
    pattern: '^',
    unless: '(?i)^https?://[^\\s\\\\/?#][^\\s\\\\]*$',
    sample: 'collector:4318',
  },
  { key: 'tracing.endpoint', pattern: `${NO_HOST}|${PORT_TOO_HIGH}`, sample: 'http://c:99999' },
  { key: 'tracing.endpoint', ...NO_IPV6, sample: 'http://[::1::2]' },
  { key: 'tracing.endpoint', pattern: '[?#].', unless: '^[^?#]*\\?#$', sample: 'http://collector?a=b' },
  { key: 'tracing.endpoint', pattern: '^[^/]*//:*[^/?#@:][^/?#]*@', sample: 'http://user:word@collector' },
  { key: 'identity.jwt.jwksUri', pattern: '^', unless: URL_WITHOUT_USER, sample: 'idp' },
  { key: 'identity.jwt.jwksUri', pattern: `${NO_HOST}|${PORT_TOO_HIGH}`, sample: 'https://i:99999' },
  { key: 'identity.jwt.jwksUri', ...NO_IPV6, sample: 'https://[::1::2]' },
  { key: 'proxy.upstream', pattern: `${NO_HOST}|${PORT_TOO_HIGH}`, sample: 'http://a:99999' },
  { key: 'proxy.upstream', ...NO_IPV6, sample: 'http://[::1::2]' },
  { key: 'proxy.upstream', pattern: '^', unless: '(?i)^https?://[^\\s\\\\/?#@]+/?$', sample: 'app:80' },
  { key: 'routes', member: 'path', pattern: '^', unless: '^/', sample: 'x', beside: PROXY },
  { key: 'routes', member: 'path', pattern: '[?#]', sample: '/x?y', beside: PROXY },
  { key: 'routes', member: 'path', pattern: '[^/]\\*\\*|\\*\\*[^/]', sample: '/x**', beside: PROXY },
  { key: 'routes', member: 'path', pattern: '/:|[{}<>]', sample: '/x/:id', beside: PROXY },
  { key: 'routes', member: 'path', pattern: '(?i)\\\\|%2f|%5c', sample: '/x%2Fy', beside: PROXY },
  { key: 'routes', member: 'path', pattern: '//|/\\.\\.?(/|$)', sample: '/x//y', beside: PROXY },
  { key: 'rootWord', pattern: '^', unless: ROOT_WORD.source, sample: '$.result' },
  {
    key: 'pdpTls.serverName',
    pattern: '^',
    unless: SERVER_NAME.source,
    sample: '10.0.0.1',
    beside: { pdpUrl: 'https://pdp' },
  },
  ...Object.entries(HOSTS).map(([key, beside]) => ({
    key,
    pattern: '[:/\\s]',
    unless: IPV6,
    sample: 'http://localhost',
    beside: { ...beside, pdpUrl: 'pdp:1' },
  })),
  {
    key: 'trustedHeaders',
    member: '',
    pattern: '^',
    unless: HEADER_NAME,
    sample: 'X User',
    beside: PROXY,
  },
  { key: 'pdpHeaders', member: '', pattern: '^', unless: HEADER_NAME, sample: 'X User', beside: OVER_OPA },
];

/** A name that the maps of the service would lose. */
const LOST_KEY = '__proto__';

/** Rules between keys: what breaks one, and at which key the service says so. */
const RELATIONS = {
  noPdp: { broken: { pdpUrl: undefined }, key: '' },
  policyFileBesidePdp: { broken: { policyFile: 'policies.yaml' }, key: 'policyFile' },
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
  objectIsAttrName: { broken: { object: 'a', attrName: 'a' }, key: 'object' },
  issuerWithoutKeys: {
    broken: { identity: { jwt: { issuer: 'x', audience: 'a' } } },
    key: 'identity.jwt.issuer',
  },
  claimsWithoutIdentity: {
    broken: { ...PROXY, routes: [{ path: '/', vendor: { id: '${claims.sub}' } }] },
    key: 'identity.jwt',
  },
  drainTimeoutTooShort: { broken: { drainDelay: 2, drainTimeout: 1 }, key: 'drainTimeout' },
  variable: { broken: { assetType: '${X}' }, key: 'assetType' },
  lostKey: {
    broken: { ...OVER_OPA, pdpContext: { [LOST_KEY]: 1 } },
    key: `pdpContext.${LOST_KEY}`,
  },
  vendorInContext: { broken: { ...OVER_OPA, pdpContext: { vendor: {} } }, key: 'pdpContext' },
  ...lodash.mapValues({ action: '?', filter: 'FILTER', priority: '1::MASK' }, (action) => ({
    broken: authzenProperties({ path: 'a', action }),
    key: 'authzen.properties.0.action',
  })),
  repeatedProperty: { broken: authzenProperties({ path: 'a' }, { path: 'a' }), key: 'authzen.properties' },
};

function authzenProperties(...properties: readonly Json[]): Json {
  return { pdpProtocol: 'authzen', pdpUrl: 'http://pdp', authzen: { properties } };
}

interface Requirement {
  /** Dotted, as all keys here. The key at which the service reports the problem. */
  readonly key: string;
  /** The keys of which each needs one of the keys in `needs`. */
  readonly given: readonly string[];
  readonly needs: readonly string[];
  /** A configuration without what it needs. */
  readonly broken: Json;
}

const TLS_KEYS = ['tls.keyFile', 'tls.clientCaFile', 'tls.clientCertificates'];
const overHttps = (pdpTls: Json): Json => ({ pdpUrl: 'https://pdp', pdpTls });

/** Keys that need another key. */
const REQUIREMENTS: readonly Requirement[] = [
  { key: 'pdpPort', given: ['pdpPort'], needs: ['pdpHost'], broken: { pdpPort: 1 } },
  { key: 'tls.keyFile', given: ['tls.certFile'], needs: ['tls.keyFile'], broken: { tls: { certFile: 'a' } } },
  { key: 'tls.certFile', given: TLS_KEYS, needs: ['tls.certFile'], broken: { tls: { keyFile: 'a' } } },
  {
    key: 'pdpTls.keyFile',
    given: ['pdpTls.certFile'],
    needs: ['pdpTls.keyFile'],
    broken: overHttps({ certFile: 'a' }),
  },
  {
    key: 'pdpTls.certFile',
    given: ['pdpTls.keyFile'],
    needs: ['pdpTls.certFile'],
    broken: overHttps({ keyFile: 'a' }),
  },
  { key: 'object', given: ['object'], needs: ['attrName'], broken: { object: 'a' } },
  ...['issuer', 'audience'].map((name) => ({
    key: `identity.jwt.${name}`,
    given: ['identity.jwt'],
    needs: [`identity.jwt.${name}`],
    broken: { identity: { jwt: {} } },
  })),
  {
    key: 'identity.jwt',
    given: ['identity.required'],
    needs: ['identity.jwt'],
    broken: { identity: { required: true } },
  },
  { key: 'proxy.upstream', given: ['proxy.port'], needs: ['proxy.upstream'], broken: { proxy: { port: 1 } } },
  ...['proxy', 'extProc'].map((key) => ({
    key: `${key}.port`,
    given: [key],
    needs: [`${key}.port`],
    broken: { [key]: {} },
  })),
  ...Object.entries({ routes: [], otherwise: {}, trustedHeaders: [] }).map(([key, value]) => ({
    key,
    given: [key],
    needs: ['proxy', 'extProc'],
    broken: { [key]: value },
  })),
  ...['metrics', 'health', 'explain'].map((key) => ({
    key: `${key}.port`,
    given: [`${key}.host`],
    needs: [`${key}.port`],
    broken: { [key]: { host: 'a' } },
  })),
];

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

function refusal({ key, member, sample, beside, ...rule }: Refusal): Json {
  const isElement = member !== undefined;
  const element = member === '' ? sample : lodash.set({}, member ?? key, sample);
  const broken = lodash.set(
    { pdpUrl: undefined, ...lodash.cloneDeep(beside) },
    key,
    isElement ? [element] : sample,
  );
  const place = isElement ? lodash.compact([key, '0', member]).join('.') : key;
  return { message: messageOf(broken, place), ...rule };
}

/** What is refused of a value itself, and of the elements of a list: by the name of the member, empty for the whole element. */
function refusalsOf(key: string): Json {
  const [elements, values] = lodash.partition(
    REFUSALS.filter((one) => one.key === key),
    ({ member }) => member !== undefined,
  );
  const byMember = lodash.groupBy(elements, ({ member }) => member);
  return {
    refusals: values.map(refusal),
    elements: Object.entries(byMember).map(([member, rules]) => ({ member, refusals: rules.map(refusal) })),
  };
}

const RANGES = ['minimum', 'maximum', 'minLength', 'enum', 'default'];

/** The ranges of a key. One that takes numbers or a word has the range of the former, and the latter as its only text. */
function rangesOf(path: readonly string[]): Json {
  const schema = schemaAt(path);
  const forms = alternatives.parse(schema['anyOf'] ?? []);
  const words = forms.flatMap((form) => form['const'] ?? []);
  const numbers = lodash.pick(Object.assign({}, ...forms), RANGES);
  return { ...numbers, ...(words.length > 0 && { enum: words }), ...lodash.pick(schema, RANGES) };
}

function referenceOf({ key, expectation, required }: ConfigurationKey): Json {
  const path = key.split('.');
  return { key, path, expectation, required, ...rangesOf(path), ...refusalsOf(key) };
}

function pathsOf(keys: readonly string[]): readonly (readonly string[])[] {
  return keys.map((key) => key.split('.'));
}

/** The texts that `vendor` of a route may have, and what the service says of others and of names with variables. */
function vendorTexts(): Json {
  const [claim, header] = [CLAIM_PATH_PATTERN, HEADER.source].map((form) =>
    form.replace(/^\^(?:\\\$)?|\$$/gu, ''),
  );
  const message = messageOf(
    { ...PROXY, routes: [{ path: '/', vendor: { id: '${x}' } }] },
    'routes.0.vendor.id',
  );
  const known = message.replace('${x}, which is not a variable', 'a variable that is not known');
  const variable = String.raw`\{(?:method|path|${header}|claims(?:\.\$)?${claim})\}`;
  const numberMessage = messageOf(
    { ...PROXY, routes: [{ path: '/', vendor: { id: 2 ** 53 } }] },
    'routes.0.vendor.id',
  );
  const nameMessage = messageOf(
    { ...PROXY, routes: [{ path: '/', vendor: { '${path}': '' } }] },
    'routes.0.vendor.${path}',
  );
  return {
    pattern: String.raw`^(?:[^$]|\$+[^${'$'}{]|\$+${variable})*\$*$`,
    message: known,
    nameMessage,
    numberMessage,
  };
}

/**
 * `files/config-reference.json` of the chart: what its templates know of the service's configuration, to tell problems in
 * the service's own words before anything is installed.
 */
export function configReference(): string {
  const messages = lodash.mapValues(RELATIONS, ({ broken, key }) => messageOf(broken, key));
  const requirements = REQUIREMENTS.map(({ key, given, needs, broken }) => ({
    key,
    given: pathsOf(given),
    needs: pathsOf(needs),
    message: messageOf(broken, key),
  }));
  return JSON.stringify({
    keys: CONFIGURATION_KEYS.map(referenceOf),
    requirements,
    protocols: KEYS_OF_PROTOCOLS.map(({ key, protocols, message }) => ({
      key,
      given: pathsOf([key]),
      protocols,
      message,
    })),
    messages,
    vendor: vendorTexts(),
    urls: URL_RULES.map((rule) => Object.assign({}, rule, { message: messages.issuerWithoutKeys })),
  });
}

import _ from 'lodash';
import { pdpAddress, resolveEndpoints } from './endpoints.ts';
import { hostProblems, listenerProblems, selfProblems } from './listeners.ts';
import type { Problem } from '../yaml/index.ts';
import type { Configuration } from './schema.ts';
import type { Values } from './values.ts';

/** Whether a key (dotted) is given, with a valid value or not: invalid values are reported separately. */
type Given = (key: string) => boolean;

interface Rule {
  /** Dotted. */
  readonly key: string;
  readonly isBroken: (given: Given) => boolean;
  readonly message: string;
}

const NEEDS_CERTIFICATE = ['tls.keyFile', 'tls.clientCaFile', 'tls.clientCertificates'];

function isAnyGiven(given: Given, keys: readonly string[]): boolean {
  return keys.some((key) => given(key));
}

interface OfProtocols {
  /** Dotted. */
  readonly key: string;
  readonly protocols: readonly string[];
  readonly message: string;
}

/** The keys that have an effect only with some protocols of the PDP: with another one, their author would rely on nothing. */
export const KEYS_OF_PROTOCOLS: readonly OfProtocols[] = Object.entries({
  pdpAction: ['opa', 'authzen'],
  pdpContext: ['opa', 'authzen'],
  bareDecision: ['opa', 'authzen'],
  pdpHeaders: ['opa'],
  'authzen.properties': ['authzen'],
  'authzen.obligations': ['authzen'],
  'authzen.batch': ['authzen'],
}).map(([key, protocols]) => ({
  key,
  protocols,
  message: `has an effect only with pdpProtocol: ${protocols.join(' or ')}`,
}));

/** Relations between the keys that are given. */
const RULES: readonly Rule[] = [
  {
    key: '',
    isBroken: (given) => !given('pdpUrl') && !given('pdpHost') && !given('policyFile'),
    message:
      'No PDP is configured: give pdpUrl or pdpHost for a remote one, or policyFile for the embedded one.',
  },
  {
    key: 'policyFile',
    isBroken: (given) => given('policyFile') && (given('pdpUrl') || given('pdpHost')),
    message: 'configures the embedded PDP beside a remote one (pdpUrl or pdpHost); keep one of them',
  },
  {
    key: 'pdpPort',
    isBroken: (given) => given('pdpPort') && !given('pdpHost'),
    message: 'belongs to pdpHost, which is not given; with pdpUrl, the port is part of the URL',
  },
  {
    key: 'tls.keyFile',
    isBroken: (given) => given('tls.certFile') && !given('tls.keyFile'),
    message: 'is required with tls.certFile',
  },
  {
    key: 'tls.certFile',
    isBroken: (given) => isAnyGiven(given, NEEDS_CERTIFICATE) && !given('tls.certFile'),
    message: 'is required with the other keys of tls: without it, the service listens without TLS',
  },
  {
    key: 'pdpTls.keyFile',
    isBroken: (given) => given('pdpTls.certFile') && !given('pdpTls.keyFile'),
    message: 'is required with pdpTls.certFile',
  },
  {
    key: 'pdpTls.certFile',
    isBroken: (given) => given('pdpTls.keyFile') && !given('pdpTls.certFile'),
    message: 'is required with pdpTls.keyFile',
  },
  {
    key: 'object',
    isBroken: (given) => given('object') && !given('attrName'),
    message: 'needs attrName: without it, nothing identifies the property below the object',
  },
  {
    key: 'identity.jwt.issuer',
    isBroken: (given) => given('identity.jwt') && !given('identity.jwt.issuer'),
    message: 'is required with identity.jwt: only tokens of this issuer are accepted',
  },
  {
    key: 'identity.jwt.audience',
    isBroken: (given) => given('identity.jwt') && !given('identity.jwt.audience'),
    message: 'is required with identity.jwt: only tokens for this audience are accepted',
  },
  {
    key: 'identity.jwt',
    isBroken: (given) => given('identity.required') && !given('identity.jwt'),
    message: 'is required with identity.required: it says which tokens are accepted',
  },
  {
    key: 'proxy.upstream',
    isBroken: (given) => given('proxy.port') && !given('proxy.upstream'),
    message: 'is required with proxy.port: it is the URL of the application whose answers are enforced',
  },
  {
    key: 'proxy.port',
    isBroken: (given) => given('proxy') && !given('proxy.port'),
    message: 'is required with proxy',
  },
  ...['routes', 'otherwise', 'trustedHeaders'].map((key) => ({
    key,
    isBroken: (given: Given) => given(key) && !given('proxy') && !given('extProc'),
    message: 'needs proxy or extProc: /enforce has no routes',
  })),
  {
    key: 'extProc.port',
    isBroken: (given) => given('extProc') && !given('extProc.port'),
    message: 'is required with extProc',
  },
  {
    key: 'metrics.port',
    isBroken: (given) => given('metrics.host') && !given('metrics.port'),
    message: 'is required with metrics.host',
  },
  {
    key: 'health.port',
    isBroken: (given) => given('health.host') && !given('health.port'),
    message: 'is required with health.host',
  },
  {
    key: 'explain.port',
    isBroken: (given) => given('explain.host') && !given('explain.port'),
    message: 'is required with explain.host',
  },
];

/**
 * The problems between the keys that are given.
 *
 * @param values nested maps and lists, valid or not
 */
export function verifyKeys(values: Values): readonly Problem[] {
  const given: Given = (key) => _.get(values, key) !== undefined;
  const { pdpProtocol } = values;
  const broken = RULES.filter(({ isBroken }) => isBroken(given));
  const stray = KEYS_OF_PROTOCOLS.filter(
    ({ key, protocols }) => given(key) && !protocols.some((protocol) => protocol === pdpProtocol),
  );
  return [...broken, ...stray].map(({ key, message }) => ({ key, message }));
}

function isAnyGivenIn(group: object): boolean {
  return Object.values(group).some((value) => value !== undefined);
}

/** A configuration without any PDP counts as well: it is reported separately. */
function isOverTls(configuration: Configuration): boolean {
  const { pdpUrl, pdpHost, policyFile } = configuration;
  if (pdpUrl === undefined && pdpHost === undefined) return policyFile === undefined;
  return resolveEndpoints(configuration).resolution.protocol === 'https:';
}

/** A missing PDP is reported separately. */
function namesDocument(configuration: Configuration): boolean {
  const { pdpUrl, pdpHost } = configuration;
  if (pdpHost !== undefined) return false;
  return pdpUrl === undefined || pdpAddress(configuration).pathname !== '/';
}

/** The keys (dotted) of the texts in a value that have variables of claims. */
function keysWithClaims(value: unknown, key: string): readonly string[] {
  if (typeof value === 'string') return /\$\{claims[.[]/u.test(value) ? [key] : [];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => keysWithClaims(inner, `${key}.${name}`));
}

/** The key (dotted) of the first text of the routes that has a variable of claims. */
function claimsIn({ routes, otherwise }: Configuration): string | undefined {
  const ofRoutes = routes.flatMap(({ vendor }, index) => keysWithClaims(vendor, `routes.${index}.vendor`));
  return [...ofRoutes, ...keysWithClaims(otherwise.vendor, 'otherwise.vendor')][0];
}

function isInvalidUrl(text: string | undefined): boolean {
  return text !== undefined && !(/^https?:\/\//iu.test(text) && URL.canParse(text));
}

/** The external processor alone does without `identity.jwt`: Envoy may have verified the token. */
function lacksClaims(configuration: Configuration): boolean {
  const { identity, extProc, proxy } = configuration;
  if (identity.jwt.issuer !== undefined || claimsIn(configuration) === undefined) return false;
  return extProc.port === undefined || proxy.port !== undefined;
}

interface ValueRule {
  readonly key: string;
  readonly isBroken: (configuration: Configuration) => boolean;
  readonly message: string;
  readonly neededBy?: (configuration: Configuration) => string | undefined;
}

/** What must hold between values, defaults included. */
const VALUE_RULES: readonly ValueRule[] = [
  {
    key: 'pdpProtocol',
    isBroken: ({ pdpProtocol, policyFile }) => pdpProtocol !== 'resolution' && policyFile !== undefined,
    message: 'is for a remote PDP, and policyFile configures the embedded one; keep one of them',
  },
  {
    key: 'pdpUrl',
    isBroken: (configuration) => configuration.pdpProtocol === 'opa' && !namesDocument(configuration),
    message:
      'must have the path of the document for pdpProtocol: opa, such as http://opa:8181/v1/data/masking/decision',
  },
  {
    key: 'pdpTls',
    isBroken: (configuration) => isAnyGivenIn(configuration.pdpTls) && !isOverTls(configuration),
    message: 'needs a PDP over https: give pdpUrl or pdpHost with https://, or the port 443',
  },
  {
    key: 'pdpCache.enabled',
    isBroken: ({ pdpCache, policyFile }) => pdpCache.enabled && policyFile !== undefined,
    message: 'must be false with policyFile: the embedded PDP decides as fast as a cache answers',
  },
  {
    key: 'tls.clientCaFile',
    isBroken: ({ tls }) => tls.clientCertificates !== 'none' && tls.clientCaFile === undefined,
    message: 'is required with tls.clientCertificates: it verifies the certificates of clients',
  },
  {
    key: 'tls.clientCertificates',
    isBroken: ({ tls }) => tls.clientCertificates === 'none' && tls.clientCaFile !== undefined,
    message: 'must be request or require with tls.clientCaFile, which has no effect otherwise',
  },
  {
    key: 'object',
    isBroken: ({ attrName, object }) => object !== undefined && object === attrName,
    message: 'must differ from attrName: one attribute cannot be both the prefix and the name of a property',
  },
  {
    key: 'identity.jwt.issuer',
    isBroken: ({ identity: { jwt } }) => jwt.jwksUri === undefined && isInvalidUrl(jwt.issuer),
    message: 'must be a URL that begins with https:// or http://, or identity.jwt.jwksUri must be given',
  },
  {
    key: 'identity.jwt',
    isBroken: lacksClaims,
    message: 'is required for the ${claims.…} variables of routes and otherwise',
    neededBy: claimsIn,
  },
  {
    key: 'drainTimeout',
    isBroken: ({ drainDelay, drainTimeout }) => drainTimeout <= drainDelay,
    message: 'must be more than drainDelay, which is a part of it',
  },
];

/** The problems between the values of a configuration that is valid key by key. */
export function verifyValues(configuration: Configuration): readonly Problem[] {
  const broken = VALUE_RULES.filter(({ isBroken }) => isBroken(configuration));
  return [
    ...broken.map(({ key, message, neededBy }) => ({ key, message, neededBy: neededBy?.(configuration) })),
    ...hostProblems(configuration),
    ...listenerProblems(configuration),
    ...selfProblems(configuration),
  ];
}

// Written by `npm run docs` from the schema.
import type { Key } from './accept.ts';

/** The keys of the configuration. */
export const CONFIGURATION_SHAPE: Key = {
  kind: 'group',
  keys: {
    port: { kind: 'integer', least: 0, most: 65535 },
    host: { kind: 'text', least: 1, isOptional: true },
    workers: {
      kind: 'either',
      of: [
        { kind: 'integer', least: 1, most: 256 },
        { kind: 'word', of: ['auto'] },
      ],
      standard: 1,
    },
    pdpUrl: { kind: 'other', isOptional: true },
    pdpHost: { kind: 'other', isOptional: true },
    pdpPort: { kind: 'integer', least: 1, most: 65535, isOptional: true },
    pdpResolutionPath: { kind: 'other', standard: '/api/runtime/resolution/v3' },
    pdpTokenPath: { kind: 'other', standard: '/api/runtime/token/v3' },
    pdpTimeout: { kind: 'integer', least: 1, most: 600000, standard: 5000 },
    pdpProtocol: { kind: 'word', of: ['resolution', 'opa', 'authzen'], standard: 'resolution' },
    pdpAction: { kind: 'text', least: 1, standard: 'read' },
    pdpContext: { kind: 'other', standard: {} },
    bareDecision: { kind: 'word', of: ['refuse', 'allow'], standard: 'refuse' },
    pdpHeaders: { kind: 'other', standard: [] },
    authzen: {
      kind: 'group',
      keys: {
        properties: { kind: 'other', isOptional: true },
        obligations: { kind: 'flag', standard: false },
        batch: { kind: 'integer', least: 1, most: 10000, standard: 50 },
      },
    },
    pdpTls: {
      kind: 'group',
      keys: {
        caFile: { kind: 'text', least: 1, isOptional: true },
        certFile: { kind: 'text', least: 1, isOptional: true },
        keyFile: { kind: 'text', least: 1, isOptional: true },
        serverName: { kind: 'other', isOptional: true },
      },
    },
    pdpBreaker: {
      kind: 'group',
      keys: {
        enabled: { kind: 'flag', standard: true },
        failurePercentage: { kind: 'integer', least: 1, most: 99, standard: 50 },
        minimumCalls: { kind: 'integer', least: 1, most: 100000, standard: 20 },
        window: { kind: 'integer', least: 1000, most: 3600000, standard: 10000 },
        probeAfter: { kind: 'integer', least: 1, most: 3600000, standard: 1000 },
      },
    },
    pdpCache: {
      kind: 'group',
      keys: {
        enabled: { kind: 'flag', standard: false },
        maxEntries: { kind: 'integer', least: 1, most: 1000000, standard: 10000 },
        maxSize: { kind: 'integer', least: 1, most: 4096, standard: 64 },
        maxAge: { kind: 'integer', least: 1, most: 86400000, standard: 300000 },
      },
    },
    tracing: {
      kind: 'group',
      keys: {
        endpoint: { kind: 'other', isOptional: true },
        serviceName: { kind: 'text', least: 1, standard: 'authz-jsonmasking' },
        sampleRatio: { kind: 'number', least: 0, most: 1, standard: 1 },
      },
    },
    policyFile: { kind: 'text', least: 1, isOptional: true },
    log: {
      kind: 'group',
      keys: {
        level: { kind: 'word', of: ['error', 'warn', 'info', 'debug'], standard: 'info' },
        format: { kind: 'word', of: ['json', 'text'], standard: 'json' },
      },
    },
    maxBody: { kind: 'integer', least: 1, most: 256, standard: 4 },
    maxAnswer: { kind: 'integer', least: 1, most: 1024, isOptional: true },
    maxDepth: { kind: 'integer', least: 1, most: 1024, standard: 512 },
    maxInFlight: { kind: 'integer', least: 1, most: 100000, standard: 256 },
    maxStreams: { kind: 'integer', least: 1, most: 100000, standard: 256 },
    maxInFlightBody: { kind: 'integer', least: 1, most: 65536, standard: 64 },
    headersTimeout: { kind: 'integer', least: 1, most: 3600000, standard: 10000 },
    bodyTimeout: { kind: 'integer', least: 1, most: 3600000, standard: 30000 },
    answerTimeout: { kind: 'integer', least: 1, most: 3600000, standard: 30000 },
    keepAliveTimeout: { kind: 'integer', least: 1, most: 3600000, standard: 75000 },
    drainDelay: { kind: 'integer', least: 0, most: 3600000, standard: 5000 },
    drainTimeout: { kind: 'integer', least: 1, most: 3600000, standard: 25000 },
    tls: {
      kind: 'group',
      keys: {
        certFile: { kind: 'text', least: 1, isOptional: true },
        keyFile: { kind: 'text', least: 1, isOptional: true },
        clientCaFile: { kind: 'text', least: 1, isOptional: true },
        clientCertificates: { kind: 'word', of: ['none', 'request', 'require'], standard: 'none' },
      },
    },
    health: {
      kind: 'group',
      keys: {
        port: { kind: 'integer', least: 1, most: 65535, isOptional: true },
        host: { kind: 'text', least: 1, isOptional: true },
      },
    },
    metrics: {
      kind: 'group',
      keys: {
        port: { kind: 'integer', least: 1, most: 65535, isOptional: true },
        host: { kind: 'text', least: 1, isOptional: true },
      },
    },
    explain: {
      kind: 'group',
      keys: {
        port: { kind: 'integer', least: 1, most: 65535, isOptional: true },
        host: { kind: 'text', least: 1, standard: '127.0.0.1' },
      },
    },
    maxExplained: { kind: 'integer', least: 1, most: 1000000, standard: 10000 },
    report: { kind: 'flag', standard: false },
    audit: { kind: 'flag', standard: false },
    identity: {
      kind: 'group',
      keys: {
        required: { kind: 'flag', standard: false },
        jwt: {
          kind: 'group',
          keys: {
            issuer: { kind: 'text', least: 1, isOptional: true },
            audience: { kind: 'text', least: 1, isOptional: true },
            jwksUri: { kind: 'other', isOptional: true },
            algorithms: {
              kind: 'other',
              standard: [
                'RS256',
                'RS384',
                'RS512',
                'PS256',
                'PS384',
                'PS512',
                'ES256',
                'ES384',
                'ES512',
                'EdDSA',
                'Ed25519',
              ],
            },
            clockTolerance: { kind: 'integer', least: 0, most: 300000, standard: 0 },
          },
        },
      },
    },
    proxy: {
      kind: 'group',
      keys: {
        port: { kind: 'integer', least: 0, most: 65535, isOptional: true },
        host: { kind: 'text', least: 1, isOptional: true },
        upstream: { kind: 'other', isOptional: true },
        timeout: { kind: 'integer', least: 1, most: 3600000, standard: 30000 },
        maxBody: { kind: 'integer', least: 1, most: 256, isOptional: true },
      },
    },
    extProc: {
      kind: 'group',
      keys: {
        port: { kind: 'integer', least: 0, most: 65535, isOptional: true },
        host: { kind: 'text', least: 1, isOptional: true },
        maxMessage: { kind: 'integer', least: 1, most: 1024, isOptional: true },
      },
    },
    routes: { kind: 'other', standard: [] },
    otherwise: { kind: 'other', standard: {} },
    trustedHeaders: { kind: 'other', standard: [] },
    rootWord: { kind: 'other', isOptional: true },
    assetType: { kind: 'text', least: 1, standard: 'columns' },
    attrName: { kind: 'text', least: 1, isOptional: true },
    object: { kind: 'text', least: 1, isOptional: true },
    maskString: { kind: 'text', least: 0, standard: '***' },
    maskShort: { kind: 'flag', standard: false },
    maskKeys: { kind: 'other', standard: {} },
    filter: { kind: 'flag', standard: false },
    filterDefault: { kind: 'word', of: ['allow', 'deny'], standard: 'deny' },
  },
};

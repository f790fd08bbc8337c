import { z } from 'zod';
import { keyReferences } from '../yaml/index.ts';

const HOUR = 3_600_000;

/** A time that bounds something, in milliseconds. */
function timeout(standard: number, description: string) {
  return z.int().min(1).max(HOUR).default(standard).register(keyReferences, {
    description,
    unit: 'ms',
    form: 'both',
    source: 'addition',
  });
}

/** The path of a file of the listener's TLS. */
function tlsFile(description: string, example: string) {
  return z
    .string()
    .min(1)
    .optional()
    .register(keyReferences, { description, form: 'both', source: 'addition', example });
}

/** The keys that say how the service serves: what it takes on at once, how long it waits, how it is watched. */
export const SERVING_KEYS = {
  maxInFlight: z
    .int()
    .min(1)
    .max(100_000)
    .default(256)
    .register(keyReferences, {
      description:
        'How many enforce requests may be in progress at once, in each process. One more is answered with 503 and ' +
        '`Retry-After`, at once.',
      form: 'both',
      source: 'enforcement §10',
    }),
  maxInFlightBody: z
    .int()
    .min(1)
    .max(65_536)
    .default(64)
    .register(keyReferences, {
      description:
        'How large the bodies of enforce requests in progress may be together, in each process. What goes beyond is ' +
        'answered with 503 and `Retry-After`, at once; a body that is larger on its own is taken when it is alone.',
      unit: 'MB',
      form: 'both',
      source: 'enforcement §10',
    }),
  headersTimeout: timeout(10_000, 'How long the header fields of a request may take to arrive.'),
  bodyTimeout: timeout(
    30_000,
    'How long the body of a request may take to arrive, however steadily it drips. One that takes longer is answered ' +
      'with 408.',
  ),
  answerTimeout: timeout(
    30_000,
    'How long a caller may take to receive an answer. Then the connection is cut.',
  ),
  keepAliveTimeout: timeout(
    75_000,
    'How long an idle connection is kept. It should be longer than that of the load balancer in front, so that no ' +
      'request meets a connection that is being closed.',
  ),
  drainDelay: z
    .int()
    .min(0)
    .max(HOUR)
    .default(5000)
    .register(keyReferences, {
      description:
        'How long the service goes on serving after `SIGTERM` or `SIGHUP`, with readiness at 503 and `Connection: close` on ' +
        'every answer, until callers and load balancers have gone elsewhere. `SIGINT` (Ctrl-C) does not wait for it.',
      unit: 'ms',
      form: 'both',
      source: 'addition',
    }),
  drainTimeout: timeout(
    25_000,
    'How long stopping may take in all, `drainDelay` included. Then requests under way are cut, and the process exits ' +
      'with 1.',
  ),
  tls: z
    .strictObject({
      certFile: tlsFile(
        'The certificate to serve HTTPS with, in PEM, the intermediate ones behind it. With it, the port takes HTTPS ' +
          'only. Files of `tls` are read again when they change; relative paths are relative to the folder of the ' +
          'configuration file.',
        'tls/tls.crt',
      ),
      keyFile: tlsFile('The private key of `tls.certFile`, in PEM, not encrypted.', 'tls/tls.key'),
      clientCaFile: tlsFile('The authorities that client certificates must come from, in PEM.', 'tls/ca.crt'),
      clientCertificates: z
        .enum(['none', 'request', 'require'])
        .default('none')
        .register(keyReferences, {
          description:
            'Whether callers show a certificate: `request` takes callers without one but refuses those with a bad one, ' +
            '`require` takes only callers with a good one; give probes a port by `health.port`.',
          form: 'both',
          source: 'addition',
        }),
    })
    .prefault({}),
  health: z
    .strictObject({
      port: z
        .int()
        .min(1)
        .max(65_535)
        .optional()
        .register(keyReferences, {
          description:
            'A port for the health endpoints alone, over HTTP, which probes can reach while `port` is on loopback or takes ' +
            'only callers with a certificate. `port` has them too. It may be `metrics.port`.',
          form: 'both',
          source: 'addition',
          example: 5003,
        }),
      host: z.string().min(1).optional().register(keyReferences, {
        description: 'The address to serve health on. Without it, all addresses.',
        form: 'both',
        source: 'addition',
        example: '127.0.0.1',
      }),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      port: z.int().min(1).max(65_535).optional().register(keyReferences, {
        description:
          'The port to serve Prometheus metrics on, at `/metrics` over HTTP. Without it, there are none.',
        form: 'both',
        source: 'addition',
        example: 9464,
      }),
      host: z.string().min(1).optional().register(keyReferences, {
        description: 'The address to serve metrics on. Without it, all addresses.',
        form: 'both',
        source: 'addition',
        example: '127.0.0.1',
      }),
    })
    .prefault({}),
  explain: z
    .strictObject({
      port: z
        .int()
        .min(1)
        .max(65_535)
        .optional()
        .register(keyReferences, {
          description:
            'The port to serve `POST /explain` on, over HTTP. Without it, the service explains nothing. Everyone ' +
            'who reaches the port may use it, with a token if `identity.required` is true.',
          form: 'both',
          source: 'addition',
          example: 5004,
        }),
      host: z.string().min(1).default('127.0.0.1').register(keyReferences, {
        description: 'The address to serve `POST /explain` on.',
        form: 'both',
        source: 'addition',
      }),
    })
    .prefault({}),
  maxExplained: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .register(keyReferences, {
      description:
        'How many changes, and how many records, `POST /explain` explains at most. If there are more, its answer has ' +
        '`truncated: true`.',
      form: 'both',
      source: 'addition',
    }),
  report: z
    .boolean()
    .default(false)
    .register(keyReferences, {
      description:
        'Whether answers with a payload have the header `Enforcement-Result`, which counts what was changed, such as ' +
        '`masked=3, set=0, removed=1, records=2`, so that an application can say that some of it is hidden. Streams ' +
        'through the proxy have none: their header is sent before their records are known.',
      form: 'both',
      source: 'addition',
    }),
  audit: z
    .boolean()
    .default(false)
    .register(keyReferences, {
      description:
        'Whether to log, for each request and policy, how many properties of how many records the policy changed, and ' +
        'for which user. The lines have the level `info`.',
      form: 'both',
      source: 'addition',
    }),
} as const;

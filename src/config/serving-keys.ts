import * as z from 'zod';
import { hostKey, keyReferences, portKey } from '../yaml/index.ts';

const HOUR = 3_600_000;

/** A time that bounds something, in milliseconds. */
function timeout(standard: number, description: string) {
  return z.int().min(1).max(HOUR).default(standard).register(keyReferences, {
    description,
    unit: 'ms',
    form: 'both',
  });
}

/** How many of something each process handles at the same time. */
function atOnce(description: string) {
  return z.int().min(1).max(100_000).default(256).register(keyReferences, { description, form: 'both' });
}

/** The path of a file of the listener's TLS. */
function tlsFile(description: string, example: string) {
  return z.string().min(1).optional().register(keyReferences, { description, form: 'both', example });
}

/** The keys that say how the service serves: what it takes on at once, how long it waits, how it is watched. */
export const SERVING_KEYS = {
  maxInFlight: atOnce(
    'How many enforce requests each process handles at the same time. A request beyond that gets 503 with ' +
      '`Retry-After` at once.',
  ),
  maxStreams: atOnce(
    'How many answers that are streams of records each process handles at the same time: NDJSON, JSON text ' +
      'sequences and server-sent events, through the proxy or Envoy. An answer beyond that is replaced by 503 with ' +
      '`Retry-After`. A stream does not count for `maxInFlight`.',
  ),
  maxInFlightBody: z
    .int()
    .min(1)
    .max(65_536)
    .default(64)
    .register(keyReferences, {
      description:
        'The largest total size of the bodies of enforce requests in progress, in each process. A request beyond ' +
        'that gets 503 with `Retry-After` at once. A body that exceeds the limit by itself is accepted if no ' +
        'other request is in progress. A body of very many values counts as half of the memory that its scan takes.',
      unit: 'MB',
      form: 'both',
    }),
  headersTimeout: timeout(10_000, 'How long the header fields of a request may take to arrive.'),
  bodyTimeout: timeout(
    30_000,
    'How long the body of a request may take to arrive, even if data keeps arriving. A slower request gets ' +
      '408. For the external processor: how long the body of an answer may take, and the pauses of a stream.',
  ),
  answerTimeout: timeout(
    30_000,
    'How long a caller may take to receive an answer. After that, the service closes the connection.',
  ),
  keepAliveTimeout: timeout(
    75_000,
    'How long an idle connection stays open. Set it longer than the idle timeout of the load balancer in ' +
      'front, so that no request arrives on a connection that the service is closing.',
  ),
  drainDelay: z
    .int()
    .min(0)
    .max(HOUR)
    .default(5000)
    .register(keyReferences, {
      description:
        'How long the service keeps serving after `SIGTERM` or `SIGHUP`, so that callers and load balancers can ' +
        'move away. Meanwhile, readiness answers 503 and every answer has `Connection: close`. `SIGINT` (Ctrl-C) ' +
        'skips the delay.',
      unit: 'ms',
      form: 'both',
    }),
  drainTimeout: timeout(
    25_000,
    'How long stopping may take in total, including `drainDelay`. After that, the service aborts the ' +
      'requests in progress and exits with 1.',
  ),
  tls: z
    .strictObject({
      certFile: tlsFile(
        'The certificate for HTTPS, in PEM, followed by its intermediate certificates. If it is given, the port ' +
          'accepts only HTTPS. The service reads the files of `tls` again when they change; relative paths are ' +
          'relative to the folder of the configuration file.',
        'tls/tls.crt',
      ),
      keyFile: tlsFile('The private key of `tls.certFile`, in PEM, not encrypted.', 'tls/tls.key'),
      clientCaFile: tlsFile(
        'The CA certificates, in PEM, that must have signed client certificates.',
        'tls/ca.crt',
      ),
      clientCertificates: z
        .enum(['none', 'request', 'require'])
        .default('none')
        .register(keyReferences, {
          description:
            'Whether callers must present a certificate: `request` accepts callers without a certificate but rejects ' +
            'invalid ones; `require` accepts only callers with a valid certificate. With `require`, give probes a ' +
            'separate port, `health.port`.',
          form: 'both',
        }),
    })
    .prefault({}),
  health: z
    .strictObject({
      port: portKey(
        1,
        'An additional port for the health endpoints only, over HTTP. Probes can reach it while `port` is on ' +
          'loopback or requires client certificates. It may be the same as `metrics.port`.',
        5003,
      ),
      host: hostKey('The address to serve health on. Without it, all addresses.'),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      port: portKey(
        1,
        'The port to serve Prometheus metrics on, at `/metrics` over HTTP. Without it, the service has no ' +
          'metrics.',
        9464,
      ),
      host: hostKey('The address to serve metrics on. Without it, all addresses.'),
    })
    .prefault({}),
  explain: z
    .strictObject({
      port: portKey(
        1,
        'The port to serve `POST /explain` on, over HTTP. Without it, the service does not serve `/explain`. ' +
          'Everyone who can reach the port may use it; if `identity.required` is true, they need a token.',
        5006,
      ),
      host: z.string().min(1).default('127.0.0.1').register(keyReferences, {
        description: 'The address to serve `POST /explain` on.',
        form: 'both',
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
        'How many changes, and how many records, `POST /explain` lists at most. If there are more, the answer ' +
        'has `truncated: true`.',
      form: 'both',
    }),
  report: z
    .boolean()
    .default(false)
    .register(keyReferences, {
      description:
        'Whether answers with a payload have the header `Enforcement-Result`, such as `masked=3, set=0, ' +
        'removed=1, records=2`. It counts the changes, so that an application can show that some data is hidden. ' +
        'Streams through the proxy do not have it, because their header is sent before their records are known.',
      form: 'both',
    }),
  audit: z
    .boolean()
    .default(false)
    .register(keyReferences, {
      description:
        'Whether to log, for each request and policy, how many properties of how many records the policy ' +
        'changed, and for which user. The level of these entries is `info`.',
      form: 'both',
    }),
} as const;

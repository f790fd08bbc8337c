import * as z from 'zod';
import { keyReferences } from '../yaml/index.ts';
import { SERVER_NAME } from './pdp-address.ts';

const HOUR = 3_600_000;

/** A number that bounds something. */
function bound(
  least: number,
  most: number,
  standard: number,
  reference: { description: string; unit?: 'MB' | 'ms' | '%' },
) {
  return z
    .int()
    .min(least)
    .max(most)
    .default(standard)
    .register(keyReferences, { ...reference, form: 'both' });
}

/** The path of a file of the TLS client. */
function tlsFile(description: string, example: string) {
  return z.string().min(1).optional().register(keyReferences, { description, form: 'both', example });
}

function tracesUrlProblem(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null)
    return 'must be a URL that begins with http:// or https://, such as http://otel-collector:4318';
  if (url.search !== '' || url.hash !== '') return 'must not have a query or fragment';
  const hasCredentials = url.username !== '' || url.password !== '';
  return hasCredentials
    ? 'must not carry a user name or password: the configuration is no place for secrets'
    : undefined;
}

/** The keys that say how the PDP is asked: what is done when it is down, what is remembered, over what connection. */
export const ASKING_KEYS = {
  pdpTls: z
    .strictObject({
      caFile: tlsFile(
        'The CA certificates, in PEM, that the service trusts for the PDP, instead of those of the system. The ' +
          'service reads the files of `pdpTls` again when they change; relative paths are relative to the folder ' +
          'of the configuration file. `pdpTls` needs a PDP over https.',
        'tls/pdp-ca.crt',
      ),
      certFile: tlsFile(
        'The client certificate that the service presents to the PDP, in PEM, followed by its intermediate ' +
          'certificates.',
        'tls/client.crt',
      ),
      keyFile: tlsFile('The private key of `pdpTls.certFile`, in PEM, not encrypted.', 'tls/client.key'),
      serverName: z
        .string()
        .regex(
          SERVER_NAME,
          'must be a host name such as pdp.internal; IP addresses and patterns are not allowed',
        )
        .optional()
        .register(keyReferences, {
          description:
            'The host name that the certificate of the PDP must have, if it differs from the host in its URL.',
          form: 'both',
          example: 'pdp.internal',
        }),
    })
    .prefault({}),
  pdpBreaker: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .register(keyReferences, {
          description:
            "Whether the circuit breaker is on. It opens if too many calls to the PDP fail: the PDP can't be " +
            'reached, times out, or answers with 5xx. While it is open, callers get 502 at once, without a call to ' +
            'the PDP.',
          form: 'both',
        }),
      failurePercentage: bound(1, 99, 50, {
        description: 'The breaker opens when more than this percentage of the calls fails.',
        unit: '%',
      }),
      minimumCalls: bound(1, 100_000, 20, {
        description: 'The breaker opens only after at least this many calls within `pdpBreaker.window`.',
      }),
      window: bound(1000, HOUR, 10_000, {
        description: 'The time span whose calls the breaker counts.',
        unit: 'ms',
      }),
      probeAfter: bound(1, HOUR, 1000, {
        description: 'How long the breaker stays open before one call tests whether the PDP is back.',
        unit: 'ms',
      }),
    })
    .prefault({}),
  pdpCache: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .register(keyReferences, {
          description:
            'Whether the service caches decisions for as long as their `tokenValidity` allows. Only an identical ' +
            'question uses a cached decision: same body, credentials and forwarded header fields, except request and ' +
            'trace ids. Identical questions at the same time share one call to the PDP.',
          form: 'both',
        }),
      maxEntries: bound(1, 1_000_000, 10_000, {
        description: 'How many decisions each process caches at most.',
      }),
      maxSize: bound(1, 4096, 64, {
        description: 'The largest total size of the cached decisions in each process.',
        unit: 'MB',
      }),
      maxAge: bound(1, 24 * HOUR, 300_000, {
        description: 'How long a decision is cached at most, even if it is valid for longer.',
        unit: 'ms',
      }),
    })
    .prefault({}),
  tracing: z
    .strictObject({
      endpoint: z
        .string()
        .superRefine((text, context) => {
          const problem = tracesUrlProblem(text);
          if (problem !== undefined) context.addIssue(problem);
        })
        .optional()
        .register(keyReferences, {
          description:
            'The collector that receives OpenTelemetry traces, by OTLP over HTTP in protobuf. If the URL has no ' +
            'path, the service appends `/v1/traces`. Without this key, the service sends no traces and forwards ' +
            '`traceparent` unchanged.',
          form: 'both',
          example: 'http://otel-collector:4318',
        }),
      serviceName: z.string().min(1).default('authz-jsonmasking').register(keyReferences, {
        description: 'The name of the service in traces.',
        form: 'both',
      }),
      sampleRatio: z.number().min(0).max(1).default(1).register(keyReferences, {
        description: 'The share of requests to trace, if the `traceparent` of the caller does not decide it.',
        form: 'both',
      }),
    })
    .prefault({}),
} as const;

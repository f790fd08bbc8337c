import { z } from 'zod';
import { keyReferences } from '../yaml/index.ts';

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
    .register(keyReferences, { ...reference, form: 'both', source: 'addition' });
}

/** The path of a file of the TLS client, or a name that it knows the PDP by. */
function tlsText(description: string, example: string) {
  return z
    .string()
    .min(1)
    .optional()
    .register(keyReferences, { description, form: 'both', source: 'addition', example });
}

function tracesUrlProblem(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '') {
    return 'must be a URL that begins with http:// or https://, such as http://otel-collector:4318';
  }
  const hasCredentials = url.username !== '' || url.password !== '';
  return hasCredentials
    ? 'must not carry a user name or password: the configuration is no place for secrets'
    : undefined;
}

/** The keys that say how the PDP is asked: what is done when it is down, what is remembered, over what connection. */
export const ASKING_KEYS = {
  pdpTls: z
    .strictObject({
      caFile: tlsText(
        'The authorities that the certificate of the PDP must come from, in PEM, instead of those that the system ' +
          'trusts. Files of `pdpTls` are read again when they change; relative paths are relative to the folder of the ' +
          'configuration file. `pdpTls` needs a PDP over https.',
        'tls/pdp-ca.crt',
      ),
      certFile: tlsText(
        'The certificate that the service shows to the PDP, in PEM, the intermediate ones behind it.',
        'tls/client.crt',
      ),
      keyFile: tlsText('The private key of `pdpTls.certFile`, in PEM, not encrypted.', 'tls/client.key'),
      serverName: tlsText(
        'The name that the certificate of the PDP must have, where it is not the host in its URL.',
        'pdp.internal',
      ),
    })
    .prefault({}),
  pdpBreaker: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .register(keyReferences, {
          description:
            'Whether callers are answered with 502 at once, without a question to the PDP, while it is down: it cannot be ' +
            'reached, does not answer in time, or answers with 5xx.',
          form: 'both',
          source: 'addition',
        }),
      failurePercentage: bound(1, 99, 50, {
        description: 'The PDP is taken for down when more than this share of the questions fails.',
        unit: '%',
      }),
      minimumCalls: bound(1, 100_000, 20, {
        description: 'How many questions there must have been within `pdpBreaker.window` to say so.',
      }),
      window: bound(1000, HOUR, 10_000, { description: 'How far back questions count.', unit: 'ms' }),
      probeAfter: bound(1, HOUR, 1000, {
        description: 'After how long a single question is let through to find out whether the PDP is back.',
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
            'Whether decisions are remembered for as long as their `tokenValidity` says, and given again to whoever ' +
            'asks the very same: body, credentials and every forwarded header field, save request and trace ids. Who ' +
            'asks the same at the same time shares one question.',
          form: 'both',
          source: 'enforcement §5',
        }),
      maxEntries: bound(1, 1_000_000, 10_000, {
        description: 'How many decisions are remembered at most, in each process.',
      }),
      maxSize: bound(1, 4096, 64, {
        description: 'How large the remembered decisions may be together, in each process.',
        unit: 'MB',
      }),
      maxAge: bound(1, 24 * HOUR, 300_000, {
        description:
          'How long a decision is remembered at most, even when it says that it is valid for longer.',
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
            'Where OpenTelemetry traces are sent, by OTLP over HTTP in protobuf. A URL without a path is completed with ' +
            '`/v1/traces`. Without it, there are no traces, and `traceparent` is forwarded as it came.',
          form: 'both',
          source: 'addition',
          example: 'http://otel-collector:4318',
        }),
      serviceName: z.string().min(1).default('authz-jsonmasking').register(keyReferences, {
        description: 'The name of the service in traces.',
        form: 'both',
        source: 'addition',
      }),
      sampleRatio: z
        .number()
        .min(0)
        .max(1)
        .default(1)
        .register(keyReferences, {
          description:
            'Which part of the requests is traced, where the caller has not decided: what its `traceparent` says of ' +
            'that is kept to.',
          form: 'both',
          source: 'addition',
        }),
    })
    .prefault({}),
} as const;

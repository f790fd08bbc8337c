import * as z from 'zod';
import { hostKey, keyReferences, portKey } from '../../yaml/index.ts';

const UPSTREAM_PROBLEM =
  'must be http:// or https:// with a host and, if needed, a port, without a path: http://127.0.0.1:8080';

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/iu.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

/** The keys of the reverse proxy (docs/proxy.md). */
export const PROXY_KEYS = {
  proxy: z
    .strictObject({
      port: portKey(
        0,
        'The port of the reverse proxy, which enforces the responses of the application at `proxy.upstream`; `0` ' +
          'picks any free port. It uses TLS if `tls.certFile` is set. Without this key, the proxy is off.',
        8443,
      ),
      host: hostKey('The address that the proxy listens on. Without it, all addresses.'),
      upstream: z.string().refine(isOrigin, UPSTREAM_PROBLEM).optional().register(keyReferences, {
        description: 'The origin of the application. Required with `proxy.port`.',
        form: 'both',
        example: 'http://127.0.0.1:8080',
      }),
      timeout: z
        .int()
        .min(1)
        .max(3_600_000)
        .default(30_000)
        .register(keyReferences, {
          description:
            'How long the application may take to begin a response once it has the request, to send a JSON body that ' +
            'is enforced as a whole, and to pause within any other body.',
          unit: 'ms',
          form: 'both',
        }),
      maxBody: z
        .int()
        .min(1)
        .max(256)
        .optional()
        .register(keyReferences, {
          description:
            'The largest JSON body of the application, and the largest record of a stream, before and after ' +
            'decompression. A larger one gets 502. Without this key, the limit is `maxBody`.',
          unit: 'MB',
          form: 'both',
          example: 16,
        }),
    })
    .prefault({}),
} as const;

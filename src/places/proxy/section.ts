import { z } from 'zod';
import { keyReferences } from '../../yaml/index.ts';

const UPSTREAM_PROBLEM =
  'must be http:// or https:// with a host and, if needed, a port, without a path: http://127.0.0.1:8080';

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/iu.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

/** The keys of the reverse proxy (places §3). */
export const PROXY_KEYS = {
  proxy: z
    .strictObject({
      port: z
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .register(keyReferences, {
          description:
            'The port of the reverse proxy, which enforces the answers of the application at `proxy.upstream`. ' +
            'Without it, there is no proxy. `tls` holds for this port, too. `0` takes any free one.',
          form: 'both',
          source: 'addition',
          example: 8443,
        }),
      host: z.string().min(1).optional().register(keyReferences, {
        description: 'The address that the proxy listens on. Without it, all addresses.',
        form: 'both',
        source: 'addition',
        example: '127.0.0.1',
      }),
      upstream: z.string().refine(isOrigin, UPSTREAM_PROBLEM).optional().register(keyReferences, {
        description: 'The origin of the application. Required with `proxy.port`.',
        form: 'both',
        source: 'addition',
        example: 'http://127.0.0.1:8080',
      }),
      timeout: z
        .int()
        .min(1)
        .max(3_600_000)
        .default(30_000)
        .register(keyReferences, {
          description:
            'How long the application may take to begin an answer, to send a JSON body that is enforced as a whole, and to ' +
            'pause within any other body.',
          unit: 'ms',
          form: 'both',
          source: 'addition',
        }),
      maxBody: z
        .int()
        .min(1)
        .max(256)
        .optional()
        .register(keyReferences, {
          description:
            'The largest JSON body of the application, and the largest record of a stream, before and after ' +
            'decompression. A larger one is answered with 502. Without it, `maxBody`.',
          unit: 'MB',
          form: 'both',
          source: 'addition',
          example: 16,
        }),
    })
    .prefault({}),
} as const;

import { z } from 'zod';
import { keyReferences } from '../../yaml/index.ts';

/** The keys of the external processor of Envoy (places §4). */
export const EXT_PROC_KEYS = {
  extProc: z
    .strictObject({
      port: z
        .int()
        .min(0)
        .max(65_535)
        .optional()
        .register(keyReferences, {
          description:
            'The port on which Envoys reach the external processor, over gRPC; `0` takes any free one. It has TLS ' +
            'if `tls.certFile` is set. Without it, there is no external processor. `routes` say what it enforces.',
          form: 'both',
          source: 'addition',
          example: 5004,
        }),
      host: z.string().min(1).optional().register(keyReferences, {
        description: 'The address to listen on for Envoys. Without it, all addresses.',
        form: 'both',
        source: 'addition',
        example: '127.0.0.1',
      }),
      maxMessage: z
        .int()
        .min(1)
        .max(1024)
        .optional()
        .register(keyReferences, {
          description:
            'How large one gRPC message of Envoy may be. A larger one ends the exchange with an error. In mode `BUFFERED`, ' +
            'a message holds a whole body. Without it, 1 MB more than `maxBody`.',
          unit: 'MB',
          form: 'both',
          source: 'addition',
          example: 17,
        }),
    })
    .prefault({}),
};

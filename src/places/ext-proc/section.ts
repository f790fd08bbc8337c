import * as z from 'zod';
import { hostKey, keyReferences, portKey } from '../../yaml/index.ts';

/** The keys of the external processor of Envoy (docs/envoy.md). */
export const EXT_PROC_KEYS = {
  extProc: z
    .strictObject({
      port: portKey(
        0,
        'The gRPC port on which Envoy reaches the external processor; `0` picks any free port. It uses TLS if ' +
          '`tls.certFile` is set. Without this key, the external processor is off. `routes` define what it ' +
          'enforces.',
        5004,
      ),
      host: hostKey('The address to listen on for Envoy. Without it, all addresses.'),
      maxMessage: z
        .int()
        .min(1)
        .max(1024)
        .optional()
        .register(keyReferences, {
          description:
            'The largest gRPC message of Envoy. A larger message ends the stream with an error. In mode `BUFFERED`, ' +
            'one message holds a whole body. Without this key, the limit is 1 MB more than `maxBody`.',
          unit: 'MB',
          form: 'both',
          example: 17,
        }),
    })
    .prefault({}),
};

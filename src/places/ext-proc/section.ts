import * as z from 'zod';
import { hostKey, keyReferences, portKey } from '../../yaml/index.ts';

/** How much longer a message may be than a body that is enforced, in MB: the service refuses such bodies itself, and pieces of others pass. */
const BEYOND_BODY = 16;

/** `extProc.maxMessage` if it is not configured. @param maxBody in MB @returns MB */
export function defaultMaxMessage(maxBody: number): number {
  return maxBody + BEYOND_BODY;
}

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
            'one message holds a whole body. In mode `FULL_DUPLEX_STREAMED`, a message holds as much as ' +
            '`per_connection_buffer_limit_bytes` of Envoy, also of a body that passes. Without this key, the limit is 16 MB ' +
            'more than `maxBody`.',
          unit: 'MB',
          form: 'both',
          example: 64,
        }),
    })
    .prefault({}),
};

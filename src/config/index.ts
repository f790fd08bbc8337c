/** The configuration: its keys, how it is loaded and verified. */
export { pdpAddress, resolveEndpoints } from './endpoints.ts';
export { isLoopback } from './listeners.ts';
export { checkConfiguration, errorIn, fileHashOf, loadConfiguration } from './open.ts';
export type { Configuration } from './schema.ts';
export { BYTES_PER_MB, payloadLimits } from './sizes.ts';

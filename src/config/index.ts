/** The configuration: its keys, how it is loaded and verified. */
export { pdpAddress, resolveEndpoints } from './endpoints.ts';
export { checkConfiguration, loadConfiguration, nameOf } from './open.ts';
export type { Configuration } from './schema.ts';

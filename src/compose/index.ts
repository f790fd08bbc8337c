/** Builds the service, or enforcement without a listener, from a configuration. */
export { createApp, type App } from './app.ts';
export { reportPolicies } from './policies.ts';
export { configurationFor, openInProcess, openLastingInProcess } from './in-process.ts';
export { openSource } from './playground.ts';
export { KEYS_OF_NAMES, openTestPorts } from './testing.ts';

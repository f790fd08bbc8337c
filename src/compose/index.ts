/** Builds the service, or enforcement without a listener, from a configuration. */
export { createApp, type App } from './app.ts';
export { reportPolicies } from './policies.ts';
export { configurationFor, openInProcess, openLastingInProcess } from './in-process.ts';
export { openSource, playgroundKeys } from './playground.ts';
export { openTestPorts } from './testing.ts';
